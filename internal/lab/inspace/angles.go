package main

import (
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// joint is a named angle with its name in the truth after the side, and another that makes it meaningless beyond 60 degrees.
type joint struct {
	kind        analyze.Type
	name, apart string
}

// joints are the angles that are measured.
var joints = []joint{
	{analyze.KneeFlexion, "knee", ""}, {analyze.HipFlexion, "hip", ""}, {analyze.ElbowFlexion, "elbow", ""},
	{analyze.ShoulderFlexion, "shoulder", "shoulder_abduction"}, {analyze.ShoulderAbduction, "shoulder_abduction", "shoulder"},
	{analyze.AnkleDorsiflexion, "ankle", ""}, {analyze.HipAbduction, "hip_abduction", "hip"}, {analyze.TrunkLean, "trunk_forward", ""},
}

var bothSides = []analyze.Side{analyze.LeftSide, analyze.RightSide}

// series holds the values of an angle in each frame, left and right. NaN: there is none.
type series [][]float64

// of returns the values of an angle of a sequence with positions.
func (j joint) of(seq keypoint.Sequence) (s series, err error) {
	rules := []analyze.Rule{{Type: j.kind, Hidden: true}}
	if j.kind.Sided() {
		rules = []analyze.Rule{{Type: j.kind, Side: analyze.LeftSide, Hidden: true}, {Type: j.kind, Side: analyze.RightSide, Hidden: true}}
	}
	results, err := analyze.Run(seq, rules)
	for _, r := range results {
		values := make([]float64, len(r.Values))
		for i, v := range r.Values {
			if values[i] = v.X; !v.Present {
				values[i] = math.NaN()
			}
		}
		s = append(s, values)
	}
	return s, err
}

// truly returns the true values.
func (j joint) truly(t *evalpose.Truth) (s series) {
	if !j.kind.Sided() {
		return series{t.Angles3D[j.name]}
	}
	for _, side := range bothSides {
		values := make([]float64, t.Parts.Len())
		for i := range values {
			values[i] = t.Angles3D[string(side)+"_"+j.name][i]
			if j.apart != "" && math.Abs(t.Angles3D[string(side)+"_"+j.apart][i]) > 60 {
				values[i] = math.NaN()
			}
		}
		s = append(s, values)
	}
	return s
}

// minus returns the differences where both are known.
func (s series) minus(other series) (d series) {
	for side := range s {
		var list []float64
		for i, v := range s[side] {
			if e := math.Remainder(v-other[side][i], 360); !math.IsNaN(e) {
				list = append(list, e)
			}
		}
		d = append(d, list)
	}
	return d
}

// rms returns the root mean square of both sides together, and that of what is left without the mean of each.
func (s series) rms() (total, unbiased float64) {
	n := 0.0
	for _, list := range s {
		a := 0.0
		for _, e := range list {
			total, a, n = total+e*e, a+e, n+1
		}
		unbiased -= a * a / max(float64(len(list)), 1)
	}
	return math.Sqrt(total / n), math.Sqrt(max(total+unbiased, 0) / n)
}

// told is a value of a study against the truth.
type told struct {
	name         string
	off, sigma   float64 // of the peak
	peak         float64
	within, seen int  // frames whose value is within two standard deviations, and of how many
	warned       bool // that the view is not the one
}

// headlines returns what a study tells of each joint.
func headlines(seq keypoint.Sequence, t *evalpose.Truth) (list []told, err error) {
	judged, err := quality.Assess(quality.Input{Sequence: seq})
	if err != nil {
		return nil, err
	}
	s, err := study.Run(seq, judged)
	if err != nil {
		return nil, err
	}
	for _, m := range s.Measures {
		for _, j := range joints {
			if j.kind != m.Type {
				continue
			}
			values := j.truly(t)[0]
			if m.Side == analyze.RightSide {
				values = j.truly(t)[1]
			}
			one := told{name: m.Name, off: math.NaN()}
			for _, why := range m.Why {
				if why == quality.CodeOutOfPlane || why == quality.CodeHiddenSide {
					one.warned = true
				}
			}
			for i, v := range m.Values {
				if !v.Present || math.IsNaN(values[i]) {
					continue
				}
				one.seen++
				if math.Abs(math.Remainder(v.X-values[i], 360)) <= 2*m.Uncertainty[i].X {
					one.within++
				}
			}
			if m.Peak != nil && !math.IsNaN(values[m.Peak.Frame]) {
				lo, hi := rank.Percentile(around(values, m.Peak.Frame), 0), rank.Percentile(around(values, m.Peak.Frame), 1)
				one.peak, one.sigma = m.Peak.Value, m.Peak.Uncertainty
				one.off = one.peak - min(max(one.peak, lo), hi)
			}
			list = append(list, one)
		}
	}
	return list, nil
}

// around returns the values of the frame and of the two before and after.
func around(values []float64, frame int) []float64 {
	return append([]float64(nil), values[max(frame-2, 0):min(frame+3, len(values))]...)
}
