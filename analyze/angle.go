package analyze

import (
	"slices"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// angle is the definition of a named angle: the turn on screen from one direction to another,
//
//	value = zero + sign · turn · facing    degrees, turn counter-clockwise
//
// with facing 1 for a person who faces the right of the picture and −1 for one who faces the left. For angles of the frontal plane
// it is 1 from the front and −1 from behind, and the other way round for the right side of the body.
type angle struct {
	sided    bool
	plane    quality.Plane
	from, to ray // of the left side
	zero     float64
	sign     float64
	middle   float64 // of the joint's range: a single value is within 180 of it
	length   length  // of a named length, instead of from, to, zero, sign and middle
	narrow   bool    // of the frontal plane: absent beyond frontalView from the front or from behind
	hinge    float64 // in space the value is zero + hinge · the angle from one direction to the other; 0: it is in a plane
	upright  bool    // which in space is that of the heading and the vertical, rather than of trunk and hips
	// points are what uncertainty needs: three around the joint, or the two ends of a line.
	points []keypoint.Selector // of the left side
}

// ray is the direction from one point to another, or that of the world's own up or right.
type ray struct {
	tail, head keypoint.Selector
	world      keypoint.Point // if not zero
}

// length computes a named length in a frame in pixels; sign is that of an angle of the frontal plane.
type length func(rec *recording, i int, side Side, sign float64) (pixels float64, ok bool)

// between returns the direction from one point to another.
func between(tail, head keypoint.Selector) ray { return ray{tail: tail, head: head} }

// of returns the ray of a side.
func (r ray) of(side Side) ray {
	r.tail, r.head = onSide(r.tail, side), onSide(r.head, side)
	return r
}

// at returns the direction in the picture of a frame.
func (r ray) at(f *keypoint.Frame, w keypoint.World) (v keypoint.Point, ok bool) {
	if r.world != (keypoint.Point{}) {
		right := w.Right()
		return right.Mul(r.world[0]).Add(keypoint.Point{-right[1], right[0]}.Mul(r.world[1])), true
	}
	tail, okT := r.tail.At(f)
	head, okH := r.head.At(f)
	return head.Sub(tail), okT && okH
}

// pointsOf returns the points of a side.
func (a *angle) pointsOf(side Side) []keypoint.Selector {
	points := make([]keypoint.Selector, len(a.points))
	for i, p := range a.points {
		points[i] = onSide(p, side)
	}
	return points
}

// joint is a named angle of a side.
type joint struct {
	*angle
	side     Side
	from, to ray
	needs    keypoint.Parts // of the limbs, and of the plane
}

// on returns the angle of a side.
func (a *angle) on(side Side) *joint {
	j := &joint{angle: a, side: side, from: a.from.of(side), to: a.to.of(side)}
	for _, r := range []ray{j.from, j.to} {
		j.needs |= keypoint.PartsOf(r.tail.Parts...) | keypoint.PartsOf(r.head.Parts...)
	}
	if !a.upright && a.hinge == 0 {
		j.needs |= keypoint.PartsOf(slices.Concat(shoulders.Parts, hips.Parts)...)
	}
	return j
}

// The points and directions of the angles.
var (
	shoulders = keypoint.Selector{Type: keypoint.Centroid, Parts: []keypoint.Part{keypoint.LeftShoulder, keypoint.RightShoulder}}
	hips      = keypoint.Selector{Type: keypoint.Centroid, Parts: []keypoint.Part{keypoint.LeftHip, keypoint.RightHip}}
	ears      = keypoint.Selector{Type: keypoint.Centroid, Parts: []keypoint.Part{keypoint.LeftEar, keypoint.RightEar}}

	hip, knee, ankle       = keypoint.PartSelector(keypoint.LeftHip), keypoint.PartSelector(keypoint.LeftKnee), keypoint.PartSelector(keypoint.LeftAnkle)
	shoulder, elbow, wrist = keypoint.PartSelector(keypoint.LeftShoulder), keypoint.PartSelector(keypoint.LeftElbow), keypoint.PartSelector(keypoint.LeftWrist)
	otherHip               = keypoint.PartSelector(keypoint.RightHip)
	otherShoulder          = keypoint.PartSelector(keypoint.RightShoulder)
	heel, toe              = keypoint.PartSelector(keypoint.LeftHeel), keypoint.PartSelector(keypoint.LeftBigToe)

	upwards   = ray{world: keypoint.Point{0, -1}}
	rightward = ray{world: keypoint.Point{1, 0}}
)
