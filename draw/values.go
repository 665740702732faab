package draw

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// Values returns labels that write the values of analyses beside the skeleton: label k writes the
// value of analysis k beside the parts at[k] of the person. Values of the left side of the body are
// blue, of the right orange, and others white; in a drawing with a Body they have its colours.
//
// Each label keeps to one side of the picture throughout the recording: the one on which fewer
// lines of the skeleton and fewer labels before it are in its way.
func Values(s keypoint.Sequence, at [][]keypoint.Part) []Rule {
	var rules []Rule
	var placed []obstacle
	for k, parts := range at {
		place := obstacle{parts: parts}
		var costs [2]float64
		for i := range s.Frames {
			for right := range costs {
				place.right = right == 1
				costs[right] += place.cost(&s.Frames[i], placed)
			}
		}
		place.right = costs[1] <= costs[0]
		placed = append(placed, place)
		r := Rule{Type: typeLabel, Analysis: &k, Color: [...]Color{White, "blueGreen", "orange"}[sideOf(parts)], Points: []keypoint.Selector{place.selector()}, Beside: "left"}
		if place.right {
			r.Beside = "right"
		}
		rules = append(rules, r)
	}
	return rules
}

// obstacle is a text beside parts of the body, on the left or on the right.
type obstacle struct {
	parts []keypoint.Part
	right bool
}

// selector returns the outermost of the parts.
func (o obstacle) selector() keypoint.Selector {
	switch {
	case len(o.parts) == 1:
		return keypoint.PartSelector(o.parts[0])
	case o.right:
		return keypoint.Selector{Type: keypoint.HorizontalRight, Parts: o.parts}
	}
	return keypoint.Selector{Type: keypoint.HorizontalLeft, Parts: o.parts}
}

// cost counts what is in the way of the text in a frame: points of the skeleton within its box, ten
// times the texts that have been placed there, and a trifle if it is on the inner side.
func (o obstacle) cost(f *keypoint.Frame, placed []obstacle) (n float64) {
	at, ok := o.selector().At(f)
	low, high, _ := f.Bounds()
	if !ok {
		return 0
	}
	body := max(high.Sub(low).Len(), 1)
	near, far, tall := 0.04*body, 0.25*body, 0.05*body
	within := func(p keypoint.Point) bool {
		right := p[0] - at[0]
		if !o.right {
			right = -right
		}
		return right > near && right < far && p[1] > at[1]-tall && p[1] < at[1]+tall
	}
	for _, e := range keypoint.Skeleton() {
		a, okA := f.At(e[0])
		b, okB := f.At(e[1])
		for share := 0.0; okA && okB && share <= 1; share += 0.125 {
			if within(a.Add(b.Sub(a).Mul(share))) {
				n++
			}
		}
	}
	for _, other := range placed {
		p, ok := other.selector().At(f)
		if ok && other.right == o.right && math.Abs(p[0]-at[0]) < far && math.Abs(p[1]-at[1]) < tall {
			n += 10
		}
	}
	if inner := at[0] < (low[0]+high[0])/2; inner == o.right {
		n += 0.01
	}
	return n
}
