package exercise_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/say"
)

// tested returns the number that a test of an exercise has in truth, from the least to the greatest that counts as right.
func (f *found) tested(test exercise.Test) (low, high float64) {
	n := len(f.Reps)
	switch test {
	case "fiveTimesSitToStand": // from the first movement of the trunk, or of the hips, which is 0.18 of the way later
		first, last := f.Reps[0], f.Reps[min(n, 5)-1]
		return last.End - first.Start - 0.18*(first.TurnFrom-first.Start) - 0.18*(last.End-last.TurnTo), last.End - first.Start
	case "chairStand30":
		for _, r := range f.Reps {
			if r.TurnFrom <= f.Reps[0].Start+30 {
				low++
			}
			if (r.Start+r.TurnFrom)/2 <= f.Reps[0].Start+30 {
				high++
			}
		}
		return low, high
	case "singleLegStance": // the foot is lifted and put down in 0.7 s
		return f.Motion.Hold, f.Motion.Hold + 1.4
	}
	return f.Motion.Height, f.Motion.Height
}

// sway returns the standard deviation of the middle of the hips along the floor of the picture, in torso lengths.
func (f *found) sway(from, to float64) float64 {
	torso := float64(f.Hips[1][0]) / float64(f.Truth[string(analyze.HipHeight)][0]) * 1000
	var x []float64
	for _, at := range f.Hips[0][f.frame(from) : f.frame(to)+1] {
		x = append(x, float64(at)/torso)
	}
	return rank.Deviation(x)
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
			if !n.Value.Present {
				if n.Why == nil {
					t.Errorf("%s: %s is withheld without a reason", f.Name, n.Name)
				}
				t.Logf("%s: %s: %s", f.Name, n.Name, n.Why[say.English])
				continue
			}
			low, high := f.tested(d.Test)
			if n.Name == "sway" {
				low = f.sway(n.From+0.5, n.To)
				high = low
			} else {
				told[d.Test]++
			}
			off := max(low-n.Value.X, n.Value.X-high, 0)
			t.Logf("%s: %s %s %.3f ± %.3f %s, in truth %.3f to %.3f", f.Name, n.Side, n.Name, n.Value.X, n.Uncertainty.X, n.Unit, low, high)
			if half := strings.HasPrefix(f.Name, "five_half"); half || off > 2*n.Uncertainty.X+1e-9 || math.IsNaN(off) {
				t.Errorf("%s: %s is %.2f ± %.2f, but in truth %.2f to %.2f", f.Name, n.Name, n.Value.X, n.Uncertainty.X, low, high)
			}
		}
	}
	for _, test := range []exercise.Test{"fiveTimesSitToStand", "chairStand30", "singleLegStance", "countermovementJump"} {
		if told[test] < 2 {
			t.Errorf("%s is told in %d movies", test, told[test])
		}
	}
}
