package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestPDF: a browser prints the report, whatever its file is called, once; without one the flag is refused before anything is done.
func TestPDF(t *testing.T) {
	if _, err := browser(); err != nil {
		testkit.Skip(t, "chromium")
	}
	t.Chdir(t.TempDir())
	if err := writeJSON("a doll #1?.json", doll()); err != nil {
		t.Fatal(err)
	}
	for _, kept := range []bool{false, true} {
		rows, stderr, err := inProcess(t, "report --format pdf *.json")
		if err != nil || len(rows) != 1 || rows[0].Status != "done" || rows[0].Kept != kept {
			t.Fatalf("%+v, %v, %s", rows, err, stderr)
		}
	}
	b, err := os.ReadFile("motion-out/a doll #1?.json.report.pdf")
	if err != nil || bytes.Count(b, []byte("/Type /Page\n")) < 1 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, _, err := inProcess(t, "report --format pdf none.json"); err == nil || !strings.Contains(err.Error(), "print FILE.report.html in another browser") {
		t.Errorf("without a browser: %v", err)
	}
}
