package main

import (
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint/quality"
)

type joint struct {
	kind  analyze.Type
	space string
	plane quality.Plane
}

// joints are the named angles with the name of the truth in space (Truth.Angles3D, after the side); those
// without one are computed from the parts in space.
var joints = []joint{
	{analyze.KneeFlexion, "knee", quality.Sagittal}, {analyze.HipFlexion, "hip", quality.Sagittal},
	{analyze.AnkleDorsiflexion, "ankle", quality.Sagittal}, {analyze.ElbowFlexion, "elbow", quality.Sagittal},
	{analyze.ShoulderFlexion, "shoulder", quality.Sagittal}, {analyze.TrunkLean, "trunk_forward", quality.Sagittal},
	{analyze.NeckFlexion, "", quality.Sagittal},
	{analyze.ShoulderAbduction, "shoulder_abduction", quality.Frontal}, {analyze.PelvicTilt, "", quality.Frontal},
	{analyze.HipAbduction, "hip_abduction", quality.Frontal}, {analyze.TrunkSideLean, "trunk_side", quality.Frontal},
}

// sidesOf returns the sides of a named angle.
func sidesOf(kind analyze.Type) []analyze.Side {
	if kind.Sided() {
		return []analyze.Side{analyze.LeftSide, analyze.RightSide}
	}
	return []analyze.Side{""}
}

// angles returns the errors of the named angles, of the side near to the camera and of the far one,
// against the same angle of the true keypoints in the picture and against the angle in space; of several cameras from any view and
// only against that, of left and right.
func angles(r recording) (samples []sample, err error) {
	several := r.Space.Seen()
	for _, j := range joints {
		errors := map[string][]float64{}
		for _, side := range sidesOf(j.kind) {
			found, err := valuesOf(r.Sequence, j.kind, side)
			if err != nil {
				return nil, err
			}
			truth, err := valuesOf(r.truth.Parts, j.kind, side)
			if err != nil {
				return nil, err
			}
			space := inSpace(r.truth, j.kind, j.space, side)
			for _, p := range r.pairs {
				got, want := found[p.Result], truth[p.Reference]
				if !got.Present || r.truth.Inside[p.Reference] < 0.9 || !several && (!want.Present || !suits(r.truth.View[p.Reference], j.plane)) {
					continue
				}
				where := ""
				if several && side != "" {
					where = ", " + string(side)
				} else if side != "" && j.plane == quality.Sagittal {
					where = ", far side"
					if (r.truth.View[p.Reference] > 0) == (side == analyze.LeftSide) {
						where = ", near side"
					}
				}
				if !r.exact && !several {
					errors[where+", in the picture"] = append(errors[where+", in the picture"], math.Remainder(got.X-want.X, 360))
				}
				if !math.IsNaN(space[p.Reference]) {
					errors[where+", in space"] = append(errors[where+", in space"], math.Remainder(got.X-space[p.Reference], 360))
				}
			}
		}
		for _, where := range []string{", near side", ", far side", ", left", ", right", ""} {
			for _, truth := range []string{", in the picture", ", in space"} {
				samples = append(samples, sample{what: string(j.kind) + where + truth, errors: errors[where+truth]})
			}
		}
	}
	return samples, nil
}

// suits reports whether a true view is one for which an angle of the plane is claimed: 55 to 125 degrees for the
// sagittal plane, up to 35 or from 145 for the frontal one.
func suits(view float64, plane quality.Plane) bool {
	off := min(math.Abs(view), 180-math.Abs(view))
	return off >= 55 == (plane == quality.Sagittal) && (plane == quality.Sagittal || off <= 35)
}
