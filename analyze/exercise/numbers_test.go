package exercise_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze/exercise"
)

// tested returns the number that a test of an exercise has in truth, from the least to the greatest that counts as right.
func (f *found) tested(test exercise.Test) (low, high float64) {
	n := len(f.Reps)
	switch test {
	case exercise.FiveTimesSitToStand: // from the first movement of the trunk, or of the hips, which is 0.18 of the way later
		first, last := f.Reps[0], f.Reps[min(n, 5)-1]
		return last.End - first.Start - 0.18*(first.TurnFrom-first.Start) - 0.18*(last.End-last.TurnTo), last.End - first.Start
	case exercise.ChairStand30:
		for _, r := range f.Reps {
			if r.TurnFrom <= f.Reps[0].Start+30 {
				low++
			}
			if (r.Start+r.TurnFrom)/2 <= f.Reps[0].Start+30 {
				high++
			}
		}
		return low, high
	case exercise.SingleLegStance: // the foot is lifted and put down in 0.7 s
		return f.Motion.Hold, f.Motion.Hold + 1.4
	}
	return f.Motion.Height, f.Motion.Height
}

// TestNumbers: the results of the clinical tests are within two uncertainties of the truth, or withheld with a reason.
func TestNumbers(t *testing.T) {
	told := map[exercise.Test]int{}
	for _, f := range rendered(t) {
		d, ok := exerciseOf(t, f.Name)
		if !ok || d.Test == "" {
			continue
		}
		r, err := exercise.Judge(d, f.seq, f.shown)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range r.Numbers {
			if n.Name == "sway" || n.Name == "rise" {
				continue
			}
			if !n.Value.Present {
				if n.Why == (exercise.Text{}) {
					t.Errorf("%s: %s is withheld without a reason", f.Name, n.Name)
				}
				t.Logf("%s: %s: %s", f.Name, n.Name, n.Why.English)
				continue
			}
			told[d.Test]++
			low, high := f.tested(d.Test)
			off := max(low-n.Value.X, n.Value.X-high, 0)
			t.Logf("%s: %s %s %.2f ± %.2f %s, in truth %.2f to %.2f", f.Name, n.Side, n.Name, n.Value.X, n.Uncertainty.X, n.Unit, low, high)
			if half := strings.HasPrefix(f.Name, "five_half"); half || off > 2*n.Uncertainty.X+1e-9 || math.IsNaN(off) {
				t.Errorf("%s: %s is %.2f ± %.2f, but in truth %.2f to %.2f", f.Name, n.Name, n.Value.X, n.Uncertainty.X, low, high)
			}
		}
	}
	for _, test := range []exercise.Test{exercise.FiveTimesSitToStand, exercise.ChairStand30, exercise.SingleLegStance, exercise.CountermovementJump} {
		if told[test] < 2 {
			t.Errorf("%s is told in %d movies", test, told[test])
		}
	}
}
