package analyze

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// CycleOptions say what counts as a repetition. The zero value selects the defaults.
type CycleOptions struct {
	// Prominence is the least depth of a repetition: the values must fall and rise again
	// by at least this much, in their own unit. 0 means a third of the distance between
	// their 5th and their 95th percentile.
	Prominence float64
	// MinDuration is the least duration of a repetition in seconds; 0 means 0.3.
	MinDuration float64
	// Upwards counts movements that rise and fall, such as raising an arm. The default
	// counts movements that fall and rise, such as the knee angle of a squat.
	Upwards bool
	// PersonChanges are the frames from which the values are those of somebody else, as in
	// keypoint.Sequence. No repetition reaches across them.
	PersonChanges []int
}

// leastDuration is the least duration of a repetition in seconds.
const leastDuration = 0.3

// Cycle is one repetition: from one extreme over the turning point to the next extreme.
type Cycle struct {
	Start, Turn, End int     // frames
	From, At, To     float64 // the values there
	Duration         float64 // seconds from Start to End
}

// Cycles finds the repetitions in a series of numbers, such as the values of a
// VectorAngle over the frames of a movie. It skips frames without a value. Turning
// points are those of a zigzag line through the values that reverses only after the
// values have come back by the prominence. A last repetition that is not complete counts
// if its values have come back by the prominence; its End is the last extreme.
//
// Cycles finds extremes, whatever moves. FindRepetitions, which builds on it, finds the repetitions of an
// exercise, with their tempo.
//
// Values that hardly change have no repetitions, and neither has the one value of a
// picture, which needs no time. Any other difference between the numbers of times and of
// values, negative options, and PersonChanges that are not frames after the first in order are a
// keypoint.ErrInvalid.
func Cycles(times []float64, values []Value, opt CycleOptions) ([]Cycle, error) {
	if picture := len(times) == 0 && len(values) == 1; len(times) != len(values) && !picture {
		return nil, fmt.Errorf("%w series: %d values and %d times", keypoint.ErrInvalid, len(values), len(times))
	}
	if !(opt.Prominence >= 0) || !(opt.MinDuration >= 0) {
		return nil, fmt.Errorf("%w cycle options: %+v, want numbers of 0 or more", keypoint.ErrInvalid, opt)
	}
	var cycles []Cycle
	first := 0
	for k := range len(opt.PersonChanges) + 1 {
		end := len(values)
		if k < len(opt.PersonChanges) {
			if end = opt.PersonChanges[k]; end <= first || end >= len(values) {
				return nil, fmt.Errorf("%w cycle options: another person from frame %d on, want frames after %d and below %d", keypoint.ErrInvalid, end, first, len(values))
			}
		}
		cycles = append(cycles, opt.cycles(times, values, first, end)...)
		first = end
	}
	return cycles, nil
}

// cycles finds the repetitions in the values [first, end).
func (opt CycleOptions) cycles(times []float64, values []Value, first, end int) (cycles []Cycle) {
	sign := 1.0
	if opt.Upwards {
		sign = -1
	}
	var frames []int
	var x []float64 // with a sign that makes repetitions fall and rise
	for i := first; i < end; i++ {
		if v := values[i]; v.Present {
			frames, x = append(frames, i), append(x, sign*v.X)
		}
	}
	if len(x) < 3 {
		return nil
	}
	prominence := opt.Prominence
	if prominence == 0 {
		sample := slices.Clone(x)
		prominence = (percentile(sample, 0.95) - percentile(sample, 0.05)) / 3
	}
	if prominence <= 0 {
		return nil
	}
	turns := zigzag(x, prominence)
	for k := 1; k+1 < len(turns); k++ {
		a, b, c := turns[k-1], turns[k], turns[k+1]
		if x[b] >= x[a] { // a top
			continue
		}
		i, j, l := frames[a], frames[b], frames[c]
		if d := times[l] - times[i]; d >= cmp.Or(opt.MinDuration, leastDuration) {
			cycles = append(cycles, Cycle{i, j, l, values[i].X, values[j].X, values[l].X, d})
		}
	}
	return cycles
}

// zigzag returns the alternating tops and bottoms of x that differ by at least the
// prominence, with the first and the last extreme.
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
