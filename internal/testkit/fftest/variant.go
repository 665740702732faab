package fftest

import (
	"image"
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// checkVariant checks the headers and the frames of a variant of the clip of 65 frames, 270×480, 5 a
// second.
func checkVariant(t *testing.T, name string, info inference.Info, seq keypoint.Sequence) {
	if info.Frames != seq.Len() || info.Size != seq.Size {
		t.Errorf("the headers say %+v, decoded are %d frames of %v", info, seq.Len(), seq.Size)
	}
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
	case name == "interlaced.mp4", strings.HasPrefix(name, "black"), strings.HasPrefix(name, "testsrc"):
		return // decoded, which is all that is known of them
	}
	if seq.Size != size || seq.Len() != count {
		t.Errorf("%d frames of %v, want %d of %v", seq.Len(), seq.Size, count, size)
	}
	time := func(i int) float64 {
		if name == "vfr.mp4" {
			return float64(i)*step + 0.05*float64(i%3)
		}
		return float64(i) * step
	}
	for i, at := range seq.Times {
		if want := time(i); math.Abs(at-want) > 0.002 {
			t.Errorf("frame %d is at %v s, want %v", i, at, want)
			break
		}
	}
	if want := time(count-1) + step; math.Abs(info.Duration-want) > 0.002 {
		t.Errorf("%v s, want %v", info.Duration, want)
	}
	if name != "vfr.mp4" && math.Abs(info.FrameRate*step-1) > 1e-6 {
		t.Errorf("%v frames a second, want %v", info.FrameRate, 1/step)
	}
}
