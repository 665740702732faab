package score

import (
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
)

// Angle is an angle of a joint in the picture, under the name that truth.Truth.Angles2D has for it.
type Angle struct {
	Name         string
	From, At, To keypoint.Part
}

// Angles returns the angles of knees, hips, elbows and shoulders: hip-knee-ankle, shoulder-hip-knee,
// shoulder-elbow-wrist and hip-shoulder-elbow.
func Angles() []Angle {
	var all []Angle
	for _, a := range []Angle{
		{"knee", keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle},
		{"hip", keypoint.LeftShoulder, keypoint.LeftHip, keypoint.LeftKnee},
		{"elbow", keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist},
		{"shoulder", keypoint.LeftHip, keypoint.LeftShoulder, keypoint.LeftElbow},
	} {
		all = append(all, Angle{"left_" + a.Name, a.From, a.At, a.To},
			Angle{"right_" + a.Name, a.From.Mirror(), a.At.Mirror(), a.To.Mirror()})
	}
	return all
}

// AngleErrors returns the errors of an angle in degrees, found minus truth, over the paired frames in which
// the result has the angle and the person is in the picture.
func AngleErrors(t *truth.Truth, found keypoint.Sequence, matched []Pair, a Angle) (errors Values) {
	want := t.Angles2D[a.Name]
	for _, m := range matched {
		if want == nil || t.Inside[m.Reference] == 0 {
			continue
		}
		if got, ok := found.Frames[m.Result].Angle(a.From, a.At, a.To); ok {
			errors = errors.add(got - want[m.Reference])
		}
	}
	return errors
}
