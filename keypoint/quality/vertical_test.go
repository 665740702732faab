package quality_test

import (
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// filmed returns somebody who stands for a second at each of the places, metres to the right of the middle of a picture, as seen from
// four metres away and from so many metres above the hips by a camera that looks down.
func filmed(pitch, above float64, places ...float64) (seq keypoint.Sequence, camera keypoint.Camera) {
	sin, cos := math.Sincos(pitch * math.Pi / 180)
	camera = keypoint.Camera{Focal: quality.UsualFocal * 1920, Size: image.Pt(1920, 1080)}
	camera.Rotation = mgl64.Mat3FromRows(mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, -cos, -sin}, mgl64.Vec3{0, -sin, cos})
	camera.Translation = camera.Rotation.Mul3x1(keypoint.Position{0, above, -4}).Mul(-1)
	seq.Size = camera.Size
	for i := range 30 * len(places) {
		var f keypoint.Frame
		for part, at := range map[keypoint.Part]keypoint.Position{
			keypoint.LeftShoulder: {.02, .5, .17}, keypoint.LeftHip: {0, 0, .1}, keypoint.LeftKnee: {0, -.43, .1}, keypoint.LeftAnkle: {0, -.86, .1},
		} {
			at[0] += places[i/30]
			for _, p := range []keypoint.Part{part, part.Mirror()} {
				at[2] *= -1
				if pixel, ok := camera.Project(at); ok {
					f.Set(p, pixel, .9)
				}
			}
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(i)/30)
	}
	return seq, camera
}

// trueVertical returns by how many degrees a vertical at a place leans to the right in the picture.
func trueVertical(c keypoint.Camera, x float64) float64 {
	low, _ := c.Project(keypoint.Position{x, 0, 0})
	high, _ := c.Project(keypoint.Position{x, .5, 0})
	return math.Atan2(high[0]-low[0], low[1]-high[1]) * 180 / math.Pi
}

func TestVertical(t *testing.T) {
	aside := []float64{-1.5, -1, -.5, 0, .5, 1, 1.5, -1.2, -.7, .7, 1.2, 1.5}
	for _, pitch := range []float64{20, 0, -12} {
		seq, camera := filmed(pitch, 4*math.Tan(pitch*math.Pi/180), aside...)
		u := quality.NewUncertainty(seq)
		for k, x := range aside {
			got, spread := u.Vertical(30 * k)
			if want := trueVertical(camera, x); math.Abs(got-want) > 2*spread+.5 || math.Abs(got-want) > 2.5 {
				t.Errorf("pitch %v, %v m aside: %v ± %v, want %v", pitch, x, got, spread, want)
			}
		}
	}

	// One place tells nothing; a given pitch does.
	seq, camera := filmed(20, 4*math.Tan(20*math.Pi/180), 1.5)
	want := trueVertical(camera, 1.5)
	guess, unsure := quality.NewUncertainty(seq).Vertical(0)
	pitch := 20.0
	var err error
	if seq.World, err = seq.Calibrate(keypoint.Calibration{CameraPitch: &pitch}); err != nil {
		t.Fatal(err)
	}
	got, spread := quality.NewUncertainty(seq).Vertical(0)
	if math.Abs(got-want) > 1 || spread > 2.5 || math.Abs(guess-want) < 2 || unsure < 1.5*spread || math.Abs(guess-want) > 2*unsure {
		t.Errorf("%v ± %v, want %v; without the pitch %v ± %v", got, spread, want, guess, unsure)
	}
	if seq.Size = (image.Point{}); quality.NewUncertainty(seq).Torso(0) == 0 {
		t.Fatal("there is no body")
	}
	if got, spread := quality.NewUncertainty(seq).Vertical(0); got != 0 || spread != 0 {
		t.Errorf("without the size of the picture: %v ± %v", got, spread)
	}
}
