package main

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// measured are the bones of the left side whose lengths are measured, of both sides.
var measured = [][2]keypoint.Part{{keypoint.LeftHip, keypoint.LeftKnee}, {keypoint.LeftKnee, keypoint.LeftAnkle}, {keypoint.LeftShoulder, keypoint.LeftElbow}}

// bones returns by how much places in metres are off: the lengths of bones and how far the hips sink in per cent, the vertical in degrees,
// and the height of the floor in millimetres.
func bones(r recording) ([]sample, error) {
	var lengths, found, want []float64
	var from, to []keypoint.Position
	for _, pair := range r.pairs {
		s, w := r.Frames[pair.Result].Positions(), &r.truth.World[pair.Reference]
		for _, b := range measured {
			for _, side := range []func(keypoint.Part) keypoint.Part{func(p keypoint.Part) keypoint.Part { return p }, keypoint.Part.Mirror} {
				p, q := side(b[0]), side(b[1])
				x, okX := s.At(p)
				y, okY := s.At(q)
				if !okX || !okY {
					continue
				}
				lengths = append(lengths, x.Sub(y).Len()/w[p].Sub(w[q]).Len())
				from, to = append(from, x, y), append(to, w[p], w[q])
			}
		}
		left, okL := s.At(keypoint.LeftHip)
		right, okR := s.At(keypoint.RightHip)
		if okL && okR {
			found, want = append(found, (left[1]+right[1])/2), append(want, w.Middle(keypoint.LeftHip)[1])
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	turn, move := rigid(from, to)
	up := mgl64.Vec3{0, 1, 0}
	one := func(what string, off float64) sample { return sample{what: what, errors: []float64{off}} }
	list := []sample{
		one("lengths of bones", 100*(rank.Median(lengths)-1)), one("vertical", math.Acos(min(turn.Mul3x1(up).Dot(up), 1))*180/math.Pi), one("floor", 1000*move[1]),
	}
	spread := func(v []float64) float64 {
		v = slices.Sorted(slices.Values(v))
		return rank.Percentile(v, 0.98) - rank.Percentile(v, 0.02)
	}
	if drop := spread(want); drop > 0.2 {
		list = append(list, one("hips' drop", 100*(spread(found)/drop-1)))
	}
	return list, nil
}
