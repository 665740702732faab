package movenet

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// longSide is the longer side of the picture that MultiPose gets, in pixels.
const longSide = 256

// person is somebody whom MultiPose has found.
type person struct {
	box   box     // pixels
	score float64 // 0 to 1: how surely this is a person
}

// find returns the people in the picture whose score reaches the gate, best first. The
// picture is shrunk to longSide, its sides filled up with black to multiples of 32.
func (v *view) find() ([]person, error) {
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	size := v.picture.Size
	scale := float64(longSide) / float64(max(size.X, size.Y))
	width := max(int(math.Round(float64(size.X)*scale)), 1)
	height := max(int(math.Round(float64(size.Y)*scale)), 1)
	w, h := (width+31)/32*32, (height+31)/32*32
	var people []person
	err := v.people.Run(h, w, func(rgb []byte) {
		clear(rgb)
		v.cutter.Whole(rgb, 3*w, width, height, &v.picture)
	}, func(out []float32) {
		// Pixels of the picture per unit of the output.
		kx := float64(w) * float64(size.X) / float64(width)
		ky := float64(h) * float64(size.Y) / float64(height)
		for i := range 6 {
			row := out[56*i : 56*i+56]
			if score := float64(row[55]); score >= v.opt.PersonThreshold {
				b := box{
					keypoint.Point{float64(row[52]) * kx, float64(row[51]) * ky},
					keypoint.Point{float64(row[54]) * kx, float64(row[53]) * ky},
				}
				people = append(people, person{b, score})
			}
		}
	})
	return people, err
}

// sureScore is the score from which on nobody counts as more surely a person.
const sureScore = 0.3

// choose returns the person who is most in the centre and in the foreground: the
// largest product of the box's area, its nearness to the middle, which falls from 1
// there to a half at the middle of a side, and the score up to sureScore, so that large
// shapes that hardly look like people do not hide somebody.
func choose(people []person, width, height float64) (person, bool) {
	var best person
	most := 0.0
	for _, p := range people {
		c := p.box.centre()
		dx, dy := (c[0]-width/2)/(width/2), (c[1]-height/2)/(height/2)
		value := p.box.width() * p.box.height() / (1 + dx*dx + dy*dy) * min(p.score, sureScore)
		if value > most {
			best, most = p, value
		}
	}
	return best, most > 0
}

// minOverlap is how much of the two boxes together must be common to both for them to
// be of the same person.
const minOverlap = 0.3

// again returns the person whose box overlaps most with the last one of somebody.
func again(people []person, last box) (person, bool) {
	var best person
	most := 0.0
	for _, p := range people {
		if o := p.box.overlap(last); o >= minOverlap && o > most {
			best, most = p, o
		}
	}
	return best, most > 0
}
