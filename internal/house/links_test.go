package house_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/testkit"
)

var (
	fence   = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"`)
	code    = regexp.MustCompile("`[^`\n]*`")
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
)

// links returns where the links and pictures of a document lead, outside of code.
func links(doc string) []string {
	var found []string
	for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(fence.ReplaceAllString(doc, ""), ""), -1) {
		found = append(found, m[1]+m[2])
	}
	return found
}

// anchors returns the names by which the headings of a document can be reached, as GitHub
// makes them.
func anchors(doc string) map[string]bool {
	names := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(doc, ""), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, m[1])
		for n, free := 0, name; ; n++ {
			if n > 0 {
				free = fmt.Sprintf("%s-%d", name, n)
			}
			if !names[free] {
				names[free] = true
				break
			}
		}
	}
	return names
}

// checkLinks returns what is wrong with the links of the document at path to files and
// headings. Those to other sites are not followed.
func checkLinks(path string) ([]string, error) {
	doc, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var wrong []string
	for _, l := range links(string(doc)) {
		if strings.Contains(l, "://") || strings.HasPrefix(l, "mailto:") {
			continue
		}
		file, anchor, hasAnchor := strings.Cut(l, "#")
		to := path
		if file != "" {
			to = filepath.Join(filepath.Dir(path), filepath.FromSlash(file))
		}
		text, err := os.ReadFile(to)
		info, statErr := os.Stat(to)
		switch {
		case statErr != nil:
			wrong = append(wrong, fmt.Sprintf("%s: the link %s leads nowhere", path, l))
		case hasAnchor && (err != nil || info.IsDir() || !anchors(string(text))[anchor]):
			wrong = append(wrong, fmt.Sprintf("%s: there is no heading for the link %s", path, l))
		}
	}
	return wrong, nil
}

// TestIndexes: every page is reached from the index by task, which the README names, every example from the list of examples.
func TestIndexes(t *testing.T) {
	paths, err := testkit.Documents()
	if err != nil {
		t.Fatal(err)
	}
	for _, index := range []string{"README.md", "docs/README.md", "examples/README.md"} {
		doc, err := os.ReadFile(index)
		if err != nil {
			t.Fatal(err)
		}
		reached := map[string]bool{index: true}
		for _, l := range links(string(doc)) {
			file, _, _ := strings.Cut(l, "#")
			reached[filepath.ToSlash(filepath.Join(filepath.Dir(index), file))] = true
		}
		for _, path := range paths {
			page := path == "docs/README.md"
			switch index {
			case "docs/README.md":
				page = path != "README.md" && !strings.HasPrefix(path, "examples/")
			case "examples/README.md":
				page = strings.HasPrefix(path, "examples/")
			}
			if page && !reached[path] {
				t.Errorf("%s has no link to %s", index, path)
			}
		}
	}
}

func TestLinks(t *testing.T) {
	const doc = "# A title, of two!\n\n[one](other.md#two-words) `[no](link)` <img src=\"p.png\">\n\n```sh\ngo run . # [no](link)\n```\n\n## Same\n## Same\n\n```output\nx\n```\n"
	if diff := cmp.Diff([]string{"other.md#two-words", "p.png"}, links(doc)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]bool{"a-title-of-two": true, "same": true, "same-1": true}, anchors(doc)); diff != "" {
		t.Error(diff)
	}
}

func TestCheckLinks(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("other.md", "# Two words\n")
	path := write("doc.md", "# Here\n[a](other.md#two-words) [b](#here) [c](.) [d](https://example.com/#x)\n[e](other.md#three) [f](missing.md) [g](#there)\n")
	wrong, err := checkLinks(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range []string{"other.md#three", "missing.md", "#there"} {
		if len(wrong) != 3 || !strings.Contains(wrong[i], l) {
			t.Errorf("%q, want one about %s", wrong, l)
		}
	}
}
