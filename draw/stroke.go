package draw

import (
	"image"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// stroke is a line with round ends, evaluated on one row of pixels at a time.
type stroke struct {
	a, b   keypoint.Point
	d      keypoint.Point // from a to b
	across keypoint.Point // of the length 1, at right angles to d; zero for a dot
	per    float64        // 1/|d|², 0 for a dot
	slope  float64        // 1/d.y, 0 for a dot or a level line
	inner  float64        // distance up to which a pixel is fully covered
	outer  float64        // distance from which it is not covered
	row    float64        // y of the row's pixel centres
}

func newStroke(a, b keypoint.Point, radius float64) stroke {
	s := stroke{a: a, b: b, d: b.Sub(a), inner: radius - 0.5, outer: radius + 0.5}
	if n := s.d.Len(); n > 1e-9 {
		s.per = 1 / (n * n)
		s.across = keypoint.Point{-s.d[1] / n, s.d[0] / n}
		if s.d[1] != 0 {
			s.slope = 1 / s.d[1]
		}
	}
	return s
}

// span returns the part of the row within a distance of the line; ok is false if there is none. The shape is convex,
// so the ends of the span are ends of the two discs or of the two long sides.
func (s *stroke) span(distance float64) (left, right float64, ok bool) {
	if distance < 0 {
		return 0, 0, false
	}
	left, right = math.Inf(1), math.Inf(-1)
	for _, centre := range [2]keypoint.Point{s.a, s.b} {
		h := s.row - centre[1]
		if reach := distance*distance - h*h; reach >= 0 {
			reach = math.Sqrt(reach)
			left, right = min(left, centre[0]-reach), max(right, centre[0]+reach)
		}
	}
	if s.slope == 0 {
		return left, right, left <= right
	}
	for _, side := range [2]float64{distance, -distance} {
		if t := (s.row - s.a[1] - s.across[1]*side) * s.slope; t >= 0 && t <= 1 {
			x := s.a[0] + s.across[0]*side + s.d[0]*t
			left, right = min(left, x), max(right, x)
		}
	}
	return left, right, left <= right
}

// cover returns how much of the pixel with its centre at x the line covers, 0 to 255.
func (s *stroke) cover(x float64) uint32 {
	dx, dy := x-s.a[0], s.row-s.a[1]
	var d float64
	switch t := (dx*s.d[0] + dy*s.d[1]) * s.per; {
	case t <= 0:
		d = math.Sqrt(dx*dx + dy*dy)
	case t < 1:
		d = math.Abs(dx*s.across[0] + dy*s.across[1])
	default:
		dx, dy = x-s.b[0], s.row-s.b[1]
		d = math.Sqrt(dx*dx + dy*dy)
	}
	switch v := s.outer - d; {
	case v >= 1:
		return 255
	case v > 0:
		return uint32(int32(v*255 + 0.5))
	}
	return 0
}

// clip cuts a line to the picture and a margin around it, so that coordinates far outside cost nothing. ok is false if nothing is left.
func clip(a, b keypoint.Point, size image.Point, margin float64) (_, _ keypoint.Point, ok bool) {
	d := b.Sub(a)
	from, until := 0.0, 1.0
	for axis, length := range [2]int{size.X, size.Y} {
		low, high := -margin, float64(length)+margin
		if d[axis] == 0 {
			if a[axis] < low || a[axis] > high {
				return a, b, false
			}
			continue
		}
		t0, t1 := (low-a[axis])/d[axis], (high-a[axis])/d[axis]
		from, until = max(from, min(t0, t1)), min(until, max(t0, t1))
	}
	if from > until {
		return a, b, false
	}
	start, end := a, b
	if from > 0 {
		start = a.Add(d.Mul(from))
	}
	if until < 1 {
		end = a.Add(d.Mul(until))
	}
	return start, end, true
}
