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

// inPlane is the share of a limb in the plane of an angle, below which that plane does not show where it points: the
// cosine of 60 degrees.
const inPlane = 0.5

// vertical is upwards.
var vertical = keypoint.Position{0, 1, 0}

// point returns the mean of the parts of a selector; ok is false if one of them is unknown.
func (p *pose) point(s keypoint.Selector) (sum keypoint.Position, ok bool) {
	for _, part := range s.Parts {
		at, ok := p.at.At(part)
		if !ok {
			return sum, false
		}
		sum = sum.Add(at.Mul(1 / float64(len(s.Parts))))
	}
	return sum, true
}

// plane returns two directions at right angles in the plane of an angle, as a picture from the person's right side shows them
// to the right and upwards, or one from the front: along the trunk and the line of the hips, or upright along the heading. ok
// is false if they cannot be told.
func (p *pose) plane(a *angle) (right, up keypoint.Position, ok bool) {
	forward, left, up := p.forward, vertical.Cross(p.forward), vertical
	if !a.upright {
		neck, okN := p.point(shoulders)
		seat, okS := p.point(hips)
		l, okL := p.at.At(keypoint.LeftHip)
		r, okR := p.at.At(keypoint.RightHip)
		if !okN || !okS || !okL || !okR {
			return right, up, false
		}
		up = unit(neck.Sub(seat))
		left = l.Sub(r)
		left = unit(left.Sub(up.Mul(left.Dot(up))))
		forward = left.Cross(up)
	}
	right = forward
	if a.plane == quality.Frontal {
		right = left
	}
	return right, up, right != (keypoint.Position{}) && up != (keypoint.Position{})
}

// value returns the angle of a side in degrees, by the definitions of the picture: from the person's right side, or from the
// front. Angles of knees, elbows and ankles are those between the limbs, whichever way they bend; a knee bends back if it is
// behind the line from hip to ankle. known is false without a plane, and where the limb points out of it by more than 60
// degrees; ok is false if a part is unknown.
func (p *pose) value(a *angle, side Side) (degrees float64, known, ok bool) {
	from, to := a.from.of(side), a.to.of(side)
	ray := func(r ray, right, up keypoint.Position) keypoint.Position {
		if r.world != (keypoint.Point{}) {
			return right.Mul(r.world[0]).Sub(up.Mul(r.world[1]))
		}
		tail, okT := p.point(r.tail)
		head, okH := p.point(r.head)
		ok = ok && okT && okH
		return unit(head.Sub(tail))
	}
	ok = true
	if a.hinge != 0 {
		v, w := ray(from, vertical, vertical), ray(to, vertical, vertical)
		bend := math.Atan2(v.Cross(w).Len(), v.Dot(w)) * 180 / math.Pi
		if a == kneeFlexion && p.behind(side) {
			bend = -bend
		}
		return a.zero + a.hinge*bend, v != (keypoint.Position{}) && w != (keypoint.Position{}), ok
	}
	right, up, known := p.plane(a)
	v, w := ray(from, right, up), ray(to, right, up)
	flat := func(v keypoint.Position) keypoint.Point { return keypoint.Point{v.Dot(right), -v.Dot(up)} }
	if !ok || !known || min(flat(v).Len(), flat(w).Len()) < inPlane {
		return 0, false, ok
	}
	turn, _ := keypoint.Turn(flat(v), keypoint.Point{}, flat(w))
	if side == RightSide && a.plane == quality.Frontal {
		turn = -turn
	}
	return a.zero + a.sign*turn, true, true
}

// behind reports whether a knee is behind the line from hip to ankle rather than beside it or before it.
func (p *pose) behind(side Side) bool {
	top, _ := p.point(onSide(hip, side))
	joint, _ := p.point(onSide(knee, side))
	bottom, _ := p.point(onSide(ankle, side))
	l, okL := p.at.At(keypoint.LeftHip)
	r, okR := p.at.At(keypoint.RightHip)
	along := unit(top.Sub(bottom))
	out := joint.Sub(bottom)
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
