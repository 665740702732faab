package space

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

const (
	boneSlack = 0.03 // standard deviation of a bone's length, as a share of it: networks do not find the same point of a joint in all poses
	armSlack  = 0.4  // that of arms: they put the shoulder and the elbow of a raised arm elsewhere
	alone     = 0.4  // that of how far away a part is that one camera sees, as a share of the bone that it hangs on, or of the torso
	sweeps    = 2

	// jointError is one standard deviation in torso lengths of how far networks find a joint from where it is in all pictures alike,
	// such as hips before it, which no number of cameras shows.
	jointError = 0.05
)

// place is where a part is, and how sure.
type place struct {
	at   mgl64.Vec3
	cov  mgl64.Mat3
	seen int // by how many cameras; 0: it is not known
}

// scene is the person in space.
type scene struct {
	tracks   []*track
	cameras  []keypoint.Camera
	frames   [][keypoint.NumParts]place
	lengths  []float64 // of the lines of the skeleton; 0: unknown
	torso    float64
	skeleton [22]keypoint.Edge
}

// triangulate mends the sides of the views, and puts the parts where the lines of sight meet: where the squares of the distances
// in the pictures, in standard deviations of the looks, have the least sum. Then it keeps the bones.
func triangulate(tracks []*track, cameras []keypoint.Camera, bodyHeight float64) (keypoint.Sequence, error) {
	for k, v := range tracks[1:] {
		mendSides(tracks[0], v, [2]keypoint.Camera{cameras[0], cameras[k+1]})
	}
	s := &scene{tracks: tracks, cameras: append([]keypoint.Camera(nil), cameras...), skeleton: keypoint.Skeleton()}
	first := tracks[0]
	s.frames = make([][keypoint.NumParts]place, first.seq.Len())
	for i := range s.frames {
		for p := range s.frames[i] {
			s.frames[i][p] = s.point(first.seq.Times[i], keypoint.Part(p))
		}
	}
	s.measure()
	if s.torso == 0 {
		return keypoint.Sequence{}, refuse(wrongAngle, "The phones see the person from the same side. Put them 60 to 120° apart.")
	}
	for i := range s.frames {
		s.keep(i)
	}
	out := first.seq
	out.Frames = append([]keypoint.Frame(nil), out.Frames...)
	out.Space = s.stand(bodyHeight)
	for i := range out.Frames {
		var at keypoint.Positions
		for p, v := range s.frames[i] {
			if v.seen > 0 {
				at.Set(keypoint.Part(p), v.at, math.Hypot(math.Sqrt(v.cov.Trace()/3), jointError*s.torso))
			}
		}
		out.Frames[i].SetPositions(&at)
	}
	return out, nil
}

// looks returns what the cameras see of a part at a time of the first recording.
func (s *scene) looks(t float64, p keypoint.Part) (looks [mostViews]look) {
	for k, v := range s.tracks {
		at := t - s.cameras[k].Offset
		if i, ok := v.frame(at); ok {
			looks[k] = v.look(i, at, p)
		}
	}
	return looks
}

// point returns a part at a time if two cameras see it, else, if one does, with seen 1 and nothing else.
func (s *scene) point(t float64, p keypoint.Part) (v place) {
	looks := s.looks(t, p)
	var rays [mostViews]ray
	for k := range s.cameras {
		if rays[k] = looks[k].ray(&s.cameras[k], s.cameras[k].Offset); rays[k].weight > 0 {
			v.seen++
		}
	}
	at, ok := meet(rays[:])
	if !ok {
		v.seen = min(v.seen, 1)
		return v
	}
	for range 2 {
		var info mgl64.Mat3
		var pull mgl64.Vec3
		for k := range s.cameras {
			if looks[k].sigma > 0 {
				a, b := s.look(k, &looks[k], at)
				info, pull = info.Add(a), pull.Add(b)
			}
		}
		v.cov = info.Inv()
		at = at.Add(v.cov.Mul3x1(pull))
	}
	if v.at = at; !finite(at) || !(v.cov.Trace() > 0) {
		return place{}
	}
	return v
}

func finite(v mgl64.Vec3) bool { return !math.IsNaN(v.Dot(v)) && !math.IsInf(v.Dot(v), 0) }

// look returns what a look says of a place: its information, and the pull towards where it is seen.
func (s *scene) look(k int, l *look, at mgl64.Vec3) (info mgl64.Mat3, pull mgl64.Vec3) {
	c := &s.cameras[k]
	v := c.Rotation.Mul3x1(at).Add(c.Translation)
	for axis := range 2 {
		var d mgl64.Vec3
		d[axis], d[2] = c.Focal/v[2], -c.Focal*v[axis]/(v[2]*v[2])
		d = c.Rotation.Transpose().Mul3x1(d).Mul(1 / l.sigma)
		off := (l.at[axis] - c.Focal*v[axis]/v[2]) / l.sigma
		info, pull = info.Add(outer(d, d)), pull.Add(d.Mul(off))
	}
	return info, pull
}

// outer returns a·bᵀ.
func outer(a, b mgl64.Vec3) mgl64.Mat3 {
	return mgl64.Mat3FromCols(a.Mul(b[0]), a.Mul(b[1]), a.Mul(b[2]))
}

// measure finds the lengths of the bones, the median of both sides where two cameras see them, and of the torso.
func (s *scene) measure() {
	of := map[[2]keypoint.Part][]float64{}
	var torsos []float64
	for i := range s.frames {
		f := &s.frames[i]
		for _, e := range s.skeleton {
			if a, b := &f[e[0]], &f[e[1]]; a.seen > 1 && b.seen > 1 {
				of[twin(e)] = append(of[twin(e)], a.at.Sub(b.at).Len())
			}
		}
		top, okT := s.middle(i, keypoint.LeftShoulder)
		if low, okL := s.middle(i, keypoint.LeftHip); okT && okL {
			torsos = append(torsos, top.Sub(low).Len())
		}
	}
	s.torso = rank.Median(torsos)
	s.lengths = make([]float64, len(s.skeleton))
	for k, e := range s.skeleton {
		s.lengths[k] = rank.Median(of[twin(e)])
	}
}

// twin returns the line of the skeleton, or its mirror image, whichever comes first.
func twin(e keypoint.Edge) [2]keypoint.Part {
	a, b := [2]keypoint.Part{min(e[0], e[1]), max(e[0], e[1])}, [2]keypoint.Part{e[0].Mirror(), e[1].Mirror()}
	b = [2]keypoint.Part{min(b[0], b[1]), max(b[0], b[1])}
	if b[0] < a[0] || b[0] == a[0] && b[1] < a[1] {
		return b
	}
	return a
}

// middle returns the middle of a pair of parts.
func (s *scene) middle(i int, left keypoint.Part) (at mgl64.Vec3, ok bool) {
	a, b := &s.frames[i][left], &s.frames[i][left.Mirror()]
	return a.at.Add(b.at).Mul(0.5), a.seen > 1 && b.seen > 1
}

// keep gives each bone its length: each end moves as far as it is unsure in that direction, as in a Kalman filter whose
// measurement is the length. A part that one camera sees comes to lie where its line of sight is that far from the other
// end, of two such places at the one nearer to where it was before.
func (s *scene) keep(i int) {
	f := &s.frames[i]
	for range 2 { // the second end of a limb hangs on the first
		for p := range f {
			if f[p].seen == 1 && f[p].cov == (mgl64.Mat3{}) {
				s.hang(i, keypoint.Part(p))
			}
		}
	}
	for p := range f {
		if f[p].cov == (mgl64.Mat3{}) {
			f[p] = place{}
		}
	}
	for range sweeps {
		for k, e := range s.skeleton {
			a, b := &f[e[0]], &f[e[1]]
			d := b.at.Sub(a.at)
			length := d.Len()
			if a.seen == 0 || b.seen == 0 || s.lengths[k] == 0 || length == 0 {
				continue
			}
			u := d.Mul(1 / length)
			ca, cb := a.cov.Mul3x1(u), b.cov.Mul3x1(u)
			slack := boneSlack * s.lengths[k]
			if e[1] >= keypoint.LeftElbow && e[1] <= keypoint.RightWrist {
				slack = armSlack * s.lengths[k]
			}
			sum := u.Dot(ca) + u.Dot(cb) + slack*slack*sweeps
			off := (length - s.lengths[k]) / sum
			a.at, b.at = a.at.Add(ca.Mul(off)), b.at.Sub(cb.Mul(off))
			a.cov, b.cov = a.cov.Sub(outer(ca, ca).Mul(1/sum)), b.cov.Sub(outer(cb, cb).Mul(1/sum))
		}
	}
}

// hang puts a part that one camera sees on its line of sight.
func (s *scene) hang(i int, p keypoint.Part) {
	f := &s.frames[i]
	looks := s.looks(s.tracks[0].seq.Times[i], p)
	k := 0
	for k < len(s.cameras)-1 && looks[k].sigma == 0 {
		k++
	}
	c := &s.cameras[k]
	r := looks[k].ray(c, c.Offset)
	for e, edge := range s.skeleton {
		if edge[0] != p && edge[1] != p || s.lengths[e] == 0 {
			continue
		}
		other := edge[0] + edge[1] - p
		from := f[other]
		if from.seen == 0 || from.cov == (mgl64.Mat3{}) {
			continue
		}
		along := from.at.Sub(r.from).Dot(r.along) // of the point of the ray nearest to the other end
		nearest := r.from.Add(r.along.Mul(along))
		reach := math.Sqrt(math.Max(0, s.lengths[e]*s.lengths[e]-nearest.Sub(from.at).Dot(nearest.Sub(from.at))))
		at := nearest.Sub(r.along.Mul(reach))
		if was, ok := s.before(i, p, other); ok && was.Dot(r.along) > 0 {
			at = nearest.Add(r.along.Mul(reach))
		}
		depth := at.Sub(r.from).Len()
		across, deep := depth*r.sigma, alone*s.lengths[e]
		f[p].at = at
		f[p].cov = mgl64.Ident3().Mul(across * across).Add(outer(r.along, r.along).Mul(deep * deep))
		return
	}
}

// before returns how a part lay to another one in the nearest earlier or later frame in which both were seen by two cameras.
func (s *scene) before(i int, p, other keypoint.Part) (v mgl64.Vec3, ok bool) {
	for d := 1; d < len(s.frames); d++ {
		for _, j := range [2]int{i - d, i + d} {
			if j >= 0 && j < len(s.frames) && s.frames[j][p].seen > 1 && s.frames[j][other].seen > 1 {
				return s.frames[j][p].at.Sub(s.frames[j][other].at), true
			}
		}
	}
	return v, false
}
