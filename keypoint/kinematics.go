package keypoint

import "math"

// Vector is a change of place per unit of time, in pixels per second or per second squared.
type Vector struct {
	Value   Point
	Present bool // false where the frame has none
}

// Velocity returns the velocity of a point in every frame, in pixels per second: from the
// frame before to the frame after, or to the one of them that has the point. A frame that
// lacks the point, or both neighbours, has none; without times no frame has one.
func (s Sequence) Velocity(point Selector) []Vector {
	places := make([]Vector, s.Len())
	for i := range s.Frames {
		places[i].Value, places[i].Present = point.At(&s.Frames[i])
	}
	return derivative(s.Times, places)
}

// Acceleration returns the change of Velocity in every frame, in pixels per second squared.
func (s Sequence) Acceleration(point Selector) []Vector {
	return derivative(s.Times, s.Velocity(point))
}

// Scalar is a number of a frame.
type Scalar struct {
	Value   float64
	Present bool // false where the frame has none
}

// Speed returns how fast a point moves in every frame, the length of its Velocity in pixels
// per second.
func (s Sequence) Speed(point Selector) []Scalar {
	out := make([]Scalar, s.Len())
	for i, v := range s.Velocity(point) {
		if v.Present {
			out[i] = Scalar{math.Hypot(v.Value[0], v.Value[1]), true}
		}
	}
	return out
}

// Angles returns the angle at b between the rays to a and to c in every frame, 0 to 180
// degrees.
func (s Sequence) Angles(a, b, c Selector) []Scalar {
	out := make([]Scalar, s.Len())
	for i := range s.Frames {
		f := &s.Frames[i]
		p, okP := a.At(f)
		q, okQ := b.At(f)
		r, okR := c.At(f)
		if okP && okQ && okR {
			out[i].Value, out[i].Present = Angle(p, q, r)
		}
	}
	return out
}

// AngularVelocity returns the change of Angles in every frame, in degrees per second,
// positive when the angle opens; with the frames that Velocity takes.
func (s Sequence) AngularVelocity(a, b, c Selector) []Scalar {
	angles := make([]Vector, s.Len())
	for i, v := range s.Angles(a, b, c) {
		angles[i] = Vector{Point{v.Value}, v.Present}
	}
	out := make([]Scalar, s.Len())
	for i, v := range derivative(s.Times, angles) {
		out[i] = Scalar{v.Value[0], v.Present}
	}
	return out
}

// derivative takes the change per second between the neighbours of each frame.
func derivative(times []float64, v []Vector) []Vector {
	out := make([]Vector, len(v))
	if len(times) != len(v) {
		return out
	}
	has := func(i int) bool { return i >= 0 && i < len(v) && v[i].Present }
	for i := range v {
		from, to := i, i
		if has(i - 1) {
			from--
		}
		if has(i + 1) {
			to++
		}
		if dt := times[to] - times[from]; v[i].Present && dt > 0 {
			d := v[to].Value.Sub(v[from].Value).Mul(1 / dt)
			if finite(d[0]) && finite(d[1]) { // else beyond the range of numbers
				out[i] = Vector{d, true}
			}
		}
	}
	return out
}

// PathLength returns how far a point travels in pixels: the sum of the straight lines from
// each frame that has it to the next one that does.
func (s Sequence) PathLength(point Selector) float64 {
	length := 0.0
	var last Point
	known := false
	for i := range s.Frames {
		if pt, ok := point.At(&s.Frames[i]); ok {
			if known {
				length += pt.Sub(last).Len()
			}
			last, known = pt, true
		}
	}
	return length
}

// RangeOfMotion returns the smallest and the largest angle at b between the rays to a and to
// c over the frames, 0 to 180 degrees; ok is false where no frame has the angle.
func (s Sequence) RangeOfMotion(a, b, c Selector) (low, high float64, ok bool) {
	for _, v := range s.Angles(a, b, c) {
		if !v.Present {
			continue
		}
		if !ok {
			low, high, ok = v.Value, v.Value, true
		}
		low, high = min(low, v.Value), max(high, v.Value)
	}
	return low, high, ok
}
