package compare

import (
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// lanes is the number of parts of the body, rounded up to a multiple of the four lanes of SSE2.
const lanes = 20

// pose is the body of a frame in units of fullDistance. DTW compares millions of pairs, so it is flat. distance_amd64.s knows its layout.
type pose struct {
	x, y    [lanes]float32 // from the centre
	mask    [lanes]uint32  // all bits set for the parts that are present
	present keypoint.Parts
}

// hips make the centre of two frames that share them.
var hips = keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip)

func poses(s side) []pose {
	list := make([]pose, s.seq.Len())
	scale := 1 / (s.body * fullDistance)
	for i := range list {
		f := &s.seq.Frames[i]
		a := &list[i]
		a.present = f.Present() & keypoint.Body
		centre, _ := f.Centroid(hips)
		for _, p := range a.present.List() {
			pt, _ := f.At(p)
			pt = pt.Sub(centre).Mul(scale)
			a.x[p], a.y[p], a.mask[p] = float32(pt[0]), float32(pt[1]), math.MaxUint32
		}
	}
	return list
}

// distances sets out[j] to the distance of a and b[j]: the mean over the parts that both have, 0 to 1; 1 if they share none.
func (a *pose) distances(b []pose, out []float32) {
	sums(a, b, out)
	for j := range b {
		switch shared := a.present & b[j].present; {
		case shared == 0:
			out[j] = 1
		case shared&hips == 0 || (a.present^b[j].present)&hips != 0:
			out[j] = a.moved(&b[j], shared)
		default:
			out[j] /= float32(shared.Len())
		}
	}
}

// sumsGo sets out[j] to the sum of the distances of the parts that a and b[j] share.
func sumsGo(a *pose, b []pose, out []float32) {
	for j := range b {
		c := &b[j]
		sum := float32(0)
		for p := range keypoint.NumBody {
			if a.mask[p]&c.mask[p] != 0 {
				sum += apart(a.x[p]-c.x[p], a.y[p]-c.y[p])
			}
		}
		out[j] = sum
	}
}

// apart returns the length of a displacement, at most 1.
func apart(dx, dy float32) float32 {
	if d := float32(math.Sqrt(float64(dx*dx + dy*dy))); d < 1 {
		return d
	}
	return 1 // also for NaN, from coordinates that overflow
}

// moved returns the distance of poses with different hips: b is moved so that the centres of the shared parts coincide.
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

// diagonalShare is the torso length as a share of the bounding box's diagonal.
const diagonalShare = 0.45

// bodySize returns the torso length of a recording in pixels: the median over its frames; ok is false if no frame shows it.
func bodySize(frames []keypoint.Frame) (size float64, ok bool) {
	sizes := rank.Known(len(frames), func(i int) (float64, bool) {
		v, ok := frames[i].TorsoLength()
		return v, ok && v > 0
	})
	if len(sizes) == 0 {
		sizes = rank.Known(len(frames), func(i int) (float64, bool) {
			f := frames[i].Only(keypoint.Body)
			low, high, ok := f.Bounds()
			return high.Sub(low).Len() * diagonalShare, ok && low != high
		})
	}
	return rank.Median(sizes), len(sizes) > 0
}

// centreParts returns the parts whose mean is the centre of two frames that share these:
// the hips, else the shoulders, else all of the body, else all.
func centreParts(shared keypoint.Parts) keypoint.Parts {
	shoulders := keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder)
	switch {
	case shared&hips != 0:
		return shared & hips
	case shared&shoulders != 0:
		return shared & shoulders
	case shared&keypoint.Body != 0:
		return shared & keypoint.Body
	}
	return shared
}

// centres returns the points that are made to coincide, of the same parts in both frames; ok is false for frames that share no part.
func centres(s, t *keypoint.Frame) (cs, ct keypoint.Point, ok bool) {
	set := centreParts(s.Present() & t.Present())
	cs, _ = s.Centroid(set)
	ct, _ = t.Centroid(set)
	return cs, ct, set != 0
}
