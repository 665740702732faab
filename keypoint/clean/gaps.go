package clean

import (
	"cmp"
	"sort"

	"gonum.org/v1/gonum/interp"

	"github.com/bodymotion/motion/internal/rank"
)

// Method is the method of a step. Those of Gaps are
//
//	linear  straight from the last point to the next
//	pchip   along a monotone cubic through the points around the gap, which is the default
//
// and those of Smooth
//
//	butterworth    zero-phase low-pass, forwards and backwards, which is the default
//	oneEuro        low-pass whose cut-off rises with the speed; causal, so it lags a little
//	median         median of the neighbours
//	savitzkyGolay  least-squares polynomial through the neighbours
type Method string

const (
	byLinear        Method = "linear"
	byPCHIP         Method = "pchip"
	byButterworth   Method = "butterworth"
	byOneEuro       Method = "oneEuro"
	byMedian        Method = "median"
	bySavitzkyGolay Method = "savitzkyGolay"
)

// Gaps fills gaps between two points of a part that are at most Max seconds apart, with the smaller confidence of the
// two. It leaves gaps of which one end has a confidence below 0.3, and those whose ends do not belong together: neither
// the velocity before or after the gap, nor rest, leads within (0.2 + 25·dt²) torso lengths across the dt seconds.
//
// PCHIP is the piecewise cubic Hermite interpolation of Fritsch and Butland (1984), which never goes beyond two neighbours.
type Gaps struct {
	Method Method  `json:"method,omitempty"` // "" means pchip
	Max    float64 `json:"max,omitempty"`    // seconds; 0 means 0.5
}

func (g Gaps) fill(t *track) {
	longest := cmp.Or(g.Max, 0.5) + 1e-6 // differences of times are rounded
	known := rank.Where(0, len(t.present), func(i int) bool { return t.present[i] })
	if len(known) == len(t.present) || len(known) < 2 {
		return
	}
	times, values := make([]float64, len(known)), make([]float64, len(known))
	for k, i := range known {
		times[k] = t.times[i]
	}
	var fill []int
	for k := 1; k < len(known); k++ {
		if a, b := known[k-1], known[k]; t.times[b]-t.times[a] <= longest && t.joined(known, k) {
			for i := a + 1; i < b; i++ {
				fill = append(fill, i)
			}
		}
	}
	var curve interp.FittablePredictor = &interp.FritschButland{}
	if g.Method == byLinear {
		curve = &interp.PiecewiseLinear{}
	}
	for _, axis := range t.axis {
		for k, i := range known {
			values[k] = axis[i]
		}
		curve.Fit(times, values) // fails for no times that increase
		for _, i := range fill {
			axis[i] = curve.Predict(t.times[i])
		}
	}
	for _, i := range fill {
		k := sort.SearchInts(known, i)
		t.weight[i] = min(t.weight[known[k-1]], t.weight[known[k]])
		t.present[i] = true
		t.note(i, Filled)
	}
}

// guess is the confidence below which a point is hardly more than a guess.
const guess = 0.3

// joined reports whether both ends of the gap that ends at known[k] are sure, and the movement before or after it leads across.
func (t *track) joined(known []int, k int) bool {
	a, b := known[k-1], known[k]
	if min(t.weight[a], t.weight[b]) < guess {
		return false
	}
	if t.torso == 0 {
		return true
	}
	span := t.times[b] - t.times[a]
	move := t.point(b).Sub(t.point(a))
	off := move.Len()
	for _, side := range [2][2]int{{k - 2, k - 1}, {k, k + 1}} {
		if side[0] < 0 || side[1] >= len(known) {
			continue
		}
		i, j := known[side[0]], known[side[1]]
		velocity := t.point(j).Sub(t.point(i)).Mul(1 / (t.times[j] - t.times[i]))
		off = min(off, move.Sub(velocity.Mul(span)).Len())
	}
	return off <= (outlierDistance+acceleration*span*span)*t.torso
}
