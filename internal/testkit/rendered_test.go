package testkit_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

var update = flag.Bool("update", false, "rewrite the truth files")

// TestTruth checks the truth files against those that the renderer wrote, which differ by white space alone.
func TestTruth(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(testkit.Data(t, "rendered"), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		if name == "manifest" {
			continue
		}
		names = append(names, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := json.Compact(&want, text); err != nil {
			t.Fatal(err)
		}
		if *update {
			pack(t, name, want.Bytes())
		}
		if !bytes.Equal(testkit.Truth(t, name), want.Bytes()) {
			t.Errorf("the truth of %s is another; rewrite it with -update", name)
		}
	}
	if all := testkit.RenderedNames(t); !slices.Equal(all, names) {
		t.Errorf("there is truth of %v, want %v", all, names)
	}
}

// TestTruthSize checks that a clone stays small.
func TestTruthSize(t *testing.T) {
	sum := int64(0)
	for _, name := range testkit.RenderedNames(t) {
		info, err := os.Stat(filepath.Join("testdata", "rendered", name+".json.gz"))
		if err != nil {
			t.Fatal(err)
		}
		sum += info.Size()
	}
	if sum > 1_500_000 {
		t.Errorf("the truth files have %d bytes, at most 1.5 MB are allowed", sum)
	}
}

func pack(t *testing.T, name string, text []byte) {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", "rendered", name+".json.gz"), b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
