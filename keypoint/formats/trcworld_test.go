package formats_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// TestTRCWorld: a sequence with a scale is written in metres along its floor, Y up, from its origin.
func TestTRCWorld(t *testing.T) {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 0.04}}
	seq.World = keypoint.World{MetresPerPixel: 0.005, Floor: 90, Origin: keypoint.Point{320, 460}}
	seq.Frames[0].Set(keypoint.RightHip, keypoint.Point{120, 260}, 1) // 200 to the left, 200 above
	write := func() (text string, at keypoint.Point) {
		var b bytes.Buffer
		if err := formats.Write(&b, "trc", seq); err != nil {
			t.Fatal(err)
		}
		text = b.String()
		back, err := formats.ReadAs(strings.NewReader(text), "trc", formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at, _ = back.Frames[0].At(keypoint.RightHip)
		return text, at
	}
	// The floor rises straight up the picture: what is above lies to the right, what is to the left is up.
	text, at := write()
	if !strings.Contains(text, "\tm\t") || at.Sub(keypoint.Point{1000, -1000}).Len() > 1e-9 {
		t.Errorf("%v in\n%s", at, text)
	}
	seq.World = keypoint.World{Floor: 3}
	if text, at = write(); !strings.Contains(text, "\tpx\t") || at != (keypoint.Point{120, 260}) {
		t.Errorf("%v in\n%s", at, text)
	}
}
