// Package decode turns the numbers that come out of pose networks and person detectors
// into points and boxes. Its functions are pure: they read tensors and change nothing
// but the slice that they are given to append to.
//
// Positions are in pixels of the network's input, measured from the top left corner of
// its first pixel, whose middle is therefore at (0.5, 0.5). What is NaN or infinite in a
// tensor is never chosen: it comes out as a point of the score 0, or as no box at all.
package decode

import (
	"fmt"
	"math"
)

// Tensor is an array of numbers, of which the last index runs fastest.
type Tensor struct {
	Name  string // of the output, for errors
	Shape []int
	Data  []float32
}

// Spot is one point of a body: pixels of the network's input, and the network's score.
type Spot struct{ X, Y, Score float64 }

// unbatched returns the shape behind the batch, which must be 1 or left out; ok is false
// when there are not rank sizes, or when they do not make up the data.
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

// wrong is the error of a tensor whose shape does not fit.
func (t Tensor) wrong(want string, args ...any) error {
	return fmt.Errorf("output %q has the shape %v and %d numbers, want %s", t.Name, t.Shape, len(t.Data), fmt.Sprintf(want, args...))
}

// largest returns the index of the largest finite number and the number; −1 and 0 where
// there is none.
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
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
