package exercise_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

var frontal = []analyze.Type{analyze.KneeValgus, analyze.HipAbduction, analyze.TrunkSideLean, analyze.ShoulderLevel, analyze.PelvicTilt, analyze.ShoulderAbduction}

// TestFrontalConstants: in every second movie and in the others, values of the frontal plane are within two of their uncertainties of the
// truth, each movie's constant offset taken out, and those offsets within two of Measure.Constant.
func TestFrontalConstants(t *testing.T) {
	all := rendered(t)
	for _, kind := range frontal {
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
					if m.Trust == quality.TrustWithheld {
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

// TestFrontalNeutral: against the neutral pose, values of the frontal plane are what truly changes since, within two uncertainties
// and without Measure.Constant.
func TestFrontalNeutral(t *testing.T) {
	in, of := map[analyze.Type]int{}, map[analyze.Type]int{}
	for _, f := range rendered(t) {
		if f.shown.Standing == nil {
			continue
		}
		s, err := study.RunPart(f.seq, f.judged, keypoint.Span{Last: f.seq.Len() - 1}, &analyze.Neutral{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range s.Measures {
			if !slices.Contains(frontal, m.Type) || m.Trust == quality.TrustWithheld {
				continue
			}
			truth := f.Truth[key(m.Type, m.Side)]
			var still []float64
			for i := f.frame(f.shown.Standing.From); i <= f.frame(f.shown.Standing.To); i++ {
				still = append(still, float64(truth[i]))
			}
			zero := rank.Median(still)
			for i, v := range m.Values {
				if v.Present && truth[i] != unknown {
					if of[m.Type]++; math.Abs(v.X-(float64(truth[i])-zero)/10) <= 2*m.Uncertainty[i].X {
						in[m.Type]++
					}
				}
			}
			if m.Constant != 0 {
				t.Errorf("%s: %s has a constant of %v against the neutral pose", f.Name, m.Name, m.Constant)
			}
		}
	}
	for _, kind := range frontal {
		share := float64(in[kind]) / float64(of[kind])
		t.Logf("%s: %.1f %% of %d", kind, 100*share, of[kind])
		if share < 0.9 {
			t.Errorf("%s: %.1f %% of %d within two uncertainties", kind, 100*share, of[kind])
		}
	}
}

func rms(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x * x
	}
	return math.Sqrt(sum / float64(max(len(list), 1)))
}
