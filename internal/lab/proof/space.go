package main

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
)

// valuesOf returns a named angle in each frame of a sequence, hidden or not.
func valuesOf(seq keypoint.Sequence, kind analyze.Type, side analyze.Side) ([]analyze.Value, error) {
	results, err := analyze.Run(seq, []analyze.Rule{{Type: kind, Side: side, Hidden: true}})
	if err != nil {
		return nil, err
	}
	return results[0].Values, nil
}

// wanted returns a named angle in each frame of the truth: in space, or in the picture if the reference tells no more; NaN where it
// is not known.
func wanted(truth *truth.Truth, j joint, side analyze.Side) ([]float64, error) {
	if truth.Angles3D != nil {
		return inSpace(truth, j.kind, j.space, side), nil
	}
	values, err := valuesOf(truth.Parts, j.kind, side)
	if err != nil {
		return nil, err
	}
	var bent []analyze.Value
	if j.kind == analyze.HipAbduction {
		if bent, err = valuesOf(truth.Parts, analyze.HipFlexion, side); err != nil {
			return nil, err
		}
	}
	want := make([]float64, truth.Parts.Len())
	for i, v := range values {
		if want[i] = v.X; !v.Present || bent != nil && math.Abs(bent[i].X) > across {
			want[i] = math.NaN()
		}
	}
	return want, nil
}

// across are the degrees in the other plane beyond which an angle has no meaning: abduction of a thigh that points forwards.
const across = 60

// inSpace returns a named angle in space in each frame of the truth; NaN where it has no meaning: flexion of an
// limb that is held to the side, and the other way round.
func inSpace(truth *truth.Truth, kind analyze.Type, name string, side analyze.Side) []float64 {
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
	other := map[analyze.Type]string{analyze.ShoulderFlexion: "shoulder_abduction", analyze.ShoulderAbduction: "shoulder", analyze.HipAbduction: "hip"}[kind]
	for i := range want {
		if other != "" && math.Abs(truth.Angles3D[prefix+other][i]) > across {
			want[i] = math.NaN()
		}
	}
	return want
}

// middle returns an angle of the middle of the body that the truth does not have, in degrees: pelvicTilt or neckFlexion.
func middle(w *truth.World, kind analyze.Type) float64 {
	between := func(from, to keypoint.Part) keypoint.Position { return w.Middle(to).Sub(w.Middle(from)) }
	left := w[keypoint.LeftHip].Sub(w[keypoint.RightHip])
	degrees := func(y, x float64) float64 { return math.Atan2(y, x) * 180 / math.Pi }
	if kind == analyze.PelvicTilt {
		return degrees(left[1], math.Hypot(left[0], left[2]))
	}
	trunk, neck := between(keypoint.LeftHip, keypoint.LeftShoulder), between(keypoint.LeftShoulder, keypoint.LeftEar)
	forward := left.Cross(trunk)
	if between(keypoint.LeftEar, keypoint.Nose).Dot(forward) < 0 { // the picture is mirrored
		forward = forward.Mul(-1)
	}
	return degrees(neck.Dot(forward)/forward.Len(), neck.Dot(trunk)/trunk.Len())
}
