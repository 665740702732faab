package space_test

import (
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// TestSides exchanges left and right of some parts in one view for a while: the places stay, and the picture of the first view is
// put right.
func TestSides(t *testing.T) {
	a, b := sample.Camera(mgl64.Vec3{0, 1, 5}, mgl64.Vec3{0, 1, 0}, 900), sample.Camera(mgl64.Vec3{4.9, 1.1, 1}, mgl64.Vec3{0, 1, 0}, 950)
	cameras := []keypoint.Camera{a, b}
	views := []keypoint.Sequence{sample.Film(a, 150), sample.Film(b, 150)}
	want, err := space.Triangulate(views, cameras, 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, parts := range map[string][]keypoint.Part{
		"legs":   {keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle},
		"knees":  {keypoint.LeftKnee},
		"arms":   {keypoint.LeftElbow, keypoint.LeftWrist},
		"nobody": nil,
	} {
		for view := range 2 {
			wrong := slices.Clone(views)
			wrong[view] = views[view].Clone()
			for i := 60; i < 90; i++ {
				for _, p := range parts {
					wrong[view].Frames[i].Exchange(p)
				}
			}
			got, err := space.Triangulate(wrong, cameras, 0)
			if err != nil {
				t.Fatal(err)
			}
			far := 0
			for i := range got.Frames {
				for p := range keypoint.Part(keypoint.NumBody) {
					x, _ := got.Frames[i].Positions().At(p)
					y, _ := want.Frames[i].Positions().At(p)
					if x.Sub(y).Len() > 0.1 { // torso lengths
						far++
					}
				}
			}
			if len(parts) > 0 {
				p := parts[len(parts)-1]
				x, _ := got.Frames[75].At(p)
				if y, _ := views[0].Frames[75].At(p); x != y {
					t.Errorf("%s in view %d: the picture has %v at %v, want %v", name, view, p, x, y)
				}
			}
			if far > 8*len(parts) { // of 60: where both lie behind each other nothing tells them apart
				t.Errorf("%s in view %d: %d places are elsewhere", name, view, far)
			}
		}
	}
}
