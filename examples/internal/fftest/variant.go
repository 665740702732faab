package fftest

import (
	"image"
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/keypoint"
)

// checkVariant checks a variant of the clip of 65 frames, 270×480, 5 a second.
func checkVariant(t *testing.T, name string, seq keypoint.Sequence) {
	size, count, step := image.Pt(270, 480), 65, 0.2
	switch {
	case name == "odd_size.mp4":
		size = image.Pt(271, 479)
	case name == "one_frame.mp4":
		count = 1
	case name == "two_frames.mp4":
		count = 2
	case name == "fps_120.mp4":
		step = 1.0 / 120
	case name == "fps_ntsc.mp4":
		step = 1001.0 / 30000
	case name == "gif.gif", name == "interlaced.mp4", strings.HasPrefix(name, "black"), strings.HasPrefix(name, "testsrc"):
		return // decoded, which is all that is known of them
	}
	if seq.Size != size || seq.Len() != count {
		t.Errorf("%d frames of %v, want %d of %v", seq.Len(), seq.Size, count, size)
	}
	for i, at := range seq.Times {
		want := float64(i) * step
		if name == "vfr.mp4" {
			want += 0.05 * float64(i%3)
		}
		if math.Abs(at-want) > 0.002 {
			t.Errorf("frame %d is at %v s, want %v", i, at, want)
			break
		}
	}
}
