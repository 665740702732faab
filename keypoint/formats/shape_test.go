package formats_test

import (
	"bytes"
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint/formats"
)

// TestMediaPipeShape gives normalised landmarks of rendered people the size of their picture, which is taken, and that with
// width and height exchanged, which turns and bends the limbs.
func TestMediaPipeShape(t *testing.T) {
	silent := []string{"run_treadmill_90"} // made narrower, the person is as broad as people are
	for _, name := range testkit.RenderedNames(t) {
		seq := testkit.Rendered(t, name).Seq
		size := seq.Size
		if size.X == size.Y {
			continue
		}
		var text bytes.Buffer
		if err := formats.Write(&text, "mediapipe", seq); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			size image.Point
			want string
		}{{size, ""}, {image.Pt(size.Y, size.X), "give the size of the picture as it is shown"}} {
			_, err := formats.ReadLandmarks(bytes.NewReader(text.Bytes()), true, formats.Options{Size: c.size})
			wrong := c.want != "" && !slices.Contains(silent, name)
			if (err != nil) != wrong || wrong && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s in a picture of %v: %v", name, c.size, err)
			}
		}
	}
}
