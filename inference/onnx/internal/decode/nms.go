package decode

import (
	"cmp"
	"slices"
)

// Box is an upright rectangle in pixels of the network's input, and how surely somebody
// is in it.
type Box struct{ X0, Y0, X1, Y1, Score float64 }

// valid reports whether the box has finite numbers and an area.
func (b *Box) valid() bool {
	return finite(b.X0, b.Y0, b.X1, b.Y1, b.Score) && b.X1 > b.X0 && b.Y1 > b.Y0
}

// Overlap returns the area that is common to b and c over the area of both together, 0 to
// 1.
func (b Box) Overlap(c Box) float64 {
	w, h := min(b.X1, c.X1)-max(b.X0, c.X0), min(b.Y1, c.Y1)-max(b.Y0, c.Y0)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h / ((b.X1-b.X0)*(b.Y1-b.Y0) + (c.X1-c.X0)*(c.Y1-c.Y0) - w*h)
}

// candidates is how many boxes are compared with each other at most, the best first: the
// work grows with the square.
const candidates = 1000

// NMS returns the indices of the boxes that overlap with none of a higher score by more
// than the limit (0 to 1), best first; of equal scores the first counts as higher. Of more
// than 1,000 boxes the best 1,000 are looked at.
func NMS(boxes []Box, limit float64) []int {
	order := make([]int, len(boxes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(boxes[k].Score, boxes[i].Score) })
	kept := make([]int, 0, 16)
	for _, i := range order[:min(len(order), candidates)] {
		if !slices.ContainsFunc(kept, func(k int) bool { return boxes[i].Overlap(boxes[k]) > limit }) {
			kept = append(kept, i)
		}
	}
	return kept
}

// suppress returns the boxes that NMS keeps.
func suppress(boxes []Box, limit float64) []Box {
	kept := make([]Box, 0, 16)
	for _, i := range NMS(boxes, limit) {
		kept = append(kept, boxes[i])
	}
	return kept
}
