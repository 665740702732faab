package compare

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// pose is a frame in units of the displacement that counts as distance 1. DTW compares
// each with each, hence the flat form: millions of pairs for a minute of movie.
type pose struct {
	x, y    [keypoint.NumParts]float32 // from the centre
	present keypoint.Parts
	hips    keypoint.Parts // those that make the centre
}

// hips make the centre of two frames that share them.
var hips = keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip)

func poses(s side) []pose {
	list := make([]pose, s.seq.Len())
	scale := 1 / (s.body * fullDistance)
	for i := range list {
		f := &s.seq.Frames[i]
		a := &list[i]
		a.present, a.hips = f.Present(), f.Present()&hips
		centre, _ := f.Centroid(hips)
		for p := range keypoint.Part(keypoint.NumParts) {
			if pt, ok := f.At(p); ok {
				pt = pt.Sub(centre).Mul(scale)
				a.x[p], a.y[p] = float32(pt[0]), float32(pt[1])
			}
		}
	}
	return list
}

// distance returns the mean distance of the parts that two poses share, 0 to 1; 1 where
// they share none.
func (a *pose) distance(b *pose) float32 {
	shared := a.present & b.present
	switch {
	case shared == 0:
		return 1
	case a.hips != b.hips || a.hips == 0:
		return a.moved(b)
	case shared != keypoint.All:
		return a.sharing(b, shared, 0, 0)
	}
	// Four sums, for the processor to add at a time.
	s0 := apart(a.x[0]-b.x[0], a.y[0]-b.y[0])
	s1, s2, s3 := float32(0), float32(0), float32(0)
	for p := 1; p < keypoint.NumParts; p += 4 {
		s0 += apart(a.x[p]-b.x[p], a.y[p]-b.y[p])
		s1 += apart(a.x[p+1]-b.x[p+1], a.y[p+1]-b.y[p+1])
		s2 += apart(a.x[p+2]-b.x[p+2], a.y[p+2]-b.y[p+2])
		s3 += apart(a.x[p+3]-b.x[p+3], a.y[p+3]-b.y[p+3])
	}
	return (s0 + s1 + s2 + s3) / keypoint.NumParts
}

// apart returns the length of a displacement, 1 at most.
func apart(dx, dy float32) float32 {
	if d := float32(math.Sqrt(float64(dx*dx + dy*dy))); d < 1 {
		return d
	}
	return 1 // also of numbers beyond all pictures
}

// sharing returns the mean distance of the shared parts when b is moved by (mx, my).
func (a *pose) sharing(b *pose, shared keypoint.Parts, mx, my float32) float32 {
	sum := float32(0)
	for p := range a.x {
		if shared.Has(keypoint.Part(p)) {
			sum += apart(b.x[p]+mx-a.x[p], b.y[p]+my-a.y[p])
		}
	}
	return sum / float32(shared.Len())
}

// moved is the distance of poses that do not have the same hips: b is moved so that the
// centres of what they share coincide.
func (a *pose) moved(b *pose) float32 {
	shared := a.present & b.present
	set := centreParts(shared)
	mx, my := float32(0), float32(0)
	for p := range a.x {
		if set.Has(keypoint.Part(p)) {
			mx += a.x[p] - b.x[p]
			my += a.y[p] - b.y[p]
		}
	}
	n := float32(set.Len())
	return a.sharing(b, shared, mx/n, my/n)
}
