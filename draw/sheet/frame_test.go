package sheet_test

import (
	"errors"
	"fmt"
	"image/color"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/sheet"
	"github.com/bodymotion/motion/keypoint"
)

func ExampleFrame() {
	seq := waving(50)
	m, err := sheet.Frame(seq.Frames[20], nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(max(m.Rect.Dx(), m.Rect.Dy()))
	// Output: 240
}

// TestFrame: the whole person is in the picture, wherever they stand.
func TestFrame(t *testing.T) {
	for _, corner := range []keypoint.Point{{0, 0}, {-5000, 300}} {
		var f keypoint.Frame
		f.Set(keypoint.LeftWrist, corner, 1)
		f.Set(keypoint.RightAnkle, corner.Add(keypoint.Point{100, 200}), 1)
		m, err := sheet.Frame(f, []draw.Rule{{Type: "keypoint", Color: draw.Red}})
		if err != nil {
			t.Fatal(err)
		}
		if m.Rect.Dy() != 240 {
			t.Errorf("%v: %v, want a height of 240", corner, m.Rect)
		}
		// A whole dot of 4 pixels has 4 pixels that are fully red, each in its own half.
		for half, from := range []int{0, 120} {
			red := 0
			for y := from; y < from+120; y++ {
				for x := range m.Rect.Dx() {
					if m.RGBAAt(x, y) == (color.RGBA{255, 0, 0, 255}) {
						red++
					}
				}
			}
			if red < 4 {
				t.Errorf("%v: %d red pixels in half %d", corner, red, half)
			}
		}
	}
}

// TestFrameErrors: frames that cannot be drawn are errors.
func TestFrameErrors(t *testing.T) {
	if _, err := sheet.Frame(keypoint.Frame{}, nil); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("no keypoints: %v", err)
	}
	var far keypoint.Frame
	far.Set(keypoint.LeftWrist, keypoint.Point{0, 0}, 1)
	far.Set(keypoint.RightAnkle, keypoint.Point{1e12, 0}, 1)
	if _, err := sheet.Frame(far, nil); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("far apart: %v", err)
	}
	var rules keypoint.FieldErrors
	if _, err := sheet.Frame(waving(5).Frames[0], []draw.Rule{{Type: "dance"}}); !errors.As(err, &rules) {
		t.Errorf("an unknown type of rule: %v", err)
	}
}
