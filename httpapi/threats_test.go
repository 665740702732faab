package httpapi_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestThreats holds that the tests that THREATS.md names exist.
func TestThreats(t *testing.T) {
	declared := map[string]bool{}
	for _, pattern := range []string{
		"*_test.go", "*/*_test.go", "../*_test.go", "../inference/*_test.go", "../inference/ffmpeg/*_test.go", "../inference/ffmpeg/program/*_test.go",
		"../internal/*/*_test.go", "../storage/*/*_test.go", "../cmd/motion/internal/server/*_test.go", "../internal/lab/*/*_test.go",
	} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllSubmatch(text, -1) {
				declared[string(m[1])] = true
			}
		}
	}
	text, err := os.ReadFile("THREATS.md")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllSubmatch(text, -1)
	if len(names) < 50 {
		t.Errorf("THREATS.md names %d tests", len(names))
	}
	for _, m := range names {
		if name := string(m[1]); !declared[name] {
			t.Errorf("THREATS.md names %s, which does not exist", name)
		}
	}
}
