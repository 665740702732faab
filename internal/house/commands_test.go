package house_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

var (
	goCommand = regexp.MustCompile(`go (test|run) [^\x60\n]*`)
	function  = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark)\w*)\(`)
)

// TestDocumentedCommands: the programs, tests and benchmarks that the documents name are there.
func TestDocumentedCommands(t *testing.T) {
	paths, err := testkit.Documents()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range append(paths, holding) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range goCommand.FindAllString(string(text), -1) {
			n++
			words := strings.Fields(strings.NewReplacer(`\|`, "|", "'", "").Replace(line))
			var folders []string
			for _, w := range words[2:] {
				if w == "." || strings.HasPrefix(w, "./") && !strings.Contains(w, "...") {
					folders = append(folders, w)
				}
			}
			for _, folder := range folders {
				if files, err := filepath.Glob(filepath.Join(folder, "*.go")); err != nil || len(files) == 0 {
					t.Errorf("%s: %s: %s has no Go files (%v)", path, line, folder, err)
				}
			}
			for i, w := range words[:len(words)-1] {
				if w != "-run" && w != "-bench" || words[1] != "test" || len(folders) == 0 {
					continue
				}
				for _, name := range strings.Split(words[i+1], "|") {
					if name != "^$" && name != "." && !hasTest(t, folders, name) {
						t.Errorf("%s: %s: nothing has the name %s", path, line, name)
					}
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d commands were found", n)
	}
}

const holding = "internal/house/testdata/held.txt"

var (
	section  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	named    = regexp.MustCompile(`\b(?:Test|Benchmark|Fuzz|Example)[A-Z]\w*`)
	inText   = regexp.MustCompile("(?m)Held by|`(?:Test|Benchmark|Fuzz)[A-Z]\\w*`")
	evidence = regexp.MustCompile("go (?:test|run) |```output|```json")
)

// TestHeld: for each section of a page, the page has a command or an output, or held.txt names the tests or commands that hold what it
// says. These are there, and so are the sections. Pages themselves speak to their readers and do not name tests.
func TestHeld(t *testing.T) {
	out, err := exec.Command("git", "grep", "-hE", `^func (Test|Benchmark|Fuzz|Example)\w*\(`, "--", "*_test.go").Output()
	if err != nil {
		testkit.Skip(t, "the git checkout")
	}
	rows, err := os.ReadFile(holding)
	if err != nil {
		t.Fatal(err)
	}
	held, page := map[string]bool{}, ""
	for line := range strings.Lines(string(rows)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "docs/") {
			page = line
		}
		heading, tests, ok := strings.Cut(line, " || ")
		if strings.HasPrefix(line, "#") || !ok {
			continue
		}
		held[page+"#"+heading] = true
		names := named.FindAllString(tests, -1)
		for _, name := range names {
			if !strings.Contains(string(out), "func "+name+"(") {
				t.Errorf("%s, %s: there is no %s", page, heading, name)
			}
		}
		if len(names) == 0 && !evidence.MatchString(tests) {
			t.Errorf("%s, %s: %q is neither a test nor a command", page, heading, tests)
		}
	}
	pages, err := filepath.Glob("docs/*/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages (%v)", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		doc := string(text)
		for _, s := range inText.FindAllString(doc, -1) {
			t.Errorf("%s says %s, which belongs in %s", page, s, holding)
		}
		at := section.FindAllStringSubmatchIndex(fence.ReplaceAllStringFunc(doc, func(s string) string { return strings.ReplaceAll(s, "\n#", "\n.") }), -1)
		for i, s := range at {
			end := len(doc)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			heading := page + "#" + doc[s[2]:s[3]]
			if text := doc[s[1]:end]; !held[heading] && strings.TrimSpace(text) != "" && !evidence.MatchString(text) {
				t.Errorf("nothing holds %s", heading)
			}
			delete(held, heading)
		}
	}
	for heading := range held {
		t.Errorf("%s has %s, which is no section of a page", holding, heading)
	}
}

// hasTest reports whether a test or benchmark in some folders has a name that a pattern matches.
func hasTest(t *testing.T, folders []string, pattern string) bool {
	t.Helper()
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range function.FindAllSubmatch(text, -1) {
				if is, err := regexp.Match(strings.Split(pattern, "/")[0], f[1]); err == nil && is {
					return true
				}
			}
		}
	}
	return false
}
