package inference

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// How a lost person is known again.
const (
	memory     = 2.0 // for how long, seconds
	maxGrowth  = 2   // change of size, either way
	reach      = 1.0 // change of place, in extents, and as much again for each second away
	sizeMemory = 2.0 // seconds in which a size that was seen counts 1/e of it
)

// sizeOf returns the extent of a person who had an extent of size, elapsed seconds ago, and is
// in a box now. It is about the largest one of the last seconds: a person who crouches, tucks or
// leaves the picture at its edge has not become small.
func sizeOf(size, elapsed float64, now Box) float64 {
	return max(now.Extent(), size*math.Exp(-elapsed/sizeMemory))
}

// reappeared returns the index of the person of a size who was lost for away seconds: the
// nearest one of about the same size; −1: nobody.
func reappeared(last keypoint.Frame, size float64, people []Candidate, away float64) int {
	was, _ := BoundsOf(&last)
	return best(people, func(p Candidate) float64 { return likeness(was, size, p.Box, away) })
}

// likeness returns how likely box b shows the person of a size who was in box a, away seconds
// ago; 0: impossible.
func likeness(a Box, size float64, b Box, away float64) float64 {
	like := func(extent float64) bool {
		growth := b.Extent() / extent
		return growth > 1.0/maxGrowth && growth < maxGrowth
	}
	if !like(a.Extent()) && !like(size) {
		return 0
	}
	return nearness(a, size, b, away)
}

// nearness is the part of likeness that is due to the place.
func nearness(a Box, size float64, b Box, away float64) float64 {
	d := b.Centre().Sub(a.Centre()).Len() / size / (reach * (1 + away))
	return max(0, 1-d)
}
