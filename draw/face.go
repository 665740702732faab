package draw

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// Face is a disc around a head, in pixels.
type Face struct {
	Centre keypoint.Point
	Radius float64
}

// faceMemory is for how long, in seconds, a face that is not found is taken to be where it was
// before or will be afterwards, in relation to the body.
const faceMemory = 1.0

// Faces returns the faces in each frame of a recording, one for each person whose keypoints are given, to be blurred:
// see Inputs.Faces. The frames of all people are those of the same movie or image.
//
// The centre is that of the box around nose, eyes and ears. The radius covers head and chin: it
// is the greatest that the distances between these parts, from the nose to the shoulders, and
// the torso suggest, at most 0.6 torso lengths. A face that was lost stays for up to a second
// and then from up to a second before it is found again; it moves with the body if that is
// known, and grows by half a radius in a second. People without keypoints have no face here.
func Faces(people ...keypoint.Sequence) [][]Face {
	var frames [][]Face
	for _, p := range people {
		for len(frames) < p.Len() {
			frames = append(frames, nil)
		}
		found := make([]Face, p.Len()) // radius 0: not found
		for i := range p.Frames {
			found[i] = faceOf(&p.Frames[i])
		}
		steady(found, p)
		for _, span := range p.People() {
			for i := span.First; i <= span.Last; i++ {
				if f := nearestFace(found, p, i, span); f.Radius > 0 {
					frames[i] = append(frames[i], f)
				}
			}
		}
	}
	return frames
}

// faceOf returns the face in a frame, with radius 0 if no part of the head is there.
func faceOf(f *keypoint.Frame) Face {
	shown := f.Only(keypoint.Head())
	low, high, ok := shown.Bounds()
	if !ok {
		return Face{}
	}
	// The factors make each a radius of about 0.14 m for a body of 1.75 m.
	radius := 0.0
	suggest := func(distance float64, ok bool, factor float64) {
		if ok {
			radius = max(radius, factor*distance)
		}
	}
	between := func(a, b keypoint.Part, factor float64) {
		distance, ok := f.Distance(a, b)
		suggest(distance, ok, factor)
	}
	between(keypoint.LeftEar, keypoint.RightEar, 0.95)
	between(keypoint.LeftEye, keypoint.RightEye, 2.2)
	for _, left := range [...]bool{true, false} {
		eye, ear := keypoint.LeftEye, keypoint.LeftEar
		if !left {
			eye, ear = eye.Mirror(), ear.Mirror()
		}
		between(keypoint.Nose, ear, 1.2)
		between(eye, ear, 1.5)
	}
	centre := low.Add(high).Mul(0.5)
	neck, ok := keypoint.MidpointSelector(keypoint.LeftShoulder, keypoint.RightShoulder).At(f)
	suggest(centre.Sub(neck).Len(), ok, 0.5)
	torso, ok := f.TorsoLength()
	suggest(torso, ok, 0.27)
	if ok && torso > 0 {
		radius = min(radius, 0.6*torso)
	}
	if radius == 0 { // a nose alone
		low, high, _ := f.Bounds()
		radius = max(0.1*high.Sub(low).Len(), 4)
	}
	return Face{centre, radius}
}

// steady makes no face smaller than 0.9 of the mean within half a second.
func steady(found []Face, s keypoint.Sequence) {
	if s.Times == nil {
		return
	}
	const half = 0.5
	radii := make([]float64, len(found))
	first, last := 0, 0 // the window [first, last)
	sum, n := 0.0, 0.0
	count := func(i int, sign float64) {
		if found[i].Radius > 0 {
			sum, n = sum+sign*found[i].Radius, n+sign
		}
	}
	for i := range found {
		for ; last < len(found) && s.Times[last] <= s.Times[i]+half; last++ {
			count(last, 1)
		}
		for ; s.Times[first] < s.Times[i]-half; first++ {
			count(first, -1)
		}
		if found[i].Radius > 0 {
			radii[i] = max(found[i].Radius, 0.9*sum/n)
		}
	}
	for i, r := range radii {
		found[i].Radius = r
	}
}

// nearestFace returns the face in frame i of the person in a span of frames, by those found at
// most faceMemory before and after it.
func nearestFace(found []Face, s keypoint.Sequence, i int, span keypoint.Span) Face {
	if found[i].Radius > 0 || s.Times == nil {
		return found[i]
	}
	var faces [2]Face
	var shares [2]float64
	for k, step := range [2]int{-1, 1} {
		for j := i + step; j >= span.First && j <= span.Last && math.Abs(s.Times[j]-s.Times[i]) <= faceMemory; j += step {
			if found[j].Radius > 0 {
				age := math.Abs(s.Times[j] - s.Times[i])
				faces[k] = Face{found[j].Centre.Add(moved(&s.Frames[j], &s.Frames[i])), found[j].Radius * (1 + age/2)}
				shares[k] = 1 / max(age, 1e-9)
				break
			}
		}
	}
	before, after := faces[0], faces[1]
	switch {
	case before.Radius == 0:
		return after
	case after.Radius == 0:
		return before
	}
	share := shares[1] / (shares[0] + shares[1])
	apart := after.Centre.Sub(before.Centre)
	return Face{before.Centre.Add(apart.Mul(share)), max(before.Radius, after.Radius) + apart.Len()/2*min(share, 1-share)*2}
}

// moved returns how far the body has moved from one frame to another: its shoulders, or else the
// parts that both frames have.
func moved(from, to *keypoint.Frame) keypoint.Point {
	shared := from.Present() & to.Present() &^ keypoint.Head()
	if shoulders := keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder); shared&shoulders != 0 {
		shared &= shoulders
	}
	a, okA := from.Centroid(shared)
	b, okB := to.Centroid(shared)
	if !okA || !okB {
		return keypoint.Point{}
	}
	return b.Sub(a)
}
