package sheet_test

import (
	"errors"
	"image"
	"testing"

	"github.com/bodymotion/motion/draw/sheet"
	"github.com/bodymotion/motion/keypoint"
)

// TestNil: nil pictures and empty frames are errors; without a Picture, the cells are plain.
func TestNil(t *testing.T) {
	var f keypoint.Frame
	f.Set(keypoint.Nose, keypoint.Point{20, 20}, 1)
	seq := keypoint.Sequence{Frames: []keypoint.Frame{f, {}}, Size: image.Pt(40, 30)}
	none := func(int) (image.Image, error) { return nil, nil }
	if _, err := sheet.Draw(seq, none, sheet.Options{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("nil pictures: %v", err)
	}
	if _, err := sheet.Draw(keypoint.Sequence{}, nil, sheet.Options{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("no frames: %v", err)
	}
	if _, err := sheet.Frame(keypoint.Frame{}, nil); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("an empty frame: %v", err)
	}
	if img, err := sheet.Draw(seq, nil, sheet.Options{}); err != nil || img.Rect.Empty() {
		t.Errorf("without pictures: %v", err)
	}
}
