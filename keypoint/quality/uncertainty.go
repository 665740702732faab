package quality

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/keypoint"
)

// Uncertainty gives the uncertainty of values as one standard deviation. It refers to the truth in space: the part itself
// and, for an angle, the angle between the bones, not between their images. It depends on the confidence of the parts,
// on how much the view foreshortens the limbs as they are bent, on the side of the body, and on how fast they move.
// docs/how/quality.md has the origin of the tables. It is safe for concurrent use.
type Uncertainty struct {
	Views
	body       *body
	bones      [len(bones)]float64 // their lengths in torso lengths
	converging converging
	aside      bool // the movie lies on its side: neither its vertical nor its view is known, and nothing is good
}

// NewUncertainty measures a recording. The sequence is not changed, and must not change afterwards. Of an invalid one, and in the
// zero Uncertainty, nothing is known.
func NewUncertainty(seq keypoint.Sequence) *Uncertainty {
	if seq.Validate() != nil {
		return &Uncertainty{}
	}
	b := newBody(seq)
	u := &Uncertainty{body: b, Views: b.views(), converging: b.verticals(), aside: len(b.sideways()) > 0}
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

// kind is what is known of the errors of one kind of angle. It was fitted to recorded people with markers: docs/how/quality.md has how.
// The weights are those of the terms of Uncertainty.Angle.
type kind struct {
	floor                                         float64 // degrees
	places, reach, aslant, turn, speed, bend, out float64
	// constant is the error in degrees that all frames share, at each of turnedAway; space is that of several cameras.
	constant [3]float64
	space    float64
}

var (
	leg        = kind{1, 1.9, 0, .11, 1.1, 0, .05, .27, [3]float64{6, 9, 15}, 7}
	ankle      = kind{1, 1.9, 0, .11, 1.1, 0, .05, .27, [3]float64{4, 24, 24}, 5}
	elbow      = kind{1, 1, .2, .07, 1.5, .03, 0, .25, [3]float64{11, 13, 20}, 11}
	flexion    = kind{1, 3.1, .05, .14, 1.5, .03, 0, .44, [3]float64{10, 14, 18}, 7} // of a shoulder
	abduction  = kind{1, 1.9, .08, .1, 2, .03, 0, .42, [3]float64{10, 13, 22}, 8}
	legAside   = kind{1, 1.3, .2, .05, 1.5, .05, .18, 0, [3]float64{5, 6, 7}, 3}
	valgus     = kind{2.2, 1.2, .2, .03, 1, .06, .27, 2.5, [3]float64{4, 6, 8}, 3}
	trunk      = kind{2.5, .9, 0, .04, 1.6, .13, 0, 1, [3]float64{4, 6, 8}, 4}
	neck       = kind{2.5, .9, 0, .04, 1.6, .13, 0, 1, [3]float64{8, 8, 8}, 8}
	pelvis     = kind{2.7, .5, 0, 1.1, .8, .03, 0, 0, [3]float64{6, 7, 9}, 3}
	shoulders  = kind{2.6, 1.1, 0, .1, .9, .08, 0, 0, [3]float64{3, 4, 6}, 3}
	trunkAside = kind{2.6, 1.1, 0, .1, .9, .08, 0, .65, [3]float64{4, 8, 9}, 3}
)

const (
	// A leg turns out and an arm hangs aslant, so that the near limb points to the camera and the far one away from it,
	// by degrees, and both by more or less.
	turnedNear, turnedFar, turnedSpread = 17, 10, 12

	depthWeight  = 0.7  // of what the depth changes
	flattest     = 3.2  // the largest depth of a bone, by its length across the picture
	boneSlack    = 0.98 // the share of its length from which a bone counts as not foreshortened
	turnTime     = 0.05 // seconds before and after a frame within which it turns
	maxAngle     = 60   // the largest uncertainty of an angle, degrees: that of any angle at all
	shortest     = 0.15 // torso lengths of a limb below which its direction is arbitrary
	unknownView  = 45   // degrees, if it is not known
	nearestPlane = 45   // degrees from the side at which an angle without a plane is taken for a frontal one
)

// turnedAway are the degrees from the view of a plane at which the constants of a kind hold.
var turnedAway = [3]float64{13, 38, 60}

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
	if u.Torso(i) == 0 || u.aside {
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

// Distance returns the uncertainty of the distance of two points in frame i in pixels, and of the difference of a coordinate:
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
func (u *Uncertainty) Direction(i int, plane Plane, from, to keypoint.Selector) (degrees, constant float64, ok bool) {
	return u.angle(i, directed(plane, from, to, u.right()))
}

// Angle returns the uncertainty in degrees of the angle at b between the rays to a and to c in frame i, which lies in the
// plane, against the truth, and the bias in it, the same in every frame from this view: constant.
//
//	√(floor² + places² + reach² + aslant² + turn² + speed² + bend² + out² + vertical² + constant²)
//
// places are the errors of the angle that follow from those of a, b and c. reach is how much it changes if each bone that looks too
// short reaches towards the camera or away from it; it counts in full where the camera looks along the plane. aslant is how much it
// changes if the limbs lean out of the plane. turn is how much the angle differs from the mean of those 0.05 s before and after, which
// is what smoothing takes from it; speed is in degrees a second. bend is how far the limb is from straight. out is the bend times the
// square of the share of the plane's depth that this view shows, or 0.7 of how much the angle changes if the limbs lie in the plane,
// whichever is more; vertical, of the trunk against it, is that of Vertical. Each other term has a weight that depends on the kind of the
// angle. ok is false if a point or the scale of the body is missing.
func (u *Uncertainty) Angle(i int, plane Plane, a, b, c keypoint.Selector) (degrees, constant float64, ok bool) {
	return u.angle(i, limb{plane: plane, ends: [2]keypoint.Selector{a, c}, at: b})
}

// InSpace returns the uncertainty in degrees of the angle of points, as Angle or Direction has them, that is computed in frame i from
// places in space, whose errors change it by some degrees, and the constant. value is the angle in a frame.
//
//	√(1² + places² + turn² + speed² + constant²)
//
// with the letters of Angle.
func (u *Uncertainty) InSpace(i int, plane Plane, points []keypoint.Selector, places float64, value func(i int) (degrees float64, ok bool)) (degrees, constant float64) {
	if u.body == nil || value == nil || len(points) < 2 {
		return maxAngle, 0
	}
	l := directed(plane, points[0], points[1], u.right())
	if len(points) > 2 {
		l = limb{plane: plane, ends: [2]keypoint.Selector{points[0], points[2]}, at: points[1]}
	}
	k := l.kind()
	at, _ := value(i)
	turn, speed := u.turn(i, at, value)
	return whole(1+square(places)+square(k.turn*turn)+square(k.speed*speed), k.space), k.space
}

// whole returns the uncertainty by the square of what varies.
func whole(varying, constant float64) (degrees float64) {
	degrees = math.Sqrt(varying + square(constant))
	if degrees < maxAngle {
		return degrees
	}
	return maxAngle // also of what is not a number
}

func (u *Uncertainty) right() keypoint.Point {
	if u.body == nil {
		return keypoint.Point{}
	}
	return u.body.seq.World.Right()
}

// limb is an angle: at a point between the rays to two others, or to one other and along an axis.
type limb struct {
	plane Plane
	ends  [2]keypoint.Selector
	at    keypoint.Selector
	axis  keypoint.Point // instead of the second ray, if not zero
}

// directed returns the angle of a line against the axis of its plane: downwards, or for lines across the body to the right.
func directed(plane Plane, from, to keypoint.Selector, right keypoint.Point) limb {
	if plane != Frontal {
		right = keypoint.Point{-right[1], right[0]} // downwards
	}
	return limb{plane: plane, ends: [2]keypoint.Selector{to, {}}, at: from, axis: right}
}

// rays returns the rays in frame i in torso lengths.
func (u *Uncertainty) rays(i int, l *limb) (rays [2]keypoint.Point, ok bool) {
	if u.Torso(i) == 0 || u.aside && l.axis != (keypoint.Point{}) {
		return rays, false
	}
	f := &u.body.seq.Frames[i]
	at, ok := l.at.At(f)
	_, single := l.single()
	for k, end := range l.ends {
		if k == 1 && l.axis != (keypoint.Point{}) {
			if rays[k] = l.axis; !single {
				lean, _ := u.Vertical(i)
				rays[k] = keypoint.Point(mgl64.Rotate2D(lean * math.Pi / 180).Mul2x1(mgl64.Vec2(l.axis)))
			}
			break
		}
		to, found := end.At(f)
		rays[k], ok = to.Sub(at).Mul(1/u.Torso(i)), ok && found
	}
	return rays, ok
}

func (u *Uncertainty) angle(i int, l limb) (degrees, constant float64, ok bool) {
	rays, ok := u.rays(i, &l)
	if !ok {
		return 0, 0, false
	}
	view, spread := u.viewed(i)
	if l.plane == anyPlane && math.Abs(view-90) > nearestPlane {
		l.plane = Frontal
	}
	k, flat, right := l.kind(), between(rays, 0, 0), u.right()
	away := math.Abs(view - 90) // from the view of the plane
	if l.plane == Frontal {
		away = 90 - away
	}
	out := shown(away, spread)
	var gradients [2]keypoint.Point
	var lengths [2]float64 // of the bones
	places, aslant := 0.0, 0.0
	for n, ray := range rays {
		if n == 1 && l.axis != (keypoint.Point{}) {
			break
		}
		gradients[n], lengths[n] = gradient(ray), ray.Len()
		length := lengths[n]
		if bone := boneOf(l.at, l.ends[n]); bone >= 0 {
			length, lengths[n] = u.bones[bone], boneSlack*u.bones[bone]
		}
		places += square(degreesOf(gradients[n].Len() * u.varying(i, l.ends[n])))
		aslant += square(degreesOf(gradients[n].Dot(right) * length * out))
	}
	places += square(degreesOf(gradients[1].Sub(gradients[0]).Len() * u.varying(i, l.at)))
	turn, speed := u.turn(i, flat, func(k int) (float64, bool) {
		rays, ok := u.rays(k, &l)
		return between(rays, 0, 0), ok
	})
	bend := 180 - flat
	switch {
	case l.shoulder():
		bend = flat
	case l.plane == Frontal && l.axis != (keypoint.Point{}):
		bend = math.Abs(90 - flat) // from level, or of the trunk from upright
	}
	if constant = k.constantAt(away); u.aside {
		constant = math.Hypot(constant, goodDegrees)
	}
	deep := k.out * bend * out * out
	if k == &trunkAside {
		deep = k.out * min(bend, u.forwards(rays[0].Len(), out))
	}
	if l.axis == (keypoint.Point{}) && l.plane != Frontal {
		deep = max(deep, depthWeight*u.depth(i, &l, rays, view, flat))
	}
	leaning := 0.0
	if k == &trunk || k == &trunkAside {
		_, leaning = u.Vertical(i)
	}
	return whole(square(k.floor)+square(leaning)+square(k.places)*places+square((k.reach+along(out))*reach(rays, lengths, flat))+square(k.aslant)*aslant+
		square(k.turn*turn)+square(k.speed*speed)+square(k.bend*bend)+square(deep), constant), constant, true
}

// forwards returns by how many degrees a trunk that bends forwards seems to lean to the side. Its length in the picture, in torso lengths,
// tells how far it bends at most; out is the share of the depth that the view shows.
func (u *Uncertainty) forwards(length, out float64) (degrees float64) {
	away := math.Sqrt(max(square(boneSlack*u.bones[len(bones)-1])-square(length), 0))
	return degreesOf(math.Atan2(away*out, length*math.Sqrt(1-square(out))))
}

// depth returns how much the angle changes, as the root of the mean square, if the limb lies in its plane and that is
// turned against the view by somewhat more or less.
func (u *Uncertainty) depth(i int, l *limb, rays [2]keypoint.Point, view, flat float64) float64 {
	turned := 0.0
	if p, single := l.single(); single && far(&u.body.seq.Frames[i]).Has(p) {
		turned = turnedFar
	} else if single {
		turned = -turnedNear
	}
	right, sum := u.right(), 0.0
	for _, more := range [...]float64{-turnedSpread, 0, turnedSpread} {
		sin, cos := math.Sincos((view + turned + more) * math.Pi / 180)
		deep := math.Copysign(flattest, cos*sin)
		if math.Abs(cos) < flattest*math.Abs(sin) {
			deep = cos / sin
		}
		sum += square(between(rays, rays[0].Dot(right)*deep, rays[1].Dot(right)*deep) - flat)
	}
	return math.Sqrt(sum / 3)
}

// viewed returns the view of a frame with one standard deviation, degrees.
func (u *Uncertainty) viewed(i int) (view, spread float64) {
	view, known := u.View(i)
	if !known || u.aside {
		return unknownView, unknownView
	}
	if _, guessed := u.body.turned(i); guessed {
		return view, guessedView
	}
	return view, widthView
}

// shown returns the root of the mean square of the share that is seen of what lies across a plane, from degrees away from its view
// that are more or less by a standard deviation.
func shown(away, spread float64) float64 {
	return math.Sqrt((1 - math.Cos(2*away*math.Pi/180)*math.Exp(-2*square(spread*math.Pi/180))) / 2)
}

// along returns how far the camera looks along the plane, 0 to 1, by the share that is seen of its depth: then only foreshortening tells it.
func along(out float64) float64 { return min(max((out-.8)/(.93-.8), 0), 1) }

// constantAt returns the constant at degrees from the view of the plane.
func (k *kind) constantAt(away float64) float64 {
	n := 1
	if away > turnedAway[1] {
		n = 2
	}
	share := min(max((away-turnedAway[n-1])/(turnedAway[n]-turnedAway[n-1]), 0), 1)
	return k.constant[n-1] + share*(k.constant[n]-k.constant[n-1])
}

// kind returns what is known of such angles.
func (l *limb) kind() *kind {
	p, single := l.single()
	p, frontal := min(p, p.Mirror()), l.plane == Frontal
	switch {
	case l.axis != (keypoint.Point{}) && frontal && single && p == keypoint.LeftHip:
		return &pelvis
	case l.axis != (keypoint.Point{}) && frontal && single:
		return &shoulders
	case l.axis != (keypoint.Point{}) && frontal:
		return &trunkAside
	case l.axis != (keypoint.Point{}):
		return &trunk
	case !single:
		return &neck
	case p == keypoint.LeftShoulder && frontal:
		return &abduction
	case p == keypoint.LeftShoulder:
		return &flexion
	case p < keypoint.LeftHip:
		return &elbow
	case p == keypoint.LeftHip && frontal:
		return &legAside
	case p == keypoint.LeftKnee && frontal:
		return &valgus
	case p == keypoint.LeftAnkle:
		return &ankle
	}
	return &leg
}

// reach returns how much an angle changes if each bone that looks too short reaches towards the camera, or away from it.
func reach(rays [2]keypoint.Point, lengths [2]float64, flat float64) float64 {
	var deep [2]float64
	for n, ray := range rays {
		deep[n] = math.Sqrt(max(square(lengths[n])-ray.Dot(ray), 0))
	}
	return max(math.Abs(between(rays, deep[0], deep[1])-flat), math.Abs(between(rays, deep[0], -deep[1])-flat))
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

// turn returns by how many degrees the angle differs from the mean of those before and after, and its speed in degrees a second.
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
