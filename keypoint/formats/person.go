package formats

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// chosen is the person of a frame to keep, who is large and clear: the one with the largest product of box and sum of
// confidences, of equal ones the first.
type chosen struct {
	frame keypoint.Frame
	most  float64
}

// add considers somebody with the box around the parts.
func (c *chosen) add(f *keypoint.Frame) {
	low, high, _ := f.Bounds()
	c.addBox(f, area(low, high))
}

// addBox considers somebody with a box in square pixels.
func (c *chosen) addBox(f *keypoint.Frame, area float64) {
	sum := 0.0
	for _, p := range f.Present().List() {
		sum += f.Confidence(p)
	}
	if w := area * sum; !f.Empty() && (w > c.most || c.frame.Empty()) {
		c.frame, c.most = *f, w
	}
}

// area returns the area of a box, 0 for an invalid box and at most the largest number over the number of parts.
func area(low, high keypoint.Point) float64 {
	return max(0, min((high[0]-low[0])*(high[1]-low[1]), math.MaxFloat64/keypoint.NumParts))
}

// triple sets part p to the i-th triple of x, y and score. A part with a score of 0 or with a null is absent.
func triple(f *keypoint.Frame, p keypoint.Part, list []*float64, i int) {
	x, y, score := list[3*i], list[3*i+1], list[3*i+2]
	if x != nil && y != nil && score != nil && *score > 0 {
		f.Set(p, keypoint.Point{*x, *y}, *score)
	}
}
