package onnx

import "github.com/bodymotion/motion/keypoint"

// Box is an upright rectangle in pixels of a picture.
type Box struct{ Min, Max keypoint.Point }

func (b Box) width() float64  { return b.Max[0] - b.Min[0] }
func (b Box) height() float64 { return b.Max[1] - b.Min[1] }
func (b Box) centre() keypoint.Point {
	return keypoint.Point{(b.Min[0] + b.Max[0]) / 2, (b.Min[1] + b.Max[1]) / 2}
}

// meets reports whether b and c have a point in common.
func (b Box) meets(c Box) bool {
	return b.Min[0] <= c.Max[0] && c.Min[0] <= b.Max[0] && b.Min[1] <= c.Max[1] && c.Min[1] <= b.Max[1]
}

// moved returns the box moved by d.
func (b Box) moved(d keypoint.Point) Box { return Box{b.Min.Add(d), b.Max.Add(d)} }

// overlap returns the area that is common to b and c over the area of both together, 0 to
// 1.
func (b Box) overlap(c Box) float64 {
	width := min(b.Max[0], c.Max[0]) - max(b.Min[0], c.Min[0])
	height := min(b.Max[1], c.Max[1]) - max(b.Min[1], c.Min[1])
	if width <= 0 || height <= 0 {
		return 0
	}
	common := width * height
	return common / (b.width()*b.height() + c.width()*c.height() - common)
}

// Detection is somebody whom a Detector has found.
type Detection struct {
	Box   Box     // pixels of the picture
	Score float64 // 0 to 1: how surely this is a person
}

// sureScore is the score from which on nobody counts as more surely a person.
const sureScore = 0.3

// choose returns the index of the person who is most in the centre and in the foreground,
// −1 for nobody: as in inference/movenet the largest product of the box's area, its nearness
// to the middle, which falls from 1 there to a half at the middle of a side, and the score
// up to sureScore.
func choose(people []Detection, width, height float64) int {
	best, most := -1, 0.0
	for i, p := range people {
		c := p.Box.centre()
		dx, dy := (c[0]-width/2)/(width/2), (c[1]-height/2)/(height/2)
		value := p.Box.width() * p.Box.height() / (1 + dx*dx + dy*dy) * min(p.Score, sureScore)
		if value > most {
			best, most = i, value
		}
	}
	return best
}

// minOverlap is how much of the two boxes together must be common to both for them to be
// of the same person.
const minOverlap = 0.3

// again returns the index of the person whose box overlaps most with the last one of
// somebody, −1 for nobody.
func again(people []Detection, last Box) int {
	best, most := -1, 0.0
	for i, p := range people {
		if o := p.Box.overlap(last); o >= minOverlap && o > most {
			best, most = i, o
		}
	}
	return best
}

// pick returns the index of the person to look at: the one of the frame before, else the
// chosen one; −1 for nobody.
func pick(people []Detection, last Box, followed bool, width, height float64) int {
	if followed {
		if i := again(people, last); i >= 0 {
			return i
		}
	}
	return choose(people, width, height)
}
