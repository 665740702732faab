// Package decode turns the outputs of pose networks and person detectors into points and boxes. Its
// functions are pure: they change nothing but the slice they append to.
//
// Positions are pixels of the network's input from its top left corner: the centre of the first pixel
// is at (0.5, 0.5). NaN and infinite numbers in a tensor give a point with score 0, or no box.
package decode

import (
	"fmt"
	"math"
	"slices"
)

// Tensor is an array of numbers in row-major order.
type Tensor struct {
	Name  string // of the output, for errors
	Shape []int
	Data  []float32
}

// Spot is a point of a body in pixels of the network's input, with its score.
type Spot struct{ X, Y, Score float64 }

// unbatched returns the shape without the batch size, which must be 1 or absent; ok is false unless it has rank sizes that match the data.
func (t Tensor) unbatched(rank int) (shape []int, ok bool) {
	shape = t.Shape
	if len(shape) == rank+1 && shape[0] == 1 {
		shape = shape[1:]
	}
	if len(shape) != rank {
		return nil, false
	}
	n := 1
	for _, s := range shape {
		if s < 0 || s > 0 && n > math.MaxInt32/s {
			return nil, false
		}
		n *= s
	}
	return shape, n == len(t.Data)
}

// wrong returns the error for a tensor of the wrong shape.
func (t Tensor) wrong(want string, args ...any) error {
	return fmt.Errorf("output %q has the shape %v and %d numbers, want %s", t.Name, t.Shape, len(t.Data), fmt.Sprintf(want, args...))
}

// largest returns the index of the largest finite number and the number; −1 and 0 if there is none.
func largest(row []float32) (at int, value float64) {
	at = -1
	best := float32(math.Inf(-1))
	for i, v := range row {
		if v > best && v <= math.MaxFloat32 {
			at, best = i, v
		}
	}
	if at < 0 {
		return -1, 0
	}
	return at, float64(best)
}

// finite reports whether all the numbers are finite.
func finite(values ...float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}
