package draw

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// Face is an ellipse around a head, in pixels.
type Face struct {
	Centre keypoint.Point
	Radius float64        // across
	Up     keypoint.Point // from the centre to the crown; zero for a disc
}

// faceMemory is for how long, in seconds, a face that is not found is taken to be where it was
// before or will be afterwards, in relation to the body.
const faceMemory = 1.0

// Faces returns the faces in each frame of a recording, one for each person whose keypoints are given, to be blurred:
// see Inputs.Faces. The frames of all people are those of the same movie or image.
//
// The centre is between the ears, or that of the box around nose, eyes and one ear. The ellipse covers the head from chin to
// crown, upright over the shoulders: its size is the greatest that the distances between these parts, from the nose to the
// shoulders, and the torso suggest within a quarter of a second, at most 0.6 torso lengths. A face that was lost stays for up
// to a second and then from up to a second before it is found again; it moves with the body if that is known, and grows by
// half a radius in a second. People without keypoints have no face here, nor has an invalid sequence.
func Faces(people ...keypoint.Sequence) [][]Face {
	var frames [][]Face
	for _, p := range people {
		if p.Validate() != nil {
			continue
		}
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
	for _, side := range [...]keypoint.Edge{{keypoint.LeftEye, keypoint.LeftEar}, {keypoint.RightEye, keypoint.RightEar}} {
		between(keypoint.Nose, side[1], 1.2)
		between(side[0], side[1], 1.5)
	}
	centre, ears := keypoint.MidpointSelector(keypoint.LeftEar, keypoint.RightEar).At(f)
	if !ears {
		centre = low.Add(high).Mul(0.5)
	}
	neck, shoulders := keypoint.MidpointSelector(keypoint.LeftShoulder, keypoint.RightShoulder).At(f)
	suggest(centre.Sub(neck).Len(), shoulders, 0.5)
	torso, ok := f.TorsoLength()
	suggest(torso, ok, 0.27)
	if ok && torso > 0 {
		radius = min(radius, 0.6*torso)
	}
	if radius == 0 { // a nose alone
		low, high, _ := f.Bounds()
		radius = max(0.1*high.Sub(low).Len(), 4)
	}
	face := Face{Centre: centre, Radius: radius}
	if up := centre.Sub(neck); shoulders && up.Len() > 0 {
		face.Up = up.Mul(1.15 * radius / up.Len())
		face.Centre = centre.Add(face.Up.Mul(0.1)) // the ears are below the middle of the head
	}
	return face
}

// steady makes each face as large as the largest within a quarter of a second, and then lets it be the mean of those within
// a quarter of a second, so that it neither trembles nor shrinks below what was found.
func steady(found []Face, s keypoint.Sequence) {
	if s.Times == nil {
		return
	}
	pass := func(merge func(f *Face, near []Face)) {
		faces, first, last := slices.Clone(found), 0, 0 // the window [first, last)
		for i := range faces {
			for ; last < len(found) && s.Times[last] <= s.Times[i]+0.25; last++ {
			}
			for ; s.Times[first] < s.Times[i]-0.25; first++ {
			}
			if faces[i].Radius > 0 {
				merge(&faces[i], slices.DeleteFunc(slices.Clone(found[first:last]), func(f Face) bool { return f.Radius == 0 }))
			}
		}
		copy(found, faces)
	}
	pass(func(f *Face, near []Face) {
		for _, o := range near {
			f.Radius = max(f.Radius, o.Radius)
		}
	})
	pass(func(f *Face, near []Face) {
		radius, up := 0.0, keypoint.Point{}
		for _, o := range near {
			radius += o.Radius / float64(len(near))
			up = up.Add(o.Up)
		}
		f.Radius = radius
		if f.Up = up; up.Len() > 0 {
			f.Up = up.Mul(1.15 * radius / up.Len())
		}
	})
}

// nearestFace returns the face in frame i of the person in a span of frames, by those found at most faceMemory before and after it.
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
				faces[k] = Face{found[j].Centre.Add(moved(&s.Frames[j], &s.Frames[i])), found[j].Radius * (1 + age/2), found[j].Up.Mul(1 + age/2)}
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
	radius := max(before.Radius, after.Radius) + apart.Len()/2*min(share, 1-share)*2
	return Face{before.Centre.Add(apart.Mul(share)), radius, before.Up.Mul(radius / before.Radius)}
}

// moved returns how far the body has moved from one frame to another: its shoulders, or else the parts that both frames have.
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
