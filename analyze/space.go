package analyze

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// pose is where a body is in space, with the directions against which named angles are.
type pose struct {
	at      *keypoint.Positions
	forward keypoint.Position // where the person faces, horizontal; zero if unknown
}

// inPlane is the share of a limb in the plane of an angle, below which that plane does not show where it points: the cosine of 60 degrees.
const inPlane = 0.5

// varies is the share of the error of a place that changes with the pose. The uncertainty of an angle tells of this share
// alone: what stays the same throughout a recording is left out. It was chosen on half of the rendered pairs.
const varies = 0.5

// vertical is upwards.
var vertical = keypoint.Position{0, 1, 0}

// point returns the mean of parts; ok is false if one of them is unknown.
func (p *pose) point(parts []keypoint.Part) (at keypoint.Position, ok bool) {
	set := keypoint.PartsOf(parts...)
	at, _ = p.at.Centroid(set)
	return at, p.at.Present()&set == set
}

// direction returns that of a ray in a plane or in space; ok is false if a part is unknown.
func (p *pose) direction(r *ray, right, up keypoint.Position) (v keypoint.Position, ok bool) {
	if r.world != (keypoint.Point{}) {
		return right.Mul(r.world[0]).Sub(up.Mul(r.world[1])), true
	}
	tail, okT := p.point(r.tail.Parts)
	head, okH := p.point(r.head.Parts)
	return unit(head.Sub(tail)), okT && okH
}

// plane returns two directions at right angles in the plane of an angle, as a picture from the person's right side shows them
// to the right and upwards, or one from the front: along the trunk and the line of the hips, or upright along the heading. ok
// is false if they cannot be told.
func (p *pose) plane(a *angle) (right, up keypoint.Position, ok bool) {
	forward, left, up := p.forward, vertical.Cross(p.forward), vertical
	if !a.upright {
		neck, okN := p.point(shoulders.Parts)
		seat, okS := p.point(hips.Parts)
		l, _ := p.at.At(keypoint.LeftHip)
		r, _ := p.at.At(keypoint.RightHip)
		if !okN || !okS {
			return right, up, false
		}
		up, left = unit(neck.Sub(seat)), l.Sub(r)
		left = unit(left.Sub(up.Mul(left.Dot(up))))
		forward = left.Cross(up)
	}
	right = forward
	if a.plane == quality.Frontal {
		right = left
	}
	return right, up, right != (keypoint.Position{}) && up != (keypoint.Position{})
}

// value returns the angle in degrees by the definitions of the picture: from the person's right side, or from the front. Angles of
// knees, elbows and ankles are those between the limbs, whichever way they bend; a knee bends back if it is behind the line from
// hip to ankle. ok is false if a part or the plane is unknown, and where a limb points out of the plane by more than 60 degrees.
func (p *pose) value(j *joint) (degrees float64, ok bool) {
	if j.hinge != 0 {
		v, okV := p.direction(&j.from, vertical, vertical)
		w, okW := p.direction(&j.to, vertical, vertical)
		bend := math.Atan2(v.Cross(w).Len(), v.Dot(w)) * 180 / math.Pi
		if j.angle == kneeFlexion && p.behind(j) {
			bend = -bend
		}
		return j.zero + j.hinge*bend, okV && okW && v != (keypoint.Position{}) && w != (keypoint.Position{})
	}
	right, up, okP := p.plane(j.angle)
	v, okV := p.direction(&j.from, right, up)
	w, okW := p.direction(&j.to, right, up)
	vx, vy, wx, wy := v.Dot(right), v.Dot(up), w.Dot(right), w.Dot(up)
	if !okP || !okV || !okW || min(math.Hypot(vx, vy), math.Hypot(wx, wy)) < inPlane {
		return 0, false
	}
	turn := math.Atan2(vx*wy-vy*wx, vx*wx+vy*wy) * 180 / math.Pi
	if j.side == RightSide && j.plane == quality.Frontal {
		turn = -turn
	}
	return j.zero + j.sign*turn, true
}

// behind reports whether a knee is behind the line from hip to ankle rather than beside it or before it.
func (p *pose) behind(j *joint) bool {
	top, _ := p.point(j.from.tail.Parts)
	middle, _ := p.point(j.from.head.Parts)
	bottom, _ := p.point(j.to.head.Parts)
	l, okL := p.at.At(keypoint.LeftHip)
	r, okR := p.at.At(keypoint.RightHip)
	along, out := unit(top.Sub(bottom)), middle.Sub(bottom)
	out = unit(out.Sub(along.Mul(out.Dot(along))))
	return okL && okR && out.Dot(unit(l.Sub(r).Cross(along))) < -math.Sqrt2/2
}

// unit returns the direction of a vector, zero if it has none.
func unit(v keypoint.Position) keypoint.Position {
	if n := v.Len(); n > 0 && finite(n) {
		return v.Mul(1 / n)
	}
	return keypoint.Position{}
}

// errorOf returns how much an angle changes with the errors of all places that it needs, each in each direction, in degrees.
func (p *pose) errorOf(j *joint) float64 {
	at, _ := p.value(j)
	places, sum := *p.at, 0.0
	moved := pose{&places, p.forward}
	for _, part := range j.needs.List() {
		place, _ := p.at.At(part)
		sigma := varies * p.at.Error(part)
		for axis := range place {
			to := place
			to[axis] += sigma
			places.Set(part, to, sigma)
			v, _ := moved.value(j)
			change := math.Remainder(v-at, 360)
			sum += change * change
		}
		places.Set(part, place, sigma)
	}
	if j.upright {
		moved.forward = p.turned()
		v, _ := moved.value(j)
		sum += (v - at) * (v - at)
	}
	return math.Sqrt(sum)
}

// turned returns the heading, turned by its error: that of the lines of shoulders and hips.
func (p *pose) turned() keypoint.Position {
	sum := 0.0
	for _, pair := range [...]keypoint.Selector{shoulders, hips} {
		l, okL := p.at.At(pair.Parts[0])
		r, okR := p.at.At(pair.Parts[1])
		if width := l.Sub(r).Len(); okL && okR && width > 0 {
			sum += (math.Pow(p.at.Error(pair.Parts[0]), 2) + math.Pow(p.at.Error(pair.Parts[1]), 2)) / (width * width)
		}
	}
	return unit(p.forward.Add(vertical.Cross(p.forward).Mul(math.Sqrt(sum) / 2)))
}

// across returns how far the first point is to the left of the second one, and with the heading turned by its error; ok is
// false if one is unknown.
func (p *pose) across(points []keypoint.Selector) (length, turned float64, ok bool) {
	l, okL := p.point(points[0].Parts)
	r, okR := p.point(points[1].Parts)
	l = l.Sub(r)
	return l.Dot(vertical.Cross(p.forward)), l.Dot(vertical.Cross(p.turned())), okL && okR
}
