package house_test

import (
	"os"
	"strings"
	"testing"
)

// TestConstants: the numbers that pages state are those of the source.
func TestConstants(t *testing.T) {
	plain := func(path string) string {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(text)), " ")
	}
	rows, err := os.ReadFile("internal/house/testdata/constants.txt")
	if err != nil {
		t.Fatal(err)
	}
	page, texts, n := "", map[string]string{}, 0
	for line := range strings.Lines(string(rows)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "docs/") {
			page = line
			texts[page] = plain(page)
		}
		words, source, ok := strings.Cut(line, " || ")
		file, constant, both := strings.Cut(source, " || ")
		if strings.HasPrefix(line, "#") || !ok || !both {
			continue
		}
		n++
		if texts[file] == "" {
			texts[file] = plain(file)
		}
		if !strings.Contains(texts[page], words) {
			t.Errorf("%s does not say %q any more", page, words)
		}
		if !strings.Contains(texts[file]+" ", constant+" ") {
			t.Errorf("%s says %q, but %s has no %s", page, words, file, constant)
		}
	}
	if n < 100 {
		t.Errorf("only %d numbers were compared", n)
	}
}
