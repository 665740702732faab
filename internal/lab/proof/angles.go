package main

import (
	"math"

	"github.com/bodymotion/motion/analyze"
)

// joints are the named angles with the truth that they are compared with: the angle in space.
var joints = []struct {
	kind analyze.Type
	name string // of Truth.Angles3D, after the side
}{
	{analyze.KneeFlexion, "knee"}, {analyze.HipFlexion, "hip"}, {analyze.AnkleDorsiflexion, "ankle"},
	{analyze.ElbowFlexion, "elbow"}, {analyze.ShoulderFlexion, "shoulder"}, {analyze.ShoulderAbduction, "shoulder_abduction"},
	{analyze.TrunkLean, "trunk_forward"},
}

// angles returns the errors of the named angles against those in space.
func angles(r recording) (samples []sample, err error) {
	for _, j := range joints {
		sides := []analyze.Side{""}
		if j.kind.Sided() {
			sides = []analyze.Side{analyze.LeftSide, analyze.RightSide}
		}
		for _, side := range sides {
			name, what := j.name, string(j.kind)
			if side != "" {
				name, what = string(side)+"_"+name, what+" "+string(side)
			}
			results, err := analyze.Run(r.Sequence, []analyze.Rule{{Type: j.kind, Side: side}})
			if err != nil {
				return nil, err
			}
			s := sample{what: what}
			for _, p := range r.pairs {
				if v := results[0].Values[p.Result]; v.Present && r.truth.Inside[p.Reference] > 0.9 {
					s.errors = append(s.errors, math.Remainder(v.X-r.truth.Angles3D[name][p.Reference], 360))
				}
			}
			samples = append(samples, s)
		}
	}
	return samples, nil
}
