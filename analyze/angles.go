package analyze

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Side is a side of the person's body.
type Side string

// The sides.
const (
	LeftSide  Side = "left"
	RightSide Side = "right"
)

// sides lists the sides for messages.
var sides = []Side{LeftSide, RightSide}

// angle is the definition of a named angle: the turn on screen from one direction to another,
//
//	value = zero + sign · turn · facing    degrees, turn counter-clockwise
//
// with facing 1 for a person who faces the right of the picture and −1 for one who faces the left. For
// angles of the frontal plane it is 1 from the front and −1 from behind, and the other way round for the
// right side of the body.
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

// between returns the direction from one point to another.
func between(tail, head keypoint.Selector) ray { return ray{tail: tail, head: head} }

// The named angles. The planes and the signs of knee, hip, ankle and pelvis follow the ISB's
// recommendation (Wu et al., J Biomech 35, 2002, 543–548: flexion is the first rotation, about the
// medio-lateral axis), those of shoulder and elbow Wu et al., J Biomech 38, 2005, 981–992, in so far as
// one plane has them; extension is negative here at every joint. ISB measures the hip against the pelvis,
// which 17 parts do not show: here it is the trunk, as usual in two dimensions.
var (
	kneeFlexion = &angle{sided: true, hinge: 1, plane: quality.Sagittal, sign: -1, middle: 65,
		from: between(hip, knee), to: between(knee, ankle), points: []keypoint.Selector{hip, knee, ankle}}
	hipFlexion = &angle{sided: true, plane: quality.Sagittal, sign: 1, middle: 50,
		from: between(shoulders, hips), to: between(hip, knee), points: []keypoint.Selector{shoulder, hip, knee}}
	ankleDorsiflexion = &angle{sided: true, hinge: -1, plane: quality.Sagittal, zero: 90, sign: 1,
		from: between(ankle, knee), to: between(heel, toe), points: []keypoint.Selector{knee, ankle, toe}}
	elbowFlexion = &angle{sided: true, hinge: 1, plane: quality.Sagittal, sign: 1, middle: 65,
		from: between(shoulder, elbow), to: between(elbow, wrist), points: []keypoint.Selector{shoulder, elbow, wrist}}
	shoulderFlexion = &angle{sided: true, plane: quality.Sagittal, sign: 1, middle: 65,
		from: between(shoulders, hips), to: between(shoulder, elbow), points: []keypoint.Selector{hip, shoulder, elbow}}
	shoulderAbduction = &angle{sided: true, plane: quality.Frontal, sign: 1, middle: 75,
		from: between(shoulders, hips), to: between(shoulder, elbow), points: []keypoint.Selector{hip, shoulder, elbow}}
	trunkLean = &angle{upright: true, plane: quality.Sagittal, sign: -1, middle: 45,
		from: upwards, to: between(hips, shoulders), points: []keypoint.Selector{hips, shoulders}}
	pelvicTilt = &angle{upright: true, plane: quality.Frontal, sign: 1,
		from: rightward, to: between(otherHip, hip), points: []keypoint.Selector{otherHip, hip}}
	neckFlexion = &angle{plane: quality.Sagittal, sign: -1,
		from: between(hips, shoulders), to: between(shoulders, ears), points: []keypoint.Selector{hips, shoulders, ears}}

	// The frontal-plane projection angle of the knee: Willson and Davis, J Orthop Sports Phys Ther 38, 2008, 606–615.
	kneeValgus = &angle{sided: true, upright: true, narrow: true, plane: quality.Frontal, sign: 1,
		from: between(hip, knee), to: between(knee, ankle), points: []keypoint.Selector{hip, knee, ankle}}
	hipAbduction = &angle{sided: true, narrow: true, plane: quality.Frontal, sign: 1,
		from: between(shoulders, hips), to: between(hip, knee), points: []keypoint.Selector{shoulder, hip, knee}}
	trunkSideLean = &angle{upright: true, narrow: true, plane: quality.Frontal, sign: 1,
		from: upwards, to: between(hips, shoulders), points: []keypoint.Selector{hips, shoulders}}
	shoulderLevel = &angle{upright: true, narrow: true, plane: quality.Frontal, sign: 1,
		from: rightward, to: between(otherShoulder, shoulder), points: []keypoint.Selector{otherShoulder, shoulder}}
)

// definite is the least angle between the line of sight and the plane of symmetry of the body at which
// a sagittal angle has a sign, degrees: nearer to the front or to the back it is hardly seen at all.
const definite = 20

// frontalView is the view in degrees from the front or from behind up to which legs and trunk show in the frontal plane:
// beyond, a knee that bends looks like one that falls in.
const frontalView = 35

// restart is the longest gap in seconds across which an angle is unwrapped.
const restart = 0.5

// values returns the angle in each frame. unknown are the frames that have the points but not the
// direction that gives the sign. withheld are the parts of each frame that have no value because they are among the
// hidden ones; nil for hidden: none is.
func (a *angle) values(rec *recording, side Side, hidden []keypoint.Parts) (values []Value, unknown []bool, withheld []keypoint.Parts) {
	values, unknown, withheld = make([]Value, rec.Len()), make([]bool, rec.Len()), make([]keypoint.Parts, rec.Len())
	from, to := a.from.of(side), a.to.of(side)
	signs, joint := a.signs(rec, side), a.on(side)
	parts := a.partsOf(side)
	if a.length != nil && a.plane != quality.Frontal { // the floor is known from either foot
		parts = keypoint.PartsOf(onSide(a.points[0], side).Parts...)
	}
	for i := range rec.Frames {
		f := &rec.Frames[i]
		if hidden != nil && hidden[i]&parts != 0 {
			withheld[i] = hidden[i] & parts
			continue
		}
		if a.length != nil {
			v, ok := a.length(rec, i, side, signs[i])
			unit := rec.unit(i)
			if unknown[i] = ok && a.plane == quality.Frontal && signs[i] == 0; ok && !unknown[i] && unit != 0 {
				values[i] = number(v * unit)
			}
			continue
		}
		if rec.headings != nil {
			p := pose{f.Positions(), rec.headings[i]}
			if v, ok := p.value(joint); ok {
				values[i] = number(v)
			}
			continue
		}
		v, okV := from.at(f, rec.World)
		w, okW := to.at(f, rec.World)
		if unknown[i] = okV && okW && signs[i] == 0; !okV || !okW || unknown[i] {
			continue
		}
		if from.world[0] != 0 && a.plane == quality.Frontal {
			v = v.Mul(signs[i]) // from behind, the left is on the left of the picture
		}
		if turn, ok := keypoint.Turn(v, keypoint.Point{}, w); ok {
			values[i] = number(a.zero + a.sign*turn*signs[i])
		}
	}
	if a.length != nil {
		return values, unknown, withheld
	}
	for _, person := range rec.People() {
		unwrap(values[person.First:person.Last+1], rec.Slice(person.First, person.Last).Times, a.middle)
	}
	return values, unknown, withheld
}

// signs returns the factor facing of each frame, 0 where it is unknown.
func (a *angle) signs(rec *recording, side Side) []float64 {
	signs := make([]float64, rec.Len())
	if rec.headings != nil {
		for i, forward := range rec.headings {
			signs[i] = forward.Len()
		}
		return signs
	}
	if a.plane == quality.Frontal {
		for i := range signs {
			if degrees, ok := rec.View(i); ok && math.Abs(degrees-90) > definite && (!a.narrow || math.Abs(degrees-90) >= 90-frontalView) {
				signs[i] = math.Copysign(1, 90-degrees)
			}
			if side == RightSide {
				signs[i] = -signs[i]
			}
		}
		return signs
	}
	if rec.facing == nil {
		rec.facing = rec.Sideways()
	}
	for i, f := range rec.facing {
		if degrees, ok := rec.View(i); ok && 90-math.Abs(degrees-90) < definite {
			continue
		}
		switch f {
		case keypoint.FacingRight:
			signs[i] = 1
		case keypoint.FacingLeft:
			signs[i] = -1
		}
	}
	return signs
}

// pointsOf returns the points of a side.
func (a *angle) pointsOf(side Side) []keypoint.Selector {
	points := make([]keypoint.Selector, len(a.points))
	for i, p := range a.points {
		points[i] = onSide(p, side)
	}
	return points
}

// partsOf returns the parts of the points of a side.
func (a *angle) partsOf(side Side) (parts keypoint.Parts) {
	for _, p := range a.pointsOf(side) {
		parts |= keypoint.PartsOf(p.Parts...)
	}
	return parts
}

// warnings says why values are absent though the person is there.
func (a *angle) warnings(rec *recording, side Side, unknown []bool, withheld []keypoint.Parts) (list []quality.Warning) {
	if a == ankleDorsiflexion && !slices.ContainsFunc(rec.Frames, func(f keypoint.Frame) bool { return f.Present()&keypoint.Feet != 0 }) {
		parts := keypoint.PartsOf(onSide(heel, side).Parts[0], onSide(toe, side).Parts[0])
		return []quality.Warning{{Code: quality.CodeLowCoverage, Detail: "This angle needs heel and big toe, which these keypoints lack: extract them with feet.", To: rec.Len() - 1, Parts: parts}}
	}
	detail := "It cannot be told to which side of the picture the person faces: film from the side, with the face or the feet in the picture."
	if a.plane == quality.Frontal {
		detail = "It cannot be told on which side of the picture the person's left is: film from the front or from behind."
	}
	for i := range unknown {
		w := quality.Warning{Code: quality.CodeFacing, Detail: detail, From: i, To: i}
		if withheld[i] != 0 {
			w.Code, w.Detail, w.Parts = quality.CodeHiddenSide, quality.HiddenDetail, withheld[i]
		} else if !unknown[i] {
			continue
		}
		if n := len(list); n > 0 && list[n-1].To == i-1 && list[n-1].Code == w.Code {
			list[n-1].To, list[n-1].Parts = i, list[n-1].Parts|w.Parts
		} else {
			list = append(list, w)
		}
	}
	return list
}

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

// onSide returns the selector, which is one of the left side or of both, for a side.
func onSide(s keypoint.Selector, side Side) keypoint.Selector {
	if side == RightSide && len(s.Parts) == 1 {
		return keypoint.PartSelector(s.Parts[0].Mirror())
	}
	return s
}

// unwrap adds full turns in place, so that the values of a person do not jump by more than 180 degrees
// from one to the next. A gap of more than restart seconds starts a new stretch; so does each value if there
// are no times. The median of each stretch is within 180 degrees of middle.
func unwrap(values []Value, times []float64, middle float64) {
	first, last := 0, -1 // of the stretch; the last value
	var sample []float64
	finish := func(end int) {
		if len(sample) == 0 {
			return
		}
		turns := 360 * math.Round((rank.Median(sample)-middle)/360)
		for i := first; i < end; i++ {
			if values[i].Present {
				values[i].X -= turns
			}
		}
		sample = sample[:0]
	}
	for i := range values {
		if !values[i].Present {
			continue
		}
		if last < 0 || times == nil || times[i]-times[last] > restart {
			finish(i)
			first = i
		} else {
			values[i].X -= 360 * math.Round((values[i].X-values[last].X)/360)
		}
		sample = append(sample, values[i].X)
		last = i
	}
	finish(len(values))
}
