package markdown_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/markdown"
)

const doc = "# A title, of two!\n\n[one](other.md#two-words) `[no](link)` <img src=\"p.png\">\n\n```sh\ngo run . # [no](link)\n```\n\n## Same\n## Same\n\n```output\nx\n```\n"

func TestDocument(t *testing.T) {
	want := []markdown.Block{{Kind: "sh", Text: "go run . # [no](link)\n", Line: 6}, {Kind: "output", Text: "x\n", Line: 13}}
	if diff := cmp.Diff(want, markdown.Blocks(doc)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"other.md#two-words", "p.png"}, markdown.Links(doc)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]bool{"a-title-of-two": true, "same": true, "same-1": true}, markdown.Anchors(doc)); diff != "" {
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
	wrong, err := markdown.CheckLinks(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range []string{"other.md#three", "missing.md", "#there"} {
		if len(wrong) != 3 || !strings.Contains(wrong[i], l) {
			t.Errorf("%q, want one about %s", wrong, l)
		}
	}
}
