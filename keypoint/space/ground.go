package space

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

const (
	restSpeed   = 0.25  // torso lengths a second below which a foot stands still
	restSpread  = 0.03  // torso lengths by which the heights of standing feet are wrong
	leanSpread  = 0.07  // radians by which a standing body leans
	straight    = 0.97  // the share of its length from shoulders to ankles from which a body is straight
	lowestShare = 0.25  // rank of the lowest foot of a frame
	ankleHeight = 0.137 // of the joint above the floor, in torso lengths: 0.039 / 0.288 of the height, as in package keypoint
)

// stand turns the scene so that y is up, from the floor, and z towards the first camera, with the unit of the result.
func (s *scene) stand(bodyHeight float64) *keypoint.Space {
	up := s.up()
	back := s.cameras[0].Rotation.Transpose().Mul3x1(mgl64.Vec3{0, 0, -1})
	back = back.Sub(up.Mul(back.Dot(up)))
	if back.Len() < 1e-6 { // it looks straight down
		back = s.cameras[0].Rotation.Transpose().Mul3x1(mgl64.Vec3{0, 1, 0})
		back = back.Sub(up.Mul(back.Dot(up)))
	}
	back = back.Normalize()
	turned := mgl64.Mat3FromRows(up.Cross(back), up, back)

	scale, unit := 1/s.torso, keypoint.Torso
	if height, ok := s.height(); ok && bodyHeight > 0 {
		scale, unit = bodyHeight/height, keypoint.Metres
	}
	s.move(turned, scale, mgl64.Vec3{})
	s.torso *= scale
	var x, z, lowest []float64
	for i := range s.frames {
		if v, ok := s.lowest(i); ok {
			lowest = append(lowest, v)
		}
		if v, ok := s.middle(i, keypoint.LeftHip); ok {
			x, z = append(x, v[0]), append(z, v[2])
		}
	}
	s.move(mgl64.Ident3(), 1, mgl64.Vec3{-rank.Median(x), -rank.Percentile(lowest, lowestShare), -rank.Median(z)})
	return &keypoint.Space{Unit: unit, Cameras: s.cameras, Residual: s.residual(), Angle: s.angle()}
}

// move turns, scales and shifts everything.
func (s *scene) move(turned mgl64.Mat3, scale float64, shift mgl64.Vec3) {
	for i := range s.frames {
		for p := range s.frames[i] {
			if v := &s.frames[i][p]; v.seen > 0 {
				v.at = turned.Mul3x1(v.at).Mul(scale).Add(shift)
				v.cov = turned.Mul3(v.cov).Mul3(turned.Transpose()).Mul(scale * scale)
			}
		}
	}
	for k := range s.cameras {
		c := &s.cameras[k]
		c.Rotation = c.Rotation.Mul3(turned.Transpose())
		c.Translation = c.Translation.Mul(scale).Sub(c.Rotation.Mul3x1(shift))
	}
}

var feet = [...]keypoint.Part{keypoint.LeftAnkle, keypoint.RightAnkle, keypoint.LeftBigToe, keypoint.RightBigToe, keypoint.LeftHeel, keypoint.RightHeel}

// lowest returns the height of the lowest foot above where the first camera stands.
func (s *scene) lowest(i int) (height float64, ok bool) {
	height = math.Inf(1)
	for _, p := range feet {
		if v := &s.frames[i][p]; v.seen > 0 {
			h := v.at[1]
			if p == keypoint.LeftAnkle || p == keypoint.RightAnkle {
				h -= ankleHeight * s.torso
			}
			height, ok = math.Min(height, h), true
		}
	}
	return height, ok
}

// up returns the vertical: the direction with the least sum of the squares, in standard deviations, of how much the feet that
// stand still differ in height, how much a straight body leans, and how much the cameras roll and look up or down.
func (s *scene) up() mgl64.Vec3 {
	var info mgl64.Mat3
	var pull mgl64.Vec3
	add := func(d mgl64.Vec3, want, sigma float64) {
		info, pull = info.Add(outer(d, d).Mul(1/(sigma*sigma))), pull.Add(d.Mul(want/(sigma*sigma)))
	}
	for k := range s.cameras {
		axes := s.cameras[k].Rotation.Transpose()
		add(axes.Col(0), 0, rollSpread/degrees)
		add(axes.Col(2), pitchMean/degrees, pitchSpread/degrees)
		add(axes.Col(1), -1, 1)
	}
	var lean mgl64.Vec3
	for i := range s.frames {
		if v, ok := s.standing(i); ok {
			lean = lean.Add(v)
		}
	}
	if lean.Len() > 0 {
		lean = lean.Normalize()
		for axis := range 3 {
			var d mgl64.Vec3
			d[axis] = 1
			add(d, lean[axis], leanSpread)
		}
	}
	for _, p := range feet {
		rests := s.rests(p)
		var mean mgl64.Vec3
		for _, v := range rests {
			mean = mean.Add(v.Mul(1 / float64(len(rests))))
		}
		for _, v := range rests {
			add(v.Sub(mean), 0, restSpread*s.torso)
		}
	}
	return info.Inv().Mul3x1(pull).Normalize()
}

// standing returns the direction from the ankles to the shoulders of a body that is straight.
func (s *scene) standing(i int) (v mgl64.Vec3, ok bool) {
	top, okT := s.middle(i, keypoint.LeftShoulder)
	hips, okH := s.middle(i, keypoint.LeftHip)
	knees, okK := s.middle(i, keypoint.LeftKnee)
	low, okL := s.middle(i, keypoint.LeftAnkle)
	v = top.Sub(low)
	if !okT || !okH || !okK || !okL || v.Len() < straight*(top.Sub(hips).Len()+hips.Sub(knees).Len()+knees.Sub(low).Len()) {
		return v, false
	}
	return v.Normalize(), true
}

// rests returns where a part of the foot stands still, once for each time.
func (s *scene) rests(p keypoint.Part) (list []mgl64.Vec3) {
	times := s.tracks[0].seq.Times
	var sum mgl64.Vec3
	n := 0.0
	finish := func() {
		if n > 3 {
			list = append(list, sum.Mul(1/n))
		}
		sum, n = mgl64.Vec3{}, 0
	}
	for i := 1; i < len(s.frames); i++ {
		a, b := &s.frames[i-1][p], &s.frames[i][p]
		if a.seen < 2 || b.seen < 2 || b.at.Sub(a.at).Len() > restSpeed*s.torso*(times[i]-times[i-1]) {
			finish()
			continue
		}
		sum, n = sum.Add(b.at), n+1
	}
	finish()
	return list
}

// height returns the height of the body along its bones, the median.
func (s *scene) height() (height float64, ok bool) {
	var all []float64
	for i := range s.frames {
		var at keypoint.Positions
		for p, v := range s.frames[i] {
			if v.seen > 1 {
				at.Set(keypoint.Part(p), v.at, 0)
			}
		}
		if h, ok := at.BodyHeight(); ok {
			all = append(all, h)
		}
	}
	return rank.Median(all), len(all) > 0
}

// residual returns the median distance in pixels of the limbs as seen from where they are.
func (s *scene) residual() float64 {
	var all []float64
	for i, t := range s.tracks[0].seq.Times {
		for _, p := range limbs {
			looks := s.looks(t, p)
			for k := range s.cameras {
				c := &s.cameras[k]
				pt, ok := c.Project(s.frames[i][p].at)
				if l := &looks[k]; ok && l.sigma > 0 && s.frames[i][p].seen > 1 {
					all = append(all, pt.Sub(l.at).Sub(keypoint.Point{float64(c.Size.X) / 2, float64(c.Size.Y) / 2}).Len())
				}
			}
		}
	}
	return rank.Median(all)
}

// angle returns the median angle at the person between the two cameras that are nearest to a right angle, in degrees.
func (s *scene) angle() (best float64) {
	for a := range s.cameras {
		for b := a + 1; b < len(s.cameras); b++ {
			all := rank.Known(len(s.frames), func(i int) (float64, bool) {
				at, ok := s.middle(i, keypoint.LeftHip)
				u, v := s.cameras[a].Eye().Sub(at), s.cameras[b].Eye().Sub(at)
				return math.Atan2(u.Cross(v).Len(), u.Dot(v)) * degrees, ok
			})
			if v := rank.Median(all); best == 0 || math.Abs(v-90) < math.Abs(best-90) {
				best = v
			}
		}
	}
	return best
}
