package main

import (
	"math"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

// placed are joints by the left one, with the end of a line through it: towards the body along the limb, or upwards along the
// trunk if it is the joint itself.
var placed = []struct {
	name        string
	joint, line keypoint.Part
}{
	{"shoulder", keypoint.LeftShoulder, keypoint.LeftShoulder}, {"elbow", keypoint.LeftElbow, keypoint.LeftShoulder},
	{"hip", keypoint.LeftHip, keypoint.LeftHip}, {"knee", keypoint.LeftKnee, keypoint.LeftHip}, {"ankle", keypoint.LeftAnkle, keypoint.LeftKnee},
}

const (
	stray    = 0.35 // torso lengths from the joint at which a point is elsewhere
	shortest = 0.3  // torso lengths of a limb that shows its direction
)

// offsets returns by how much joints lie off their centres, in thousandths of the torso's length: along, towards the body
// or upwards; and across, from the front and from behind outwards, else forwards.
func offsets(r recording) (samples []sample, err error) {
	all := map[string][]float64{}
	var order []string
	for _, p := range r.pairs {
		truth, view := &r.truth.Parts.Frames[p.Reference], r.truth.View[p.Reference]
		trunk, ok := trunkOf(truth)
		if !ok || r.truth.Inside[p.Reference] < 0.95 {
			continue
		}
		torso := torsoOf(&r.truth.World[p.Reference]) / r.truth.Scale[p.Reference]
		for _, j := range placed {
			for _, left := range []bool{true, false} {
				joint, line := j.joint, j.line
				if !left {
					joint, line = joint.Mirror(), line.Mirror()
				}
				want, okWant := truth.At(joint)
				other, okOther := truth.At(joint.Mirror())
				got, okGot := r.Frames[p.Result].At(joint)
				end, okEnd := truth.At(line)
				off := got.Sub(want).Mul(1 / torso)
				if !okWant || !okOther || !okGot || !okEnd || off.Len() > stray {
					continue
				}
				along := trunk
				if line != joint {
					along = end.Sub(want)
					if along.Len() < shortest*torso {
						continue
					}
				}
				along = along.Mul(1 / along.Len())
				across := keypoint.Point{-along[1], along[0]}
				name, outwards := seenFrom(view, left)
				aside := keypoint.Point{math.Copysign(1, -view), 0} // forwards: who has the camera at the left faces the left
				if outwards {
					aside = want.Sub(other)
				}
				if across.Dot(aside) < 0 {
					across = across.Mul(-1)
				}
				for what, v := range map[string]float64{", along": off.Dot(along), ", across": off.Dot(across)} {
					all[j.name+", "+name+what] = append(all[j.name+", "+name+what], 1000*v)
				}
			}
		}
	}
	for _, j := range placed {
		for _, name := range viewNames {
			order = append(order, j.name+", "+name+", along", j.name+", "+name+", across")
		}
	}
	for _, what := range order {
		samples = append(samples, sample{what: what, errors: all[what]})
	}
	return samples, nil
}

// viewNames are the names of views, of seenFrom.
var viewNames = []string{
	"front", "oblique, near", "oblique, far", "side, near", "side, far", "oblique behind, near", "oblique behind, far", "behind",
}

// seenFrom returns the name of the view of a left or right joint, and whether it is from the front or from behind.
func seenFrom(view float64, left bool) (name string, plain bool) {
	switch a := math.Abs(view); {
	case a < 25:
		return "front", true
	case a > 155:
		return "behind", true
	case a < 60:
		name = "oblique"
	case a <= 120:
		name = "side"
	default:
		name = "oblique behind"
	}
	if (view > 0) == left {
		return name + ", near", false
	}
	return name + ", far", false
}

// trunkOf returns the trunk in the picture, from the middle of the hips to that of the shoulders.
func trunkOf(f *keypoint.Frame) (v keypoint.Point, ok bool) {
	hips, okHips := keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip).At(f)
	shoulders, okShoulders := keypoint.MidpointSelector(keypoint.LeftShoulder, keypoint.RightShoulder).At(f)
	return shoulders.Sub(hips), okHips && okShoulders
}

// torsoOf returns the length of the trunk in metres.
func torsoOf(w *evalpose.World) float64 {
	sum := 0.0
	for k := range 3 {
		d := (w[keypoint.LeftShoulder][k] + w[keypoint.RightShoulder][k] - w[keypoint.LeftHip][k] - w[keypoint.RightHip][k]) / 2
		sum += d * d
	}
	return math.Sqrt(sum)
}
