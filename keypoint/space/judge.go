package space

import (
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// What two recordings of one person must have in common. Measured on 24 rendered pairs of the same movement, and on 230 of others; the
// correlation, how far lines of sight may miss each other, and the focal lengths on recorded people.
const (
	leastMovement = 0.25  // torso lengths a second, of all limbs: somebody who stands has 0.1, curls 0.7
	leastSure     = 0.35  // correlation of the speeds: same 0.35 to 0.98, others mostly below
	leastCommon   = 0.65  // share of the shorter recording
	mostAlike     = 0.05  // how far the two pictures of a body differ by more than their size: same camera 0, 10° apart 0.07
	mostOff       = 1.4   // standard deviations by which lines of sight miss each other, 90th percentile of the moments, by 1 less the correlation: others 2 and more
	mostStretch   = 0.017 // median change of a bone's length: same 0.002 to 0.014
	leastFocal    = 0.68  // by how much focal lengths differ from what is expected: same 0.8 to 1.2
	mostFocal     = 1.45
)

const notSameDetail = "The recordings do not show the same movement of the same person%s. Choose the recordings of two phones that filmed it at the same time."

// together returns when the second recording began, as synced, if both show the same movement.
func together(v, w *track) (offset, sure float64, err error) {
	if offset, sure, err = synced(v, w); err != nil {
		return 0, 0, err
	}
	still := 0
	for _, one := range []*track{v, w} {
		if one.movement() < leastMovement {
			still++
		}
	}
	from := max(v.first(), w.first()+offset)
	common := min(v.last(), w.last()+offset) - from
	short := common < max(leastCommon*min(v.last()-v.first(), w.last()-w.first()), leastOverlap)
	switch {
	case still == 2:
		return 0, 0, refuse(standsStill, "The person moves too little to tell where the phones stand. Let them walk a circle first.")
	case still == 1:
		return 0, 0, refuse(notSame, notSameDetail, ": in one of them, somebody stands still")
	case sure < leastSure || short && sure < 0.8:
		return 0, 0, refuse(notSame, notSameDetail, "")
	case short:
		return 0, 0, refuse(noOverlap, "The recordings have only %.1f s in common. Start both phones before the movement, and stop them after it.", max(common, 0))
	case pictures(v, w, offset) < mostAlike:
		return 0, 0, refuse(wrongAngle, "Both recordings show the person from the same side. Put the phones 60 to 120° apart.")
	}
	return offset, sure, nil
}

func (v *track) first() float64 { return v.seq.Times[v.main.First] }
func (v *track) last() float64  { return v.seq.Times[v.main.Last] }

// movement returns the root mean square of the speeds of the limbs in torso lengths a second.
func (v *track) movement() float64 {
	s := v.speeds()
	last := s.sums[len(s.rows)]
	return math.Sqrt((last[0] + last[2]) / float64(max(len(s.rows), 1)*len(limbs)))
}

// pictures returns how far those of a body by two cameras differ by more than place and size, as a share of its size: the
// median of the moments.
func pictures(v, w *track, offset float64) float64 {
	var all []float64
	for i := v.main.First; i <= v.main.Last; i++ {
		t := v.seq.Times[i]
		j, ok := w.frame(t - offset)
		if !ok {
			continue
		}
		var a, b []keypoint.Point
		var middle [2]keypoint.Point
		for _, p := range limbs {
			if x, y := v.look(i, t, p), w.look(j, t-offset, p); x.sigma > 0 && y.sigma > 0 {
				a, b = append(a, x.at), append(b, y.at)
				middle = [2]keypoint.Point{middle[0].Add(x.at), middle[1].Add(y.at)}
			}
		}
		n := float64(len(a))
		xx, yy, xy := 0.0, 0.0, 0.0
		for k := range a {
			x, y := a[k].Sub(middle[0].Mul(1/n)), b[k].Sub(middle[1].Mul(1/n))
			xx, yy, xy = xx+x.Dot(x), yy+y.Dot(y), xy+x.Dot(y)
		}
		if len(a) >= leastLimbs && xx*yy > 0 {
			all = append(all, math.Sqrt(max(0, 1-xy*xy/(xx*yy))))
		}
	}
	if len(all) == 0 {
		return 1
	}
	return rank.Median(all)
}

// same refuses views that contradict each other once the cameras are found: in the lines of sight, in bones that change their
// length, or in cameras that nobody has.
func same(tracks []*track, cameras []keypoint.Camera, known []float64, joined keypoint.Sequence) error {
	for k := range cameras {
		f := cameras[k].Focal / focalOf(&cameras[k])
		if (len(known) == 0 || known[k] == 0) && (f < leastFocal || f > mostFocal) {
			return refuse(notSame, notSameDetail, ", or the pictures are cut")
		}
	}
	for k, v := range tracks[1:] {
		sights := sightsOf(tracks[0], v, [2]keypoint.Camera{cameras[0], cameras[k+1]})
		across := essential(&cameras[0], &cameras[k+1])
		var off []float64
		for i := range sights {
			sum, n := 0.0, 0.0
			for _, p := range limbs {
				if s := &sights[i]; s.rays[0][p].weight > 0 && s.rays[1][p].weight > 0 {
					z := sampson(across, s.rays[0][p], s.rays[1][p])
					sum, n = sum+min(z*z, 25), n+1
				}
			}
			if n >= leastLimbs {
				off = append(off, math.Sqrt(sum/n))
			}
		}
		if (1-v.sure)*rank.Percentile(off, 0.9) > mostOff {
			return refuse(notSame, notSameDetail, ": their views contradict each other")
		}
	}
	if stretch(joined) > mostStretch {
		return refuse(notSame, notSameDetail, ": in one the person comes nearer while in the other they do not")
	}
	return nil
}

// stretch returns the median over the bones of legs and trunk of the median deviation of their lengths, as a share.
func stretch(seq keypoint.Sequence) float64 {
	var all []float64
	for _, b := range bones {
		if b.to >= keypoint.LeftElbow && b.to <= keypoint.RightWrist {
			continue // of which the length is not kept
		}
		for _, side := range [2][2]keypoint.Part{{b.from, b.to}, {b.from.Mirror(), b.to.Mirror()}} {
			lengths := rank.Known(seq.Len(), func(i int) (float64, bool) {
				x, okX := seq.Frames[i].Positions().At(side[0])
				y, okY := seq.Frames[i].Positions().At(side[1])
				d := x.Sub(y).Len()
				return math.Log(d), okX && okY && d > 0
			})
			middle := rank.Median(lengths)
			for i := range lengths {
				lengths[i] = math.Abs(lengths[i] - middle)
			}
			all = append(all, rank.Median(lengths))
		}
	}
	return rank.Median(all)
}
