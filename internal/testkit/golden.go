package testkit

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// Two pictures look the same when no channel of any pixel differs by more than maxStep and the mean difference is below maxMean
// (levels of 255): a little more than what rounding on another processor does, and less than a shift by a pixel of anything. They
// are the limits of the tests of package draw.
const (
	maxStep = 12
	maxMean = 0.05
)

// Unlike says how two pictures differ, "" when they look the same.
func Unlike(got, want image.Image) string {
	a, b := rgba(got), rgba(want)
	if a.Rect.Size() != b.Rect.Size() {
		return fmt.Sprintf("size %v, want %v", a.Rect.Size(), b.Rect.Size())
	}
	worst, sum := 0, 0
	var at image.Point
	for i := range a.Pix {
		d := int(a.Pix[i]) - int(b.Pix[i])
		d = max(d, -d)
		sum += d
		if d > worst {
			worst, at = d, image.Pt(i%a.Stride/4, i/a.Stride)
		}
	}
	if mean := float64(sum) / float64(max(len(a.Pix), 1)); worst > maxStep || mean > maxMean {
		return fmt.Sprintf("by up to %d levels at %v, %.3f in the mean", worst, at, mean)
	}
	return ""
}

// rgba copies a picture into one that begins at (0, 0).
func rgba(m image.Image) *image.RGBA {
	c := image.NewRGBA(image.Rectangle{Max: m.Bounds().Size()})
	draw.Draw(c, c.Rect, m, m.Bounds().Min, draw.Src)
	return c
}

// Picture fails the test when a picture is unlike the PNG file, which it rewrites before where update is set.
func Picture(t testing.TB, file string, got image.Image, update bool) {
	t.Helper()
	if update {
		var buf bytes.Buffer
		enc := png.Encoder{CompressionLevel: png.BestCompression}
		if err := enc.Encode(&buf, got); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, buf.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if diff := Unlike(got, want); diff != "" {
		t.Errorf("the picture is unlike %s %s; look at both, and rewrite it with -update", file, diff)
	}
}

// KnownPictures fails the test for each file of a pattern, as of filepath.Glob, that no test has compared.
func KnownPictures(t testing.TB, pattern string, known map[string]bool) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !known[file] {
			t.Errorf("%s belongs to no drawing", file)
		}
	}
}
