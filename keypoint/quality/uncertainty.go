package quality

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// Uncertainty gives the uncertainty of values as one standard deviation. It refers to the truth in space: the part itself
// and, for an angle, the angle between the bones, not between their images. It depends on the confidence of the parts,
// on how much the view foreshortens the limbs as they are bent, on the side of the body, and on how fast they move.
// docs/quality.md has the origin of the tables. It is safe for concurrent use.
type Uncertainty struct {
	Views
	body  *body
	bones [len(bones)]float64 // their lengths in torso lengths
}

// NewUncertainty measures a recording. The sequence is not changed, and must not change afterwards.
func NewUncertainty(seq keypoint.Sequence) *Uncertainty {
	b := newBody(seq)
	u := &Uncertainty{body: b, Views: b.views()}
	for k, s := range bones {
		u.bones[k] = max(b.boneLength(s), boneFloor*s.length)
	}
	return u
}

// bones are the segments whose length is known.
var bones = [...]segment{
	legs[0], legs[1], arms[0], arms[1], {keypoint.LeftShoulder, keypoint.LeftHip, 1},
}

const boneFloor = 0.85 // the least length of a bone, as a share of the average one: all frames may foreshorten it

// The errors of angles. docs/quality.md has how they were fitted.
const (
	// A leg turns out and an arm hangs aslant, so that the near limb points to the camera and the far one away from it,
	// by degrees, and both by more or less.
	turnedNear, turnedFar, turnedSpread = 17, 10, 12

	turnedHips = 0.1 // the share of its depth that a leg shows aside, seen from the front, since the view is not exact

	boneSlack    = 0.98  // the share of its length from which a bone counts as not foreshortened
	alongFrom    = 0.85  // how much the line of sight lies in the plane from where depth is only known by foreshortening,
	alongAll     = 0.97  // and from where by nothing else
	flattest     = 3.2   // the largest depth of a bone, by its length across the picture
	depthWeight  = 0.7   // of what the depth changes
	turnWeight   = 0.7   // of what smoothing takes from a turn
	turnTime     = 0.05  // seconds before and after a frame within which it turns
	speedWeight  = 0.008 // degrees for one degree a second
	angleWeight  = 0.02  // degrees for one degree from the straight limb
	angleFloor   = 1     // degrees
	maxAngle     = 60    // the largest uncertainty of an angle, degrees: that of any angle at all
	shortest     = 0.15  // torso lengths of a limb below which its direction is arbitrary
	unknownView  = 45    // degrees, if it is not known
	nearestPlane = 45    // degrees from the side at which an angle without a plane is taken for a frontal one
)

// aslant is how far a limb leans out of the plane of an angle, as a share of its length: arms, legs and the middle of the
// body out of the sagittal plane, and limbs out of the frontal one.
var aslant = struct{ arm, leg, middle, forwards float64 }{0.1, 0.05, 0.025, 0.13}

// boneLength returns the 90th percentile of a bone's length, of both sides the longer, in torso
// lengths; 0 if it is never seen.
func (b *body) boneLength(s segment) float64 {
	longest := 0.0
	for _, e := range [2]keypoint.Edge{{s.from, s.to}, {s.from.Mirror(), s.to.Mirror()}} {
		var lengths []float64
		for i := range b.seq.Frames {
			if d, ok := b.seq.Frames[i].Distance(e[0], e[1]); ok && b.torso[i] > 0 {
				lengths = append(lengths, d/b.torso[i])
			}
		}
		if len(lengths) > 0 {
			longest = max(longest, percentile90(lengths))
		}
	}
	return longest
}

// spreadKnots are the confidences of the rows of spreads.
var spreadKnots = [...]float64{.27, .42, .57, .72, .90}

// spreads are the root mean square errors of a coordinate by confidence, in torso lengths, for nose,
// eyes and ears, shoulders, elbows, wrists, hips, knees, ankles, and heels and toes. The constant offsets
// of the networks count: shoulders are found above the joint's centre.
var spreads = [...][len(spreadKnots)]float64{
	{.200, .120, .070, .050, .042},
	{.130, .090, .080, .062, .045},
	{.155, .085, .068, .044, .030},
	{.185, .120, .075, .055, .034},
	{.150, .090, .080, .056, .042},
	{.125, .070, .050, .035, .030},
	{.350, .300, .150, .065, .033},
	{.150, .120, .070, .048, .032},
}

// varying is the share of these errors that changes with the pose, by the rows of spreads: what is constant in a
// recording changes no angle by much.
var varying = [len(spreads)]float64{0.17, 0.25, 0.45, 0.4, 0.15, 0.15, 0.15, 0.35}

// rowOf returns the row of spreads of a part.
func rowOf(p keypoint.Part) int {
	if p < keypoint.LeftShoulder {
		return 0
	}
	return min(1+int(p-keypoint.LeftShoulder)/2, len(spreads)-1)
}

// spread returns the error of a coordinate of a part, in torso lengths.
func spread(p keypoint.Part, confidence float64) float64 {
	row := &spreads[rowOf(p)]
	for k := 1; k < len(row); k++ {
		if confidence <= spreadKnots[k] {
			share := max(confidence-spreadKnots[k-1], 0) / (spreadKnots[k] - spreadKnots[k-1])
			return row[k-1] + share*(row[k]-row[k-1])
		}
	}
	return row[len(row)-1]
}

// Point returns the uncertainty of a coordinate of a point in frame i in pixels. Of several parts it is
// the mean square. ok is false if the point or the scale of the body is missing.
func (u *Uncertainty) Point(i int, point keypoint.Selector) (pixels float64, ok bool) {
	torsos, ok := u.point(i, point)
	return torsos * u.Torso(i), ok
}

// Torso returns the torso length in frame i in pixels, the longest one nearby; 0 if it is not known.
func (u *Uncertainty) Torso(i int) float64 {
	if u.body == nil || i < 0 || i >= len(u.body.torso) {
		return 0
	}
	return u.body.torso[i]
}

// point returns the uncertainty of a coordinate in torso lengths.
func (u *Uncertainty) point(i int, point keypoint.Selector) (torsos float64, ok bool) {
	if u.Torso(i) == 0 {
		return 0, false
	}
	f := &u.body.seq.Frames[i]
	if _, ok := point.At(f); !ok {
		return 0, false
	}
	sum, n := 0.0, 0
	for _, p := range point.Parts {
		if f.Has(p) {
			sum += square(spread(p, f.Confidence(p)))
			n++
		}
	}
	return math.Sqrt(sum / float64(n)), true
}

// Distance returns the uncertainty of the distance of two points in frame i in pixels, and of the
// difference of a coordinate:
//
//	√(σa² + σb²)
//
// ok is false if a point or the scale of the body is missing.
func (u *Uncertainty) Distance(i int, a, b keypoint.Selector) (pixels float64, ok bool) {
	sa, okA := u.Point(i, a)
	sb, okB := u.Point(i, b)
	return math.Hypot(sa, sb), okA && okB
}

// Direction returns the uncertainty of the direction from one point to another in the plane in frame i in degrees, as
// Angle does. ok is false if a point or the scale of the body is missing.
func (u *Uncertainty) Direction(i int, plane Plane, from, to keypoint.Selector) (degrees float64, ok bool) {
	axis := u.body.seq.World.Right()
	if plane != Frontal {
		axis = keypoint.Point{-axis[1], axis[0]} // downwards
	}
	return u.angle(i, limb{plane: plane, ends: [2]keypoint.Selector{to, {}}, at: from, axis: axis})
}

// Angle returns the uncertainty in degrees of the angle at b between the rays to a and to c in frame i, which lies in the
// plane. What the networks get wrong in the whole recording is left out: a constant offset.
//
//	√(1² + ends² + vertex² + (0.7·depth)² + forwards² + aslant² + (0.7·turn)² + (0.008 s·speed)² + (0.02·angle)²)
//
// ends and vertex are the errors of the angle that follow from those of a and c, and of b. depth is how much it changes if
// the limbs lie in the plane as the view shows it, forwards if they reach out of the frontal plane, and aslant if they lean
// out of it. turn is how much the angle differs
// from the mean of those 0.05 s before and after, which is what smoothing takes from it; speed is in degrees a second;
// angle is how far the limb is from straight. ok is false if a point or the scale of the body is missing.
func (u *Uncertainty) Angle(i int, plane Plane, a, b, c keypoint.Selector) (degrees float64, ok bool) {
	return u.angle(i, limb{plane: plane, ends: [2]keypoint.Selector{a, c}, at: b})
}

// InSpace returns the uncertainty in degrees of an angle in frame i that is computed from places in space, whose errors change
// it by some degrees. value is the angle in a frame.
//
//	√(1² + places² + (0.7·turn)² + (0.008 s·speed)² + (0.02·angle)²)
//
// with the letters of Angle.
func (u *Uncertainty) InSpace(i int, places float64, value func(i int) (degrees float64, ok bool)) (degrees float64) {
	at, _ := value(i)
	turn, speed := u.turn(i, at, value)
	return u.total(square(angleFloor)+square(places), turn, speed, at)
}

// total returns an uncertainty by the sum of the squares of what the places make of it, and how the angle moves.
func (u *Uncertainty) total(sum, turn, speed, fromStraight float64) float64 {
	degrees := math.Sqrt(sum + square(turnWeight*turn) + square(speedWeight*speed) + square(angleWeight*fromStraight))
	if degrees < maxAngle {
		return degrees
	}
	return maxAngle // also of what is not a number
}

// limb is an angle: at a point between the rays to two others, or to one other and along an axis.
type limb struct {
	plane Plane
	ends  [2]keypoint.Selector
	at    keypoint.Selector
	axis  keypoint.Point // instead of the second ray, if not zero
}

// rays returns the rays in frame i in torso lengths.
func (u *Uncertainty) rays(i int, l *limb) (rays [2]keypoint.Point, ok bool) {
	if u.Torso(i) == 0 {
		return rays, false
	}
	f := &u.body.seq.Frames[i]
	at, ok := l.at.At(f)
	for k, end := range l.ends {
		if k == 1 && l.axis != (keypoint.Point{}) {
			rays[k] = l.axis
			break
		}
		to, found := end.At(f)
		rays[k], ok = to.Sub(at).Mul(1/u.Torso(i)), ok && found
	}
	return rays, ok
}

func (u *Uncertainty) angle(i int, l limb) (degrees float64, ok bool) {
	rays, ok := u.rays(i, &l)
	if !ok {
		return 0, false
	}
	flat := between(rays, 0, 0)
	var gradients [2]keypoint.Point
	sum := square(angleFloor)
	view, known := u.View(i)
	if !known {
		view = unknownView
	}
	if l.plane == anyPlane && math.Abs(view-90) > nearestPlane {
		l.plane = Frontal
	}
	lean, out := l.lean(view)
	right := u.body.seq.World.Right()
	for k, ray := range rays {
		if k == 1 && l.axis != (keypoint.Point{}) {
			break
		}
		gradients[k] = gradient(ray)
		length := ray.Len()
		if bone := boneOf(l.at, l.ends[k]); bone >= 0 {
			length = u.bones[bone]
		}
		sum += square(degreesOf(gradients[k].Len()*u.varying(i, l.ends[k]))) + square(degreesOf(gradients[k].Dot(right)*length*lean*out))
	}
	sum += square(degreesOf(gradients[1].Sub(gradients[0]).Len() * u.varying(i, l.at)))
	if l.axis == (keypoint.Point{}) || l.plane != Frontal {
		sum += square(depthWeight * u.depth(i, &l, rays, view, flat))
	}
	sum += square(u.forwards(&l, rays, view))
	turn, speed := u.turn(i, flat, func(k int) (float64, bool) {
		rays, ok := u.rays(k, &l)
		return between(rays, 0, 0), ok
	})
	fromStraight := 180 - flat
	if l.shoulder() {
		fromStraight = flat
	}
	return u.total(sum, turn, speed, fromStraight), true
}

// single returns the part of the joint, if it is one.
func (l *limb) single() (p keypoint.Part, ok bool) {
	if len(l.at.Parts) != 1 || len(l.ends[0].Parts) != 1 {
		return 0, false
	}
	return l.at.Parts[0], true
}

func (l *limb) shoulder() bool {
	p, ok := l.single()
	return ok && (p == keypoint.LeftShoulder || p == keypoint.RightShoulder)
}

// lean returns how far the limb may lean out of its plane, and the share of it that a view shows.
func (l *limb) lean(view float64) (lean, out float64) {
	sin, cos := math.Sincos(view * math.Pi / 180)
	p, single := l.single()
	switch {
	case !single && l.plane == Frontal:
		return aslant.middle, sin
	case l.plane == Frontal:
		return aslant.forwards, sin
	case !single:
		return aslant.middle, cos
	case p < keypoint.LeftHip:
		return aslant.arm, cos
	}
	return aslant.leg, cos
}

// varying returns the error of a coordinate of a point that changes with the pose, in torso lengths.
func (u *Uncertainty) varying(i int, point keypoint.Selector) float64 {
	f := &u.body.seq.Frames[i]
	sum, n := 0.0, 0
	for _, p := range point.Parts {
		if f.Has(p) {
			sum += square(varying[rowOf(p)] * spread(p, f.Confidence(p)))
			n++
		}
	}
	return math.Sqrt(sum / float64(max(n, 1)))
}

// depth returns how much the angle changes, as the root of the mean square, if the limb lies in its plane and that is
// turned against the view by somewhat more or less; where the camera looks along the plane, if each bone that looks too
// short reaches towards the camera or away from it.
func (u *Uncertainty) depth(i int, l *limb, rays [2]keypoint.Point, view, flat float64) float64 {
	turned := 0.0
	if l.plane == Frontal {
		turned = 90
	} else if p, single := l.single(); single && far(&u.body.seq.Frames[i]).Has(p) {
		turned = turnedFar
	} else if single {
		turned = -turnedNear
	}
	right := u.body.seq.World.Right()
	sum, reach := 0.0, [2]float64{}
	for k := range rays {
		if bone := boneOf(l.at, l.ends[k]); bone >= 0 {
			reach[k] = math.Sqrt(max(square(boneSlack*u.bones[bone])-rays[k].Dot(rays[k]), 0))
		}
	}
	along := math.Abs(math.Cos(view * math.Pi / 180)) // how much the line of sight lies in the plane
	if l.plane == Frontal {
		along = math.Sqrt(1 - along*along)
	}
	hidden := min(max((along-alongFrom)/(alongAll-alongFrom), 0), 1) *
		max(math.Abs(between(rays, reach[0], reach[1])-flat), math.Abs(between(rays, reach[0], -reach[1])-flat))
	for _, more := range [...]float64{-turnedSpread, 0, turnedSpread} {
		sin, cos := math.Sincos((view + turned + more) * math.Pi / 180)
		deep := math.Copysign(flattest, cos*sin)
		if math.Abs(cos) < flattest*math.Abs(sin) {
			deep = cos / sin
		}
		sum += square(between(rays, rays[0].Dot(right)*deep, rays[1].Dot(right)*deep) - flat)
	}
	return max(math.Sqrt(sum/3), hidden)
}

// forwards returns how much an angle of the frontal plane changes if legs and trunk that look too short reach forwards or
// backwards, of which a view shows a share aside.
func (u *Uncertainty) forwards(l *limb, rays [2]keypoint.Point, view float64) (most float64) {
	p, single := l.single()
	if l.plane != Frontal || single && p < keypoint.LeftHip {
		return 0
	}
	right, out := u.body.seq.World.Right(), math.Hypot(math.Sin(view*math.Pi/180), turnedHips)
	for _, other := range [...]float64{1, -1} { // the second limb reaches to the same side, or to the other one
		for _, sign := range [...]float64{1, -1} {
			turned := 0.0
			for k, ray := range rays {
				bone := 0.0
				if b := boneOf(l.at, l.ends[k]); b >= 0 {
					bone = u.bones[b]
				} else if len(l.at.Parts) == 2 && len(l.ends[k].Parts) == 2 {
					bone = 1 // the trunk
				}
				reach := math.Sqrt(max(square(boneSlack*bone)-ray.Dot(ray), 0))
				turn, _ := keypoint.Turn(ray, keypoint.Point{}, ray.Add(right.Mul(sign*out*reach)))
				turned, sign = turn-turned, sign*other
			}
			most = max(most, math.Abs(turned))
		}
		if l.knee() {
			break
		}
	}
	return most
}

// knee reports whether the limb bends at a knee, which is as far forwards for the thigh as for the shank.
func (l *limb) knee() bool {
	p, ok := l.single()
	return ok && (p == keypoint.LeftKnee || p == keypoint.RightKnee)
}

// turn returns by how many degrees the angle differs from the mean of those before and after, and its speed in degrees a
// second.
func (u *Uncertainty) turn(i int, at float64, value func(i int) (float64, bool)) (turn, speed float64) {
	if u.body.rate == 0 {
		return 0, 0
	}
	near := [2]float64{at, at}
	k := u.body.frames(turnTime)
	for side, j := range [2]int{i - k, i + k} {
		if v, ok := value(j); ok {
			near[side] = v
		}
	}
	return math.Abs(at - (near[0]+near[1])/2), math.Abs(near[1]-near[0]) * u.body.rate / float64(2*k)
}

// gradient returns how the direction of a ray changes with its end, radians per torso length.
func gradient(ray keypoint.Point) keypoint.Point {
	length := max(ray.Len(), shortest)
	return keypoint.Point{-ray[1], ray[0]}.Mul(1 / (length * length))
}

// boneOf returns the bone between two points of single parts, −1 if there is none.
func boneOf(a, b keypoint.Selector) int {
	if len(a.Parts) != 1 || len(b.Parts) != 1 {
		return -1
	}
	from, to := min(a.Parts[0], b.Parts[0]), max(a.Parts[0], b.Parts[0])
	return slices.IndexFunc(bones[:], func(s segment) bool {
		return from == s.from && to == s.to || from == s.from.Mirror() && to == s.to.Mirror()
	})
}

// between returns the angle in degrees of two rays that reach into the picture by the given depths.
func between(rays [2]keypoint.Point, first, second float64) float64 {
	dot := rays[0].Dot(rays[1]) + first*second
	lengths := math.Hypot(rays[0].Len(), first) * math.Hypot(rays[1].Len(), second)
	if lengths == 0 {
		return 0
	}
	return degreesOf(math.Acos(min(max(dot/lengths, -1), 1)))
}

func degreesOf(radians float64) float64 { return radians * 180 / math.Pi }
