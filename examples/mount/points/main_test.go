package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPoints(t *testing.T) {
	out := t.TempDir()
	var said bytes.Buffer
	if err := run([]string{"-out", out}, &said); err != nil {
		t.Fatal(err)
	}
	want := `2 squats in 4.0 s
squat 1: from 0.0 s, 2.0 s long, knee bent to 66 degrees
squat 2: from 2.0 s, 2.0 s long, knee bent to 89 degrees
squat 2 is like the first by 96 %
`
	if got, _, _ := strings.Cut(said.String(), "wrote"); got != want {
		t.Errorf("says\n%s\nwant\n%s", got, want)
	}
	f, err := os.Open(filepath.Join(out, "deepest.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if img, err := png.Decode(f); err != nil || img.Bounds().Dx() < 150 || img.Bounds().Dy() < 300 {
		t.Errorf("picture: %v", err)
	}
	if svg, err := os.ReadFile(filepath.Join(out, "knee.svg")); err != nil || !bytes.Contains(svg, []byte("Angle of the knee")) {
		t.Errorf("chart: %v", err)
	}
}

func TestPointsRefuses(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "still.csv")
	if err := os.WriteFile(empty, []byte("frame,time [s],nose_x [px],nose_y [px],nose_confidence\n0,,1,2,0.9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"at most one": {"a", "b"}, "no such file": {"missing.csv"}, "no times": {empty},
	} {
		if err := run(args, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}
