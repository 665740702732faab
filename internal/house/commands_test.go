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
	for _, path := range paths {
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

var (
	section  = regexp.MustCompile(`(?m)^#+ .*$`)
	named    = regexp.MustCompile("`((?:Test|Benchmark|Fuzz)[A-Z]\\w*)`")
	evidence = regexp.MustCompile("`(?:Test|Benchmark)[A-Z]|go (?:test|run) |```output|```json")
)

// TestHeld: each section of the documents names a test, a command or an output that holds what it says, and the tests exist.
func TestHeld(t *testing.T) {
	out, err := exec.Command("git", "grep", "-hE", `^func (Test|Benchmark|Fuzz)\w*\(`, "--", "*_test.go").Output()
	if err != nil {
		testkit.Skip(t, "the git checkout")
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
		for _, m := range named.FindAllStringSubmatch(doc, -1) {
			if !strings.Contains(string(out), "func "+m[1]+"(") {
				t.Errorf("%s: there is no %s", page, m[1])
			}
		}
		at := section.FindAllStringIndex(fence.ReplaceAllStringFunc(doc, func(s string) string { return strings.ReplaceAll(s, "\n#", "\n.") }), -1)
		for i, s := range at {
			end := len(doc)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			if text := doc[s[1]:end]; strings.TrimSpace(text) != "" && !evidence.MatchString(text) {
				t.Errorf("%s: nothing holds %q", page, doc[s[0]:s[1]])
			}
		}
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
