package compare

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// lanes is the number of parts, filled up for the processor's registers.
const lanes = 24

// pose is a frame in units of the displacement that counts as distance 1. DTW compares
// each with each, hence the flat form: millions of pairs for a minute of movie.
// distance_amd64.s knows its layout.
type pose struct {
	x, y    [lanes]float32 // from the centre
	mask    [lanes]uint32  // all bits set for the parts that are there
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
		for _, p := range a.present.List() {
			pt, _ := f.At(p)
			pt = pt.Sub(centre).Mul(scale)
			a.x[p], a.y[p], a.mask[p] = float32(pt[0]), float32(pt[1]), math.MaxUint32
		}
	}
	return list
}

// distances fills out with the distances of a to each pose of b: the mean over the parts
// that two poses share, 0 to 1; 1 where they share none.
func (a *pose) distances(b []pose, out []float32) {
	sums(a, b, out)
	for j := range b {
		switch shared := a.present & b[j].present; {
		case shared == 0:
			out[j] = 1
		case a.hips != b[j].hips || a.hips == 0:
			out[j] = a.moved(&b[j], shared)
		default:
			out[j] /= float32(shared.Len())
		}
	}
}

// sumsGo is sums for all processors.
func sumsGo(a *pose, b []pose, out []float32) {
	for j := range b {
		c := &b[j]
		var s [4]float32 // for the processor to add at a time
		for p := range keypoint.NumParts {
			if a.mask[p]&c.mask[p] != 0 {
				s[p%4] += apart(a.x[p]-c.x[p], a.y[p]-c.y[p])
			}
		}
		out[j] = s[0] + s[1] + s[2] + s[3]
	}
}

// apart returns the length of a displacement, 1 at most.
func apart(dx, dy float32) float32 {
	if d := float32(math.Sqrt(float64(dx*dx + dy*dy))); d < 1 {
		return d
	}
	return 1 // also of numbers beyond all pictures
}

// moved is the distance of poses that do not have the same hips: b is moved so that the
// centres of what they share coincide.
func (a *pose) moved(b *pose, shared keypoint.Parts) float32 {
	mx, my := float32(0), float32(0)
	centre := centreParts(shared)
	for _, p := range centre.List() {
		mx += a.x[p] - b.x[p]
		my += a.y[p] - b.y[p]
	}
	n := float32(centre.Len())
	mx, my = mx/n, my/n
	sum := float32(0)
	for _, p := range shared.List() {
		sum += apart(b.x[p]+mx-a.x[p], b.y[p]+my-a.y[p])
	}
	return sum / float32(shared.Len())
}
