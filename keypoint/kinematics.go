package keypoint

// Velocity returns the velocity of a point in frame i in pixels per second, or in metres per second and
// along the floor if the sequence has such a World:
//
//	v(i) = (p(i+1) − p(i−1)) / (t(i+1) − t(i−1))
//
// If only one of the neighbouring frames has the point of the same person, it is the difference
// to that one. ok is false if frame i or both neighbours lack the point, and if the sequence has
// no times.
func (s Sequence) Velocity(i int, point Selector) (v Point, ok bool) {
	return s.derivative(i, func(i int) (Point, bool) { return s.place(i, point) })
}

// place returns a point of frame i in the World.
func (s Sequence) place(i int, point Selector) (pt Point, ok bool) {
	pt, ok = point.At(&s.Frames[i])
	return s.World.Point(pt), ok
}

// Acceleration returns the change of the velocity of a point in frame i, in pixels or metres per
// second squared, by the rule of Velocity.
func (s Sequence) Acceleration(i int, point Selector) (a Point, ok bool) {
	return s.derivative(i, func(i int) (Point, bool) { return s.Velocity(i, point) })
}

// AngularVelocity returns the change of the angle at b between the rays to a and to c in frame
// i, in degrees per second, by the rule of Velocity. It is positive if the angle opens.
func (s Sequence) AngularVelocity(i int, a, b, c Selector) (v float64, ok bool) {
	d, ok := s.derivative(i, func(i int) (Point, bool) {
		degrees, ok := s.Frames[i].angle(a, b, c)
		return Point{degrees}, ok
	})
	return d[0], ok
}

// derivative returns the change per second between the neighbours of frame i.
func (s Sequence) derivative(i int, at func(i int) (Point, bool)) (d Point, ok bool) {
	value, ok := at(i)
	if !ok || len(s.Times) != s.Len() {
		return Point{}, false
	}
	from, to, first, last := i, i, value, value
	if i > 0 && s.samePerson(i-1) {
		if v, ok := at(i - 1); ok {
			from, first = i-1, v
		}
	}
	if i+1 < s.Len() && s.samePerson(i) {
		if v, ok := at(i + 1); ok {
			to, last = i+1, v
		}
	}
	dt := s.Times[to] - s.Times[from]
	if d = last.Sub(first).Mul(1 / dt); dt <= 0 || !finite(d[0]) || !finite(d[1]) {
		return Point{}, false
	}
	return d, true
}

// PathLength returns the distance that a point of the MainPerson travels in pixels, or in metres if the
// World has a scale: the sum of
// the straight lines between successive frames that have it.
func (s Sequence) PathLength(point Selector) float64 {
	length := 0.0
	var last Point
	known := false
	first, end := s.MainPerson()
	for i := first; i <= end; i++ {
		if pt, ok := s.place(i, point); ok {
			if known {
				length += pt.Sub(last).Len()
			}
			last, known = pt, true
		}
	}
	return length
}

// RangeOfMotion returns the smallest and the largest angle at b between the rays to a and to
// c over all frames of the MainPerson, 0 to 180 degrees. ok is false if no frame has the angle.
func (s Sequence) RangeOfMotion(a, b, c Selector) (low, high float64, ok bool) {
	first, last := s.MainPerson()
	for i := first; i <= last; i++ {
		v, found := s.Frames[i].angle(a, b, c)
		if !found {
			continue
		}
		if !ok {
			low, high, ok = v, v, true
		}
		low, high = min(low, v), max(high, v)
	}
	return low, high, ok
}
