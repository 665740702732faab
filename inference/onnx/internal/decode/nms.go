package decode

import (
	"cmp"
	"slices"
)

// Box is an upright rectangle in pixels of the network's input, with the score of a person in it.
type Box struct{ X0, Y0, X1, Y1, Score float64 }

// valid reports whether the box has finite numbers and an area.
func (b *Box) valid() bool {
	return finite(b.X0, b.Y0, b.X1, b.Y1, b.Score) && b.X1 > b.X0 && b.Y1 > b.Y0
}

// Overlap returns the intersection over union of b and c, 0 to 1.
func (b Box) Overlap(c Box) float64 {
	w, h := min(b.X1, c.X1)-max(b.X0, c.X0), min(b.Y1, c.Y1)-max(b.Y0, c.Y0)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h / ((b.X1-b.X0)*(b.Y1-b.Y0) + (c.X1-c.X0)*(c.Y1-c.Y0) - w*h)
}

// candidates limits the boxes that are compared with each other: time grows with the square.
const candidates = 1000

// NMS is non-maximum suppression: it returns the indices of the boxes that overlap no better one by more than limit
// (0 to 1), best first. Of equal scores the first counts as better. NMS ignores all but the best 1,000 boxes.
func NMS(boxes []Box, limit float64) []int {
	order := make([]int, len(boxes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(boxes[k].Score, boxes[i].Score) })
	var kept []int
	for _, i := range order[:min(len(order), candidates)] {
		if !slices.ContainsFunc(kept, func(k int) bool { return boxes[i].Overlap(boxes[k]) > limit }) {
			kept = append(kept, i)
		}
	}
	return kept
}
