package main

import (
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// limbs are the parts of the bending joints of the left side.
var limbs = map[analyze.Type][3]keypoint.Part{
	analyze.KneeFlexion:  {keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle},
	analyze.ElbowFlexion: {keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist},
}

// limbOf returns the parts of an elbow or a knee.
func limbOf(s series) (limb [3]keypoint.Part, ok bool) {
	if limb, ok = limbs[s.kind]; s.side == analyze.RightSide {
		limb = [3]keypoint.Part{limb[0].Mirror(), limb[1].Mirror(), limb[2].Mirror()}
	}
	return limb, ok
}

// hidden counts the frames in which a part of an elbow or a knee is hidden and the angle of what is found is off by more
// than 30 degrees, and those in which all its parts are visible.
func (l *ledger) hidden(r recording, s series) {
	limb, ok := limbOf(s)
	if !ok {
		return
	}
	parts := keypoint.PartsOf(limb[:]...)
	hidden := quality.Hidden(r.Sequence)
	for _, x := range s.readings {
		found := &r.Frames[x.frame]
		angle, ok := found.Angle(limb[0], limb[1], limb[2])
		switch visible := r.truth.Visible[x.truth]&parts == parts; {
		case visible:
			l.count("visible elbows and knees withheld", hidden[x.frame]&parts != 0)
		case ok && math.Abs(180-angle-x.want) > 30:
			l.count("hidden elbows and knees off by more than 30° withheld", !x.told())
		}
	}
}
