package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// plan is the person seen from above, facing up, with the place of the camera, in units of its viewBox.
type plan struct {
	Good, Ray   string
	Cameras     []camera
	Description string
}

// camera is a place on the ring and where it looks.
type camera struct{ X, Y, Turn float64 }

// plan draws the camera at a view. A person who faces the right of the picture shows the right side.
func (p *page) plan(view float64) *plan {
	sides := 0
	for _, f := range p.r.Sequence.Sideways() {
		switch f {
		case keypoint.FacingRight:
			sides++
		case keypoint.FacingLeft:
			sides--
		}
	}
	at := view
	if sides < 0 {
		at = -view
	}
	d := &plan{Description: p.in(texts.Say("plan", view))}
	d.stand(at)
	plane := quality.Sagittal
	if len(p.curves) > 0 && p.curves[0].Rule.Plane() == quality.Frontal {
		plane = quality.Frontal
	}
	pen := "M"
	for k := 0.0; k <= 360; k += 4 {
		if !plane.Fits(min(k, 360-k)) {
			pen = "M"
			continue
		}
		x, y := around(k)
		d.Good += fmt.Sprintf("%s%g %g", pen, x, y)
		pen = "L"
	}
	return d
}

// planInSpace draws the cameras that see the person in space, where they stand when they first do; nil if that is not known.
func (p *page) planInSpace() *plan {
	seq := p.r.Sequence
	headings := space.Headings(seq)
	i := slices.IndexFunc(headings, func(v keypoint.Position) bool { return v != (keypoint.Position{}) })
	if i < 0 {
		return nil
	}
	d := &plan{Description: p.in(texts.Say("plan.space"))}
	middle, _ := seq.Frames[i].Positions().Centroid(keypoint.All)
	for k := range seq.Space.Cameras {
		to := seq.Space.Cameras[k].Eye().Sub(middle)
		right := headings[i].Cross(keypoint.Position{0, 1, 0})
		d.stand(math.Atan2(to.Dot(right), to.Dot(headings[i])) * 180 / math.Pi)
	}
	return d
}

// stand puts a camera at an angle from the front, clockwise.
func (d *plan) stand(at float64) {
	x, y := around(at)
	d.Cameras, d.Ray = append(d.Cameras, camera{x, y, tenth(at + 180)}), d.Ray+fmt.Sprintf("M%g %gL40 40", x, y)
}

// around returns the place on the ring of the plan at an angle from the front, clockwise.
func around(degrees float64) (x, y float64) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return tenth(40 + 29*sin), tenth(40 - 29*cos)
}
