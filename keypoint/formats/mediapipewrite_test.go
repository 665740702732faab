package formats_test

import (
	"bytes"
	"image"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// TestMediaPipeRoundTrip: what is written is read back, up to the rounding of a division.
func TestMediaPipeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := image.Pt(rapid.IntRange(17, 4000).Draw(t, "width"), rapid.IntRange(17, 4000).Draw(t, "height"))
		want := keypoint.Sequence{Frames: make([]keypoint.Frame, rapid.IntRange(0, 3).Draw(t, "frames")), Size: size}
		for i := range want.Frames {
			for _, p := range (keypoint.All &^ (1<<keypoint.LeftSmallToe | 1<<keypoint.RightSmallToe)).List() {
				if rapid.Bool().Draw(t, "present") {
					at := keypoint.Point{rapid.Float64Range(0.5, float64(size.X)).Draw(t, "x"), rapid.Float64Range(0.5, float64(size.Y)).Draw(t, "y")}
					want.Frames[i].Set(p, at, rapid.Float64Range(0, 1).Draw(t, "confidence"))
				}
			}
		}
		text := written(t, func(b *bytes.Buffer) error { return formats.Write(b, "mediapipe", want) })
		got, err := formats.ReadLandmarks(strings.NewReader(text), true, formats.Options{Size: size})
		if err != nil {
			t.Fatal(err, text)
		}
		if got.Len() != want.Len() {
			t.Fatalf("%d frames, want %d", got.Len(), want.Len())
		}
		for i := range want.Frames {
			if got.Frames[i].Present() != want.Frames[i].Present() {
				t.Fatalf("frame %d: %v, want %v", i, got.Frames[i].Present(), want.Frames[i].Present())
			}
			for _, p := range want.Frames[i].Present().List() {
				a, _ := want.Frames[i].At(p)
				if b, _ := got.Frames[i].At(p); a.Sub(b).Len() > 1e-9 || got.Frames[i].Confidence(p) != want.Frames[i].Confidence(p) {
					t.Fatalf("frame %d: %v at %v, want %v", i, p, b, a)
				}
			}
		}
	})
}

func TestMediaPipeText(t *testing.T) {
	absent := strings.Repeat(`,{"x":0,"y":0,"z":0,"visibility":0}`, 9)
	got := written(t, func(b *bytes.Buffer) error { return formats.Write(b, "mediapipe", short()) })
	if want := `[` + "\n" + `[{"x":0.4959375,"y":0.18358333333333335,"z":0,"visibility":0.91}` + absent; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "]\n]\n") {
		t.Errorf("%s\nwant %s…", got, want)
	}
	seq := short()
	seq.Size = image.Point{}
	wrongs(t, func(string) error { return formats.Write(io.Discard, "mediapipe", seq) }, map[string][2]string{"size": {"", "want the size of the picture"}})
}
