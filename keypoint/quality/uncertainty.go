package quality

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// Uncertainty gives the uncertainty of values as one standard deviation. It refers to the truth in space: the part itself
// and, for an angle, the angle between the bones, not between their images. It depends on the confidence of the parts
// and on how much the view foreshortens the limbs. docs/quality.md has the origin of the tables. It is safe for
// concurrent use.
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

const (
	boneFloor = 0.85 // the least length of a bone, as a share of the average one: all frames may foreshorten it
	boneSlack = 0.98 // the share of its length from which a bone counts as not foreshortened
	// A side view foreshortens nothing that moves in the sagittal plane. The depth of a bone counts
	// by |cos view| / fullDepth, at least leastDepth and at most 1.
	fullDepth  = 0.7
	leastDepth = 0.35
	// aslant is the depth that a bone may have without looking shorter, as a share of its length in the
	// picture: shoulders are wider than hips, arms hang away from the trunk.
	aslant = 0.1
	// The weights of the errors of an angle's ends, of its vertex and of the depth, and the error
	// in degrees that is always there.
	endWeight    = 0.8
	vertexWeight = 0.5
	depthWeight  = 0.8
	angleFloor   = 4
	shortest     = 0.15 // torso lengths of a limb below which its direction is arbitrary
	maxAngle     = 60   // the largest uncertainty of an angle, degrees: that of any angle at all
)

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

// spread returns the error of a coordinate of a part, in torso lengths.
func spread(p keypoint.Part, confidence float64) float64 {
	row := &spreads[0]
	if p >= keypoint.LeftShoulder {
		row = &spreads[min(1+int(p-keypoint.LeftShoulder)/2, len(spreads)-1)]
	}
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
	return torsos * u.scale(i), ok
}

func (u *Uncertainty) scale(i int) float64 {
	if i < 0 || i >= len(u.body.torso) {
		return 0
	}
	return u.body.torso[i]
}

// point returns the uncertainty of a coordinate in torso lengths.
func (u *Uncertainty) point(i int, point keypoint.Selector) (torsos float64, ok bool) {
	if u.scale(i) == 0 {
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

// Direction returns the uncertainty of the direction from one point to another in the picture in
// frame i in degrees. ok is false if a point or the scale of the body is missing.
func (u *Uncertainty) Direction(i int, from, to keypoint.Selector) (degrees float64, ok bool) {
	s, ok := u.Distance(i, from, to)
	if !ok {
		return 0, false
	}
	a, _ := from.At(&u.body.seq.Frames[i])
	b, _ := to.At(&u.body.seq.Frames[i])
	length := max(b.Sub(a).Len(), shortest*u.scale(i))
	return min(degreesOf(endWeight*s/length), maxAngle), true
}

// Angle returns the uncertainty in degrees of the angle at b between the rays to a and to c in frame i:
//
//	√(4² + (0.8·ends)² + (0.5·vertex)² + (0.8·depth)²)
//
// ends and vertex are the errors of the angle that follow from those of a and c, and of b. depth is how
// much the angle changes if the bones that look too short lean towards the camera or away from it.
// ok is false if a point or the scale of the body is missing.
func (u *Uncertainty) Angle(i int, a, b, c keypoint.Selector) (degrees float64, ok bool) {
	sa, okA := u.point(i, a)
	sb, okB := u.point(i, b)
	sc, okC := u.point(i, c)
	if !okA || !okB || !okC {
		return 0, false
	}
	f := &u.body.seq.Frames[i]
	pa, _ := a.At(f)
	pb, _ := b.At(f)
	pc, _ := c.At(f)
	ra, rc := pa.Sub(pb).Mul(1/u.scale(i)), pc.Sub(pb).Mul(1/u.scale(i))
	ga, gc := gradient(ra), gradient(rc)
	ends := degreesOf(math.Hypot(ga.Len()*sa, gc.Len()*sc))
	vertex := degreesOf(gc.Sub(ga).Len() * sb)
	depth := 0.0
	if ra.Len() > 0 && rc.Len() > 0 {
		depth = bend(ra, rc, u.depth(i, a, b, ra.Len()), u.depth(i, b, c, rc.Len()))
	}
	sigma := math.Sqrt(angleFloor*angleFloor + square(endWeight*ends) + square(vertexWeight*vertex) + square(depthWeight*depth))
	if !(sigma < maxAngle) { // or not a number
		sigma = maxAngle
	}
	return sigma, true
}

// gradient returns how the direction of a ray changes with its end, radians per torso length.
func gradient(ray keypoint.Point) keypoint.Point {
	length := max(ray.Len(), shortest)
	return keypoint.Point{-ray[1], ray[0]}.Mul(1 / (length * length))
}

// depth returns how far a bone between two points reaches towards the camera or away from it, in torso
// lengths. A ray that is not a bone of known length is only aslant.
func (u *Uncertainty) depth(i int, from, to keypoint.Selector, length float64) float64 {
	k := boneOf(from, to)
	if k < 0 {
		return aslant * length
	}
	share := 1.0
	if v, ok := u.View(i); ok {
		share = min(max(math.Abs(math.Cos(v*math.Pi/180))/fullDepth, leastDepth), 1)
	}
	return max(share*math.Sqrt(max(square(boneSlack*u.bones[k])-length*length, 0)), aslant*length)
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

// bend returns the largest difference in degrees between the angle of two rays in the picture and in
// space, if they reach into it by the given depths, to the same side or to opposite ones.
func bend(a, c keypoint.Point, da, dc float64) float64 {
	flat := angle(a.Dot(c), a.Len(), c.Len())
	la, lc := math.Hypot(a.Len(), da), math.Hypot(c.Len(), dc)
	return max(math.Abs(angle(a.Dot(c)+da*dc, la, lc)-flat), math.Abs(angle(a.Dot(c)-da*dc, la, lc)-flat))
}

// angle returns the angle in degrees of two rays of given lengths.
func angle(dot, a, c float64) float64 {
	return degreesOf(math.Acos(min(max(dot/(a*c), -1), 1)))
}

func degreesOf(radians float64) float64 { return radians * 180 / math.Pi }
