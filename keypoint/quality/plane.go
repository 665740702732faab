package quality

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// Plane is the plane of the body in which an angle lies. The zero value is no plane, or an unknown one.
type Plane uint8

// The planes.
const (
	anyPlane Plane = iota
	Sagittal       // seen from the side: bending knees, hips and elbows
	Frontal        // seen from the front or from behind: left against right
)

// PlaneOf returns the plane of a value that is computed from points: Frontal for points of both sides, such as both
// hips; Sagittal for three points of one side, such as hip, knee and ankle, except for the angle at the shoulder, which
// is flexion from the side and abduction from the front. Everything else has none.
func PlaneOf(points ...keypoint.Selector) Plane {
	var left, right keypoint.Parts
	for _, s := range points {
		l, r := sidesOf(s)
		left, right = left|l, right|r
	}
	switch {
	case left != 0 && right != 0:
		for _, p := range left.List() {
			if right.Has(p.Mirror()) {
				return Frontal
			}
		}
		return anyPlane
	case len(points) != 3 || left|right == 0:
		return anyPlane
	}
	left, right = sidesOf(points[1])
	if joint := left | right; joint == keypoint.PartsOf(keypoint.LeftShoulder) || joint == keypoint.PartsOf(keypoint.RightShoulder) {
		return anyPlane
	}
	return Sagittal
}

// sidesOf returns the parts of a selector by side; a point between both sides belongs to neither.
func sidesOf(s keypoint.Selector) (left, right keypoint.Parts) {
	parts := keypoint.PartsOf(s.Parts...)
	left, right = parts&keypoint.LeftBody, parts&keypoint.RightBody
	if left != 0 && right != 0 {
		return 0, 0
	}
	return left, right
}

// The limits of the view, degrees from the front or from behind. A sagittal angle must be warned of
// below 55 and not beyond 70, a frontal one above 35 and not below 20: these are between.
const (
	sagittalView = 64
	frontalView  = 31
)

// Fits reports whether the view of frame i suits an angle of the plane: 64 to 116 degrees for Sagittal, up to 31 or
// from 149 for Frontal. If the view is unknown, known is false and fits is true. Without a plane fits is true.
func (v Views) Fits(plane Plane, i int) (fits, known bool) {
	degrees, ok := v.View(i)
	return !ok || plane.Fits(degrees), ok
}

// Fits reports whether a view of 0 to 180 degrees suits an angle of the plane, as Views.Fits says.
func (p Plane) Fits(view float64) bool {
	off := min(view, 180-view) // from the front or from behind
	switch p {
	case Sagittal:
		return off >= sagittalView
	case Frontal:
		return off <= frontalView
	}
	return true
}

// OutOfPlane returns a warning for each run of the frames first to last in which the view does not
// fit an angle of the plane. There are none without a plane.
func (v Views) OutOfPlane(plane Plane, first, last int) []Warning {
	var list []Warning
	var sum float64
	for i := max(first, 0); i <= min(last, len(v.frames)-1); i++ {
		if fits, _ := v.Fits(plane, i); fits {
			continue
		}
		if n := len(list); n == 0 || list[n-1].To != i-1 {
			list, sum = append(list, Warning{Code: CodeOutOfPlane, From: i}), 0
		}
		w := &list[len(list)-1]
		w.To = i
		sum += v.frames[i].degrees
		w.Detail = fmt.Sprintf("%s at about %.0f°.", wanted[plane], math.Round(sum/float64(w.To-w.From+1)))
	}
	return list
}

// wanted says from where a plane is seen.
var wanted = map[Plane]string{
	Sagittal: "This angle shows from the side (90°), and the person is seen",
	Frontal:  "This value shows from the front (0°) or from behind (180°), and the person is seen",
}
