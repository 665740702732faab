package main

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

// wanted returns a named angle in each frame of the truth: in space, or in the picture if the reference tells no more; NaN where it
// is not known.
func wanted(truth *evalpose.Truth, j joint, side analyze.Side) ([]float64, error) {
	if truth.Angles3D != nil {
		return inSpace(truth, j.kind, j.space, side), nil
	}
	results, err := analyze.Run(truth.Parts, []analyze.Rule{{Type: j.kind, Side: side, Hidden: true}})
	if err != nil {
		return nil, err
	}
	want := make([]float64, truth.Parts.Len())
	for i, v := range results[0].Values {
		if want[i] = v.X; !v.Present {
			want[i] = math.NaN()
		}
	}
	return want, nil
}

// inSpace returns a named angle in space in each frame of the truth; NaN where it has no meaning: flexion of an
// limb that is held to the side, and the other way round.
func inSpace(truth *evalpose.Truth, kind analyze.Type, name string, side analyze.Side) []float64 {
	if name == "" {
		want := make([]float64, truth.Parts.Len())
		for i := range want {
			want[i] = middle(&truth.World[i], kind)
		}
		return want
	}
	prefix := ""
	if side != "" {
		prefix = string(side) + "_"
	}
	want := slices.Clone(truth.Angles3D[prefix+name])
	across := map[analyze.Type]string{analyze.ShoulderFlexion: "shoulder_abduction", analyze.ShoulderAbduction: "shoulder", analyze.HipAbduction: "hip"}[kind]
	for i := range want {
		if across != "" && math.Abs(truth.Angles3D[prefix+across][i]) > 60 {
			want[i] = math.NaN()
		}
	}
	return want
}

// vector is one in space: x to the right, y up, z towards the camera.
type vector [3]float64

func (v vector) dot(w vector) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

func (v vector) minus(w vector) vector { return vector{v[0] - w[0], v[1] - w[1], v[2] - w[2]} }

// times returns the cross product.
func (v vector) times(w vector) vector {
	return vector{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

// middle returns an angle of the middle of the body that the truth does not have, in degrees: pelvicTilt or neckFlexion.
func middle(w *evalpose.World, kind analyze.Type) float64 {
	between := func(from, to keypoint.Part) (v vector) { // from the middle of one pair to that of another
		for k := range v {
			v[k] = (w[to][k] + w[to.Mirror()][k] - w[from][k] - w[from.Mirror()][k]) / 2
		}
		return v
	}
	left := vector(w[keypoint.LeftHip]).minus(w[keypoint.RightHip])
	degrees := func(y, x float64) float64 { return math.Atan2(y, x) * 180 / math.Pi }
	if kind == analyze.PelvicTilt {
		return degrees(left[1], math.Hypot(left[0], left[2]))
	}
	trunk, neck := between(keypoint.LeftHip, keypoint.LeftShoulder), between(keypoint.LeftShoulder, keypoint.LeftEar)
	forward := left.times(trunk)
	if between(keypoint.LeftEar, keypoint.Nose).dot(forward) < 0 { // the picture is mirrored
		forward = vector{}.minus(forward)
	}
	return degrees(neck.dot(forward)/math.Sqrt(forward.dot(forward)), neck.dot(trunk)/math.Sqrt(trunk.dot(trunk)))
}
