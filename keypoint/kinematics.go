package keypoint

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
			out[i] = Vector{v[to].Value.Sub(v[from].Value).Mul(1 / dt), true}
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
	for i := range s.Frames {
		f := &s.Frames[i]
		p, okP := a.At(f)
		q, okQ := b.At(f)
		r, okR := c.At(f)
		if !okP || !okQ || !okR {
			continue
		}
		angle, okA := Angle(p, q, r)
		if !okA {
			continue
		}
		if !ok {
			low, high, ok = angle, angle, true
		}
		low, high = min(low, angle), max(high, angle)
	}
	return low, high, ok
}
