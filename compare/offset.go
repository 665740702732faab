package compare

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// minCorrelation is the least correlation of two movements that counts as the same one.
const minCorrelation = 0.5

// shifted finds the one shift in time at which the movements correlate best. The
// movement of a part is its place relative to the centre of the body, in torso lengths,
// less its mean. For each shift by whole frames of the source, with at least half of the
// shorter recording in common, the normalised correlation over all parts is
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
	values  [2 * keypoint.NumParts]float64
	present keypoint.Parts
}

// movements samples the movement of a recording at even steps.
func movements(s side, step float64) []movement {
	n := int(s.seq.Duration()/step+onFrame) + 1
	list := make([]movement, n)
	var sum [2 * keypoint.NumParts]float64
	var count [keypoint.NumParts]float64
	for i := range list {
		a := alignment{positions: []position{atTime(s.seq.Times, s.seq.Times[0]+float64(i)*step)}}
		f := a.target(0, s.seq.Frames)
		centre, _, ok := centres(&f, &f)
		if !ok {
			continue
		}
		list[i].present = f.Present()
		for p := range keypoint.Part(keypoint.NumParts) {
			if pt, ok := f.At(p); ok {
				for axis := range 2 {
					v := (pt[axis] - centre[axis]) / s.body
					list[i].values[2*int(p)+axis] = v
					sum[2*int(p)+axis] += v
				}
				count[p]++
			}
		}
	}
	for i := range list {
		for p := range keypoint.Part(keypoint.NumParts) {
			if list[i].present.Has(p) {
				for axis := range 2 {
					list[i].values[2*int(p)+axis] -= sum[2*int(p)+axis] / count[p]
				}
			}
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
		for p := range keypoint.Part(keypoint.NumParts) {
			if !shared.Has(p) {
				continue
			}
			for k := 2 * p; k < 2*p+2; k++ {
				st += a.values[k] * b.values[k]
				ss += a.values[k] * a.values[k]
				tt += b.values[k] * b.values[k]
			}
		}
	}
	if ss == 0 || tt == 0 {
		return 0
	}
	return st / math.Sqrt(ss*tt)
}
