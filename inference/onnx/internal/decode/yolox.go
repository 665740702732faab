package decode

import "math"

// Grid describes the output of a YOLOX or YOLO network.
type Grid struct {
	Width, Height int     // of the input in pixels
	Strides       []int   // cell sizes of the grids, pixels, in the output's order
	Class         int     // the index of the class "person"
	MinScore      float64 // 0 to 1: boxes with a lower score are dropped
	Overlap       float64 // 0 to 1: see NMS
}

// cells returns the number of cells of all grids.
func (g *Grid) cells() int {
	n := 0
	for _, s := range g.Strides {
		n += (g.Width / s) * (g.Height / s)
	}
	return n
}

// YOLOX decodes the raw output of a YOLOX network into people, best first. t is [1, cells, 5 + classes], grid by grid
// and row by row. Each cell has the position of the box's centre in the cell, the logarithms of width and height in
// strides, the objectness and the scores of the classes, both 0 to 1.
//
// For the cell (i, j) of stride s: x = (t₀ + i)·s, y = (t₁ + j)·s, width = exp(t₂)·s, height = exp(t₃)·s, score = t₄·t₅₊class.
//
// Source: Ge et al., YOLOX: Exceeding YOLO Series in 2021.
func YOLOX(t Tensor, g Grid) (people []Person, err error) {
	cells := g.cells()
	shape, ok := t.unbatched(2)
	if !ok || shape[0] != cells || shape[1] < 6+g.Class {
		return nil, t.wrong("[1, %d, 5 + classes] with at least %d classes: the raw answer for an input of %d×%d pixels and the strides %v",
			cells, g.Class+1, g.Width, g.Height, g.Strides)
	}
	n := shape[1]
	var boxes []Box
	row := t.Data
	for _, s := range g.Strides {
		stride := float64(s)
		for j := range g.Height / s {
			for i := range g.Width / s {
				r := row[:n]
				row = row[n:]
				score := float64(r[4]) * float64(r[5+g.Class])
				if !(score >= g.MinScore) {
					continue
				}
				x, y := (float64(r[0])+float64(i))*stride, (float64(r[1])+float64(j))*stride
				w, h := math.Exp(float64(r[2]))*stride, math.Exp(float64(r[3]))*stride
				if b := (Box{x - w/2, y - h/2, x + w/2, y + h/2, score}); b.valid() {
					boxes = append(boxes, b)
				}
			}
		}
	}
	for _, i := range NMS(boxes, g.Overlap) {
		people = append(people, Person{Box: boxes[i]})
	}
	return people, nil
}
