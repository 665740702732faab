package analyze

import (
	"fmt"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// CycleOptions say what counts as a repetition. The zero value is a sensible default.
type CycleOptions struct {
	// Prominence is how far the values must fall and rise again, in their own unit; 0
	// means a third of the way from their 5th to their 95th percentile.
	Prominence float64
	// MinDuration is the least duration of a repetition in seconds; 0 means 0.3.
	MinDuration float64
	// Upwards counts movements that rise and fall, such as a raised arm. Without it those
	// count that fall and rise, such as the knee angle of a squat.
	Upwards bool
}

// Cycle is one repetition: from the extreme before it over its own turning point to the
// extreme after it.
type Cycle struct {
	Start, Turn, End int     // frames
	From, At, To     float64 // the values there
	Duration         float64 // seconds from Start to End
}

// Cycles finds the repetitions in a series of numbers, such as the values of a
// VectorAngle over the frames of a movie. Frames without a value are passed over. Turning
// points are those of the zigzag line through the values that reverses only when they
// have come back by the prominence. A repetition that is not finished at the end counts
// when its values have come back by the prominence; its End is the last extreme.
//
// Values that are not one a time, and options below 0, are a keypoint.ErrInvalid. Values
// that hardly change have no repetitions.
func Cycles(times []float64, values []Value, opt CycleOptions) ([]Cycle, error) {
	if len(times) != len(values) {
		return nil, fmt.Errorf("%w series: %d values and %d times", keypoint.ErrInvalid, len(values), len(times))
	}
	if !(opt.Prominence >= 0) || !(opt.MinDuration >= 0) {
		return nil, fmt.Errorf("%w cycle options: %+v, want numbers of 0 or more", keypoint.ErrInvalid, opt)
	}
	sign := 1.0
	if opt.Upwards {
		sign = -1
	}
	var frames []int
	var x []float64 // such that repetitions fall and rise
	for i, v := range values {
		if v.Present {
			frames, x = append(frames, i), append(x, sign*v.X)
		}
	}
	if len(x) < 3 {
		return nil, nil
	}
	prominence := opt.Prominence
	if prominence == 0 {
		sample := slices.Clone(x)
		prominence = (percentile(sample, 0.95) - percentile(sample, 0.05)) / 3
	}
	minDuration := opt.MinDuration
	if minDuration == 0 {
		minDuration = 0.3
	}
	if prominence <= 0 {
		return nil, nil
	}
	var cycles []Cycle
	turns := zigzag(x, prominence)
	for k := 1; k+1 < len(turns); k++ {
		a, b, c := turns[k-1], turns[k], turns[k+1]
		if x[b] >= x[a] { // a top
			continue
		}
		i, j, l := frames[a], frames[b], frames[c]
		d := times[l] - times[i]
		if d >= minDuration {
			cycles = append(cycles, Cycle{i, j, l, values[i].X, values[j].X, values[l].X, d})
		}
	}
	return cycles, nil
}

// zigzag returns the alternating tops and bottoms of x, the first and last extreme
// included, that differ by at least the prominence.
func zigzag(x []float64, prominence float64) []int {
	var turns []int
	low, high := 0, 0 // extremes since the last turn
	rising := 0       // 1 after a bottom, −1 after a top, 0 before the first turn
	for i, v := range x {
		if v < x[low] {
			low = i
		}
		if v > x[high] {
			high = i
		}
		switch {
		case rising <= 0 && v >= x[low]+prominence && (rising < 0 || low < i):
			if rising == 0 && high < low {
				turns = append(turns, high)
			}
			turns = append(turns, low)
			rising, high = 1, i
		case rising >= 0 && v <= x[high]-prominence && (rising > 0 || high < i):
			if rising == 0 && low < high {
				turns = append(turns, low)
			}
			turns = append(turns, high)
			rising, low = -1, i
		}
	}
	switch {
	case rising > 0:
		turns = append(turns, high)
	case rising < 0:
		turns = append(turns, low)
	}
	return turns
}
