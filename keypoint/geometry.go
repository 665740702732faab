package keypoint

import "math"

// Turn returns the counter-clockwise turn on screen from the ray b→a to the ray b→c, −180 < v ≤ 180 degrees:
//
//	turn = atan2(u_y·v_x − u_x·v_y, u·v)    with u = a − b, v = c − b
//
// ok is false if a or c lies on b.
func Turn(a, b, c Point) (degrees float64, ok bool) {
	u, okU := ray(b, a)
	v, okV := ray(b, c)
	if !okU || !okV {
		return 0, false
	}
	degrees = math.Atan2(u[1]*v[0]-u[0]*v[1], u.Dot(v)) * (180 / math.Pi)
	if degrees <= -180 { // of −0
		degrees = 180
	}
	return degrees, true
}

// ray returns the vector between two points, scaled by a power of two to a length near 1, so
// that products of rays neither overflow nor vanish; ok is false where the points are equal.
func ray(from, to Point) (v Point, ok bool) {
	v = to.Sub(from)
	if !finite(v[0]) || !finite(v[1]) {
		v = to.Mul(0.5).Sub(from.Mul(0.5))
	}
	_, exponent := math.Frexp(max(math.Abs(v[0]), math.Abs(v[1])))
	return Point{math.Ldexp(v[0], -exponent), math.Ldexp(v[1], -exponent)}, from != to
}

// Distance returns the distance of two parts in pixels; ok is false if one is missing.
func (f *Frame) Distance(a, b Part) (pixels float64, ok bool) {
	p, okP := f.At(a)
	q, okQ := f.At(b)
	if !okP || !okQ {
		return 0, false
	}
	return p.Sub(q).Len(), true
}

// Angle returns the angle at part b between the rays to a and to c, 0 to 180 degrees: of hip, knee and ankle it is 180
// for a straight leg. ok is false if a part is missing or if a or c lies on b.
func (f *Frame) Angle(a, b, c Part) (degrees float64, ok bool) {
	p, okP := f.At(a)
	q, okQ := f.At(b)
	r, okR := f.At(c)
	if !okP || !okQ || !okR {
		return 0, false
	}
	degrees, ok = Turn(p, q, r)
	return math.Abs(degrees), ok
}

// Bounds returns the smallest and the largest coordinates of the parts that were found, in pixels; ok is false if the frame is empty.
func (f *Frame) Bounds() (low, high Point, ok bool) {
	for k, p := range f.present.List() {
		pt := f.points[p]
		if k == 0 {
			low, high = pt, pt
		}
		low = Point{min(low[0], pt[0]), min(low[1], pt[1])}
		high = Point{max(high[0], pt[0]), max(high[1], pt[1])}
	}
	return low, high, !f.Empty()
}

// Centroid returns the mean of the parts of a set that were found, in pixels; ok is false if there are none.
func (f *Frame) Centroid(parts Parts) (pt Point, ok bool) {
	parts &= f.present
	if parts == 0 {
		return Point{}, false
	}
	for _, p := range parts.List() {
		pt = pt.Add(f.points[p])
	}
	return pt.Mul(1 / float64(parts.Len())), true
}

// TorsoLength returns the distance from the middle of the shoulders to the middle of the hips in pixels. If a part is
// missing, it uses the complete side, or else the parts found. ok is false without a shoulder or without a hip.
func (f *Frame) TorsoLength() (pixels float64, ok bool) {
	shoulders, hips := PartsOf(LeftShoulder, RightShoulder), PartsOf(LeftHip, RightHip)
	for _, side := range [...]Parts{All, LeftBody, RightBody} {
		if want := (shoulders | hips) & side; f.present&want == want {
			shoulders, hips = shoulders&side, hips&side
			break
		}
	}
	a, okA := f.Centroid(shoulders)
	b, okB := f.Centroid(hips)
	return a.Sub(b).Len(), okA && okB
}

// The lengths of segments as shares of the body height, from the joint heights of Drillis and
// Contini, Body Segment Parameters (1966): ankle .039, knee .285, hip .530, shoulder .818.
const (
	shankShare = 0.285 - 0.039
	thighShare = 0.530 - 0.285
	trunkShare = 0.818 - 0.530
)

// BodyHeight estimates the standing height of the person in pixels from the lengths of shank, thigh and trunk, so that
// bent knees do not matter. Of each segment it takes the longer side, which is less foreshortened:
//
//	height = (shank + thigh + trunk) / (0.246 + 0.245 + 0.288)
//
// Missing segments are left out above and below. ok is false if the trunk is missing.
func (f *Frame) BodyHeight() (pixels float64, ok bool) {
	sum, ok := f.TorsoLength()
	share := trunkShare
	var thigh, shank float64
	for _, leg := range legs {
		upper, _ := f.Distance(leg.hip, leg.knee)
		lower, _ := f.Distance(leg.knee, leg.ankle)
		thigh, shank = max(thigh, upper), max(shank, lower)
	}
	if thigh > 0 {
		sum, share = sum+thigh, share+thighShare
	}
	if shank > 0 {
		sum, share = sum+shank, share+shankShare
	}
	return sum / share, ok
}
