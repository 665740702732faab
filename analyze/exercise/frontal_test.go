package exercise_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/rank"
)

// TestFrontalConstants: in every second movie and in the others, values of the frontal plane are within two of their uncertainties of the
// truth, each movie's constant offset taken out, and those offsets within two of Measure.Constant.
func TestFrontalConstants(t *testing.T) {
	types := []analyze.Type{analyze.KneeValgus, analyze.HipAbduction, analyze.TrunkSideLean, analyze.ShoulderLevel, analyze.PelvicTilt, analyze.ShoulderAbduction}
	all := rendered(t)
	for _, kind := range types {
		line := fmt.Sprintf("%-18s", kind)
		for half := range 2 {
			var offsets, constants, rest []float64
			in, of, withheld := 0, 0, 0
			worst, where := 0.0, ""
			for n, f := range all {
				if n%2 != half {
					continue
				}
				for _, m := range f.shown.Measures {
					if m.Type != kind {
						continue
					}
					if m.Trust == study.Withheld {
						withheld++
						continue
					}
					var off []float64
					truth := f.Truth[key(m.Type, m.Side)]
					for i, v := range m.Values {
						if v.Present && truth[i] != unknown {
							off = append(off, v.X-float64(truth[i])/10)
						}
					}
					if len(off) == 0 {
						continue
					}
					middle := rank.Median(slices.Clone(off))
					if math.Abs(middle) > math.Abs(worst) {
						worst, where = middle, fmt.Sprintf("%s %s", f.Name, m.Side)
					}
					offsets, constants = append(offsets, middle), append(constants, m.Constant)
					k := 0
					for i, v := range m.Values {
						if v.Present && truth[i] != unknown {
							of++
							if math.Abs(off[k]-middle) <= 2*m.Uncertainty[i].X {
								in++
							}
							rest = append(rest, off[k]-middle)
							k++
						}
					}
				}
			}
			share := float64(in) / float64(max(of, 1))
			if share < 0.93 || rms(offsets) > 1.3*rms(constants) || len(offsets) < 5 {
				t.Errorf("%s: %.1f %% within 2σ, offsets of %.1f and %.1f told", kind, 100*share, rms(offsets), rms(constants))
			}
			line += fmt.Sprintf(" | %d series, %d withheld: offset rms %.1f (constant %.1f, worst %.1f %s), rest rms %.1f, within 2σ %.1f %%", len(offsets), withheld, rms(offsets), rms(constants), worst, where, rms(rest), 100*share)
		}
		t.Log(line)
	}
}

func rms(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x * x
	}
	return math.Sqrt(sum / float64(max(len(list), 1)))
}
