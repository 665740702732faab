package keypoint_test

import (
	"encoding/json"
	"image"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/keypoint"
)

func TestPositions(t *testing.T) {
	var places keypoint.Positions
	places.Set(keypoint.LeftKnee, keypoint.Position{1, 2, 3}, 0.01)
	places.Set(keypoint.Nose, keypoint.Position{0, 0, -1}, 0)
	var f keypoint.Frame
	f.Set(keypoint.LeftKnee, keypoint.Point{3, 4}, 1)
	f.SetPositions(&places)

	copied := f
	f.Exchange(keypoint.LeftKnee)
	if at, ok := f.Positions().At(keypoint.RightKnee); !ok || at != (keypoint.Position{1, 2, 3}) || f.Positions().Error(keypoint.RightKnee) != 0.01 {
		t.Errorf("the right knee is at %v, %v", at, ok)
	}
	if _, ok := copied.Positions().At(keypoint.LeftKnee); !ok {
		t.Error("exchanging the sides of a frame has changed a copy of it")
	}
	only := copied.Only(keypoint.PartsOf(keypoint.LeftKnee))
	if got := only.Positions().Present(); got != keypoint.PartsOf(keypoint.LeftKnee) {
		t.Errorf("only the left knee: %v", got.List())
	}
}

func TestSpaceJSON(t *testing.T) {
	camera := keypoint.Camera{Offset: -0.5, Focal: 1000, Rotation: mgl64.Rotate3DY(0.5), Translation: keypoint.Position{0, 1, 3}, Size: image.Pt(1280, 720)}
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 0.1},
		Space: &keypoint.Space{Unit: keypoint.Metres, Residual: 3, Angle: 80, Cameras: []keypoint.Camera{camera}}}
	var places keypoint.Positions
	places.Set(keypoint.LeftKnee, keypoint.Position{1, 2, 3}, 0.01)
	seq.Frames[1].SetPositions(&places)
	data, err := json.Marshal(seq)
	if err != nil {
		t.Fatal(err)
	}
	var back keypoint.Sequence
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(seq.Space, back.Space); diff != "" {
		t.Error(diff)
	}
	if at, ok := back.Frames[1].Positions().At(keypoint.LeftKnee); !ok || at != (keypoint.Position{1, 2, 3}) || back.Frames[0].Positions().Present() != 0 {
		t.Errorf("read back: %v, %v from %s", at, ok, data)
	}
}

// A camera sees where it stands as the middle of another camera that looks at it, and nothing behind itself.
func TestCamera(t *testing.T) {
	c := keypoint.Camera{Focal: 1000, Rotation: mgl64.Rotate3DX(3.141592653589793), Translation: keypoint.Position{0, 1, 3}, Size: image.Pt(1280, 720)}
	if eye := c.Eye(); eye.Sub(keypoint.Position{0, 1, 3}).Len() > 1e-9 {
		t.Errorf("the eye is at %v", eye)
	}
	if pt, ok := c.Project(keypoint.Position{0, 1, 0}); !ok || pt.Sub(keypoint.Point{640, 360}).Len() > 1e-9 {
		t.Errorf("straight ahead is seen at %v, %v", pt, ok)
	}
	if pt, ok := c.Project(keypoint.Position{0, 2, 0}); !ok || pt[1] >= 360 {
		t.Errorf("what is higher is seen at %v, %v", pt, ok)
	}
	if _, ok := c.Project(keypoint.Position{0, 1, 4}); ok {
		t.Error("the camera sees behind itself")
	}
}
