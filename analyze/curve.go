package analyze

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
)

// curvePoints is the number of points of a Curve: 0 %, 1 % … 100 %.
const curvePoints = 101

// Curve is a series over one repetition or one stride with time normalised: 101 values, the
// first at 0 % and the last at 100 %. Curves of different durations can be compared point by point.
type Curve []Value

// longestBridge is the longest gap in a curve that is bridged, as a share of its duration.
const longestBridge = 0.1

// Normalize returns the values from one time to another, in seconds, as a Curve. It interpolates linearly between neighbouring
// frames, and across gaps of at most a tenth of the curve. Other points are absent, and so are all if the values are not one per
// time or from is not before to. Values that start again after 360 degrees (Type.Cyclic) are not for Normalize.
func Normalize(times []float64, values []Value, from, to float64) Curve {
	curve := make(Curve, curvePoints)
	if len(times) != len(values) || !(from < to) {
		return curve
	}
	last := -1 // the last frame with a value at or before t
	next, _ := slices.BinarySearch(times, from)
	for i := min(next, len(times)-1); i >= 0 && last < 0; i-- {
		if values[i].Present && times[i] <= from {
			last = i
		}
	}
	for p := range curve {
		t := from + (to-from)*float64(p)/(curvePoints-1)
		for ; next < len(times) && (times[next] < t || !values[next].Present); next++ {
			if values[next].Present {
				last = next
			}
		}
		switch {
		case next < len(times) && times[next] == t:
			curve[p] = values[next]
		case last >= 0 && next < len(times) && (next == last+1 || times[next]-times[last] <= longestBridge*(to-from)):
			share := (t - times[last]) / (times[next] - times[last])
			curve[p] = number(values[last].X*(1-share) + values[next].X*share)
		}
	}
	return curve
}

// Difference returns the root mean square of the differences of two curves at the points that both
// have, in their unit. ok is false if they share fewer than half of the points.
func (c Curve) Difference(d Curve) (rms float64, ok bool) {
	sum, n := 0.0, 0
	for p := range min(len(c), len(d)) {
		if c[p].Present && d[p].Present {
			sum += (c[p].X - d[p].X) * (c[p].X - d[p].X)
			n++
		}
	}
	rms = math.Sqrt(sum / float64(max(n, 1)))
	return rms, 2*n >= curvePoints && finite(rms)
}

// Band is the mean and the standard deviation of several curves at each point.
type Band struct {
	Mean              Curve `json:"mean"`
	StandardDeviation Curve `json:"standardDeviation"` // of a sample, n − 1; absent below two curves
	Count             int   `json:"count"`             // the number of curves
}

// MeanCurve returns the band of the curves. A point that only some of them have is that of these.
func MeanCurve(curves []Curve) Band {
	band := Band{make(Curve, curvePoints), make(Curve, curvePoints), len(curves)}
	for p := range band.Mean {
		at := rank.Known(len(curves), func(k int) (float64, bool) {
			if p >= len(curves[k]) {
				return 0, false
			}
			return curves[k][p].X, curves[k][p].Present
		})
		if len(at) > 0 {
			band.Mean[p] = number(rank.Mean(at))
		}
		if len(at) > 1 {
			band.StandardDeviation[p] = number(rank.Deviation(at))
		}
	}
	return band
}

// Spread is the mean and the standard deviation of a number over repetitions or strides.
type Spread struct {
	Mean              float64
	StandardDeviation float64 // of a sample, n − 1; 0 below two
	Count             int     // how many numbers; if 0, the mean is 0 too
	Uncertainty       float64 // of the mean against the truth: one standard deviation; 0: unknown
}

// SpreadOf returns the mean and the standard deviation of the numbers.
func SpreadOf(numbers []float64) Spread {
	s := Spread{Count: len(numbers)}
	if s.Count > 0 {
		s.Mean = rank.Mean(numbers)
	}
	if s.Count > 1 {
		s.StandardDeviation = rank.Deviation(numbers)
	}
	return s
}

// WithUncertainty returns s with the uncertainty of its mean. single is the least standard deviation of one number, bias the error that all share.
func (s Spread) WithUncertainty(single, bias float64) Spread {
	if s.Count > 0 {
		s.Uncertainty = math.Hypot(max(s.StandardDeviation, single)/math.Sqrt(float64(s.Count)), bias)
	}
	return s
}

// spreadJSON is the API's form of a Spread.
type spreadJSON struct {
	Mean              Value `json:"mean"`
	StandardDeviation Value `json:"standardDeviation"`
	Count             int   `json:"count"`
	Uncertainty       Value `json:"uncertainty,omitzero"`
}

// MarshalJSON writes the mean, null for no number, the standard deviation, null below two, the count, and the uncertainty if it is known.
func (s Spread) MarshalJSON() ([]byte, error) {
	return json.Marshal(spreadJSON{
		Value{X: s.Mean, Present: s.Count > 0}, Value{X: s.StandardDeviation, Present: s.Count > 1}, s.Count, Value{X: s.Uncertainty, Present: s.Uncertainty > 0},
	})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Spread) UnmarshalJSON(data []byte) error {
	var d spreadJSON
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	*s = Spread{d.Mean.X, d.StandardDeviation.X, d.Count, d.Uncertainty.X}
	return nil
}
