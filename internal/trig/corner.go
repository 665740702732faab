package trig

import "math"

// CrossDot returns u_y·v_x − u_x·v_y and u·v, whose Atan2 is the counter-clockwise turn on
// screen from u to v; ok is false where one is zero or they are beyond all pictures, for
// which Corner is.
func CrossDot(ux, uy, vx, vy float64) (cross, dot float64, ok bool) {
	cross, dot = uy*vx-ux*vy, ux*vx+uy*vy
	square := cross*cross + dot*dot
	return cross, dot, square > 1e-280 && square < 1e280
}

// Corner returns the CrossDot of the rays b→a and b→c, scaled where they need it; ok is
// false where a or c lies on b.
func Corner(a, b, c [2]float64) (cross, dot float64, ok bool) {
	cross, dot, ok = CrossDot(a[0]-b[0], a[1]-b[1], c[0]-b[0], c[1]-b[1])
	if ok {
		return cross, dot, true
	}
	u, okU := ray(a, b)
	v, okV := ray(c, b)
	if !okU || !okV {
		return 0, 0, false
	}
	cross, dot, _ = CrossDot(u[0], u[1], v[0], v[1])
	return cross, dot, true
}

// ray returns the vector from b to a, scaled so that its longer side is 1; ok is false
// where a is b.
func ray(a, b [2]float64) (u [2]float64, ok bool) {
	u = [2]float64{a[0]*0.5 - b[0]*0.5, a[1]*0.5 - b[1]*0.5} // cannot overflow
	if a == b {
		return u, false
	}
	if u == ([2]float64{}) { // halves of the smallest numbers
		u = [2]float64{a[0] - b[0], a[1] - b[1]}
	}
	size := max(math.Abs(u[0]), math.Abs(u[1]))
	return [2]float64{u[0] / size, u[1] / size}, true
}
