package compare

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// minCorrelation is the least correlation of two movements that counts as the same one.
const minCorrelation = 0.5

// shifted finds the one shift in time at which the movements correlate best. The movement of a part is its place relative to
// the centre of the body, in torso lengths, less its mean. For each shift by whole frames of the source, with at least half of
// the shorter recording in common, the normalised correlation over all parts of the body is
//
//	r = Σ s·t / √(Σ s² · Σ t²)
//
// A largest r below 0.5 is refused: the recordings show no common movement.
func shifted(source, target side) (alignment, error) {
	if source.seq.Times == nil || target.seq.Times == nil {
		return alignment{}, fmt.Errorf("%w alignment: an offset needs the times of both recordings", keypoint.ErrInvalid)
	}
	rate, ok := source.seq.FrameRate()
	if !ok {
		return alignment{}, fmt.Errorf("%w alignment: the source has no frame rate", keypoint.ErrInvalid)
	}
	step := 1 / rate
	s, t := movements(source, step), movements(target, step)
	overlap := max(min(len(s), len(t))/2, 2)
	best, at := 0.0, 0
	for lag := overlap - len(s); lag <= len(t)-overlap; lag++ {
		if r := correlation(s, t, lag); r > best {
			best, at = r, lag
		}
	}
	if best < minCorrelation {
		return alignment{}, fmt.Errorf("%w alignment: the movements do not correlate at any offset (best %.2f, want %.1f)", keypoint.ErrInvalid, best, minCorrelation)
	}
	a := alignment{positions: make([]position, source.seq.Len())}
	for i := range a.positions {
		at := source.seq.Times[i] - source.seq.Times[0] + float64(at)*step + target.seq.Times[0]
		a.positions[i] = atTime(target.seq.Times, at)
	}
	return a, nil
}

// movement holds the positions of the parts at one time, relative to their means.
type movement struct {
	points  [keypoint.NumBody]keypoint.Point
	present keypoint.Parts
}

// movements samples the movement of a recording at even steps.
func movements(s side, step float64) []movement {
	n := int(s.seq.Duration()/step+onFrame) + 1
	list := make([]movement, n)
	var sum [keypoint.NumBody]keypoint.Point
	var count [keypoint.NumBody]float64
	for i := range list {
		a := alignment{positions: []position{atTime(s.seq.Times, s.seq.Times[0]+float64(i)*step)}}
		f := a.target(0, s.seq.Frames)
		centre, _, _ := centres(&f, &f)
		list[i].present = f.Present() & keypoint.Body
		for _, p := range list[i].present.List() {
			pt, _ := f.At(p)
			pt = keypoint.Point{(pt[0] - centre[0]) / s.body, (pt[1] - centre[1]) / s.body}
			list[i].points[p], sum[p] = pt, sum[p].Add(pt)
			count[p]++
		}
	}
	for i := range list {
		for _, p := range list[i].present.List() {
			mean := keypoint.Point{sum[p][0] / count[p], sum[p][1] / count[p]}
			list[i].points[p] = list[i].points[p].Sub(mean)
		}
	}
	return list
}

// correlation returns the normalised correlation of s with t shifted by lag steps.
func correlation(s, t []movement, lag int) float64 {
	var st, ss, tt float64
	for i := max(0, -lag); i < len(s) && i+lag < len(t); i++ {
		a, b := &s[i], &t[i+lag]
		shared := a.present & b.present
		for p := range keypoint.Part(keypoint.NumBody) {
			if shared.Has(p) {
				st += a.points[p].Dot(b.points[p])
				ss += a.points[p].Dot(a.points[p])
				tt += b.points[p].Dot(b.points[p])
			}
		}
	}
	if ss == 0 || tt == 0 {
		return 0
	}
	return st / math.Sqrt(ss*tt)
}
