package formats

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// choose returns the person that is kept of a frame: the one with the largest product of
// bounding box and sum of confidences, of equal ones the first. A Sequence has one person,
// and who is large and clear is likely whom the picture was taken of.
func choose(people []keypoint.Frame) keypoint.Frame {
	var best keypoint.Frame
	most := -1.0
	for i := range people {
		if w := weight(&people[i]); w > most && !people[i].Empty() {
			best, most = people[i], w
		}
	}
	return best
}

// weight is how large and clear a person is.
func weight(f *keypoint.Frame) float64 {
	low, high, _ := f.Bounds()
	sum := 0.0
	for _, p := range f.Present().List() {
		sum += f.Confidence(p)
	}
	return area(low, high) * sum
}

// area returns the area of a box, at most the largest number over the number of parts.
func area(low, high keypoint.Point) float64 {
	return min((high[0]-low[0])*(high[1]-low[1]), math.MaxFloat64/keypoint.NumParts)
}

// triple puts part p at the i-th of a list of x, y and score. A part with a score of 0 or a
// null in it is absent.
func triple(f *keypoint.Frame, p keypoint.Part, list []*float64, i int) {
	x, y, score := list[3*i], list[3*i+1], list[3*i+2]
	if x != nil && y != nil && score != nil && *score > 0 {
		f.Set(p, keypoint.Point{*x, *y}, *score)
	}
}
