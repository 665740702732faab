package space

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

const (
	roughMoments, fineMoments = 24, 120
	roughStep                 = 15 // degrees about the vertical between rough starts
	leastLimbs                = 6  // of a moment that counts
	leastMoments              = 12
	narrowest, widest         = 35.0, 150.0 // degrees between the cameras
	usualNoise                = 0.1         // standard deviations that are left of usual looks
	mostResidual              = 0.015       // radians
	exact                     = 0.2         // the share of the expected noise below which what is expected of cameras does not count
)

// calibrate finds the cameras.
func calibrate(tracks []*track, opt Options) (cameras []keypoint.Camera, err error) {
	for k, v := range tracks {
		c := keypoint.Camera{Size: v.seq.Size, Rotation: mgl64.Ident3()}
		c.Focal = focalOf(&c)
		if len(opt.Focal) > 0 && opt.Focal[k] > 0 {
			c.Focal = opt.Focal[k]
		}
		if k > 0 {
			if c.Offset, v.sure, err = together(tracks[0], v); err != nil {
				return nil, err
			}
		}
		cameras = append(cameras, c)
	}
	known := make([]float64, len(tracks))
	copy(known, opt.Focal)
	var all rig
	for k := range tracks[1:] {
		p := newProblem([]*track{tracks[0], tracks[k+1]}, []keypoint.Camera{cameras[0], cameras[k+1]}, []float64{known[0], known[k+1]})
		if p.moments < leastMoments {
			return nil, refuse(tooLittleSeen, "The phones see too little of the person at the same time. Film the whole body with both.")
		}
		r := p.found(tracks[0], tracks[k+1])
		if k == 0 {
			all = r
			continue
		}
		all.cameras = append(all.cameras, r.cameras[1]) // in the same torso lengths
	}
	p := newProblem(tracks, all.cameras, known)
	noise := usualNoise
	for range 12 {
		p.start = all
		all, _ = p.refine(all, 20, noise)
		next := math.Min(p.noise(all), usualNoise)
		if next > exact*noise && noise < usualNoise || noise < 1e-9 {
			break
		}
		noise = next
		p = newProblem(tracks, all.cameras, known)
	}
	return all.cameras, nil
}

// judge refuses what cannot be trusted.
func judge(space *keypoint.Space) error {
	for k := range space.Cameras {
		if c := &space.Cameras[k]; space.Residual > mostResidual*c.Focal {
			return refuse(notSame, notSameDetail, fmt.Sprintf(": their views contradict each other by %.0f pixels", space.Residual))
		}
	}
	if space.Angle < narrowest || space.Angle > widest {
		return refuse(wrongAngle, "The phones stand %.0f° apart, seen from the person. Put them 60 to 120° apart.", space.Angle)
	}
	return nil
}

// newProblem takes looks at moments in which two cameras see the person, evenly over the recording.
func newProblem(tracks []*track, cameras []keypoint.Camera, focal []float64) *problem {
	p := &problem{views: len(tracks), focal: focal}
	for k := range cameras {
		p.base = append(p.base, cameras[k].Offset)
	}
	var good []float64
	first := tracks[0]
	for i := first.main.First; i <= first.main.Last; i++ {
		if seen(tracks, p.base, first.seq.Times[i]) {
			good = append(good, first.seq.Times[i])
		}
	}
	step := max(float64(len(good))/fineMoments, 1)
	for at := 0.0; int(at) < len(good); at += step {
		t := good[int(at)]
		for k, v := range tracks {
			i, ok := v.frame(t - p.base[k])
			facing := facing{}
			if ok {
				facing = v.facing(i)
			}
			p.facing = append(p.facing, facing)
			for _, part := range limbs {
				l := look{}
				if ok {
					l = v.look(i, t-p.base[k], part)
				}
				p.looks = append(p.looks, l)
			}
		}
		p.moments++
	}
	seconds := 0.0
	if len(good) > 0 {
		seconds = good[len(good)-1] - good[0]
	}
	p.gain = math.Min(1, freedom*seconds/float64(max(p.moments, 1)))
	return p
}

// seen reports whether two cameras see enough of the person.
func seen(tracks []*track, offsets []float64, t float64) bool {
	n := 0
	for k, v := range tracks {
		i, ok := v.frame(t - offsets[k])
		if !ok {
			continue
		}
		limb := 0
		for _, part := range limbs {
			if v.sigma[i][part] > 0 && v.torso[i] > 0 {
				limb++
			}
		}
		if limb >= leastLimbs {
			n++
		}
	}
	return n >= 2
}

// found returns where the second camera stands: from rough starts about the vertical, with both cameras level and at
// the distance at which the person is as large as they look.
func (p *problem) found(a, b *track) rig {
	rough := *p
	rough.looks, rough.facing, rough.moments = nil, nil, 0
	for m := 0; m < p.moments; m += max(p.moments/roughMoments, 1) {
		rough.looks = append(rough.looks, p.looks[m*p.views*len(limbs):(m+1)*p.views*len(limbs)]...)
		rough.facing = append(rough.facing, p.facing[m*p.views:(m+1)*p.views]...)
		rough.moments++
	}
	cameras := [2]keypoint.Camera{}
	var places [2][]mgl64.Vec3
	for k, v := range []*track{a, b} {
		c := keypoint.Camera{Size: v.seq.Size, Rotation: mgl64.Ident3(), Offset: p.base[k], Focal: p.focal[k]}
		c.Focal = cmp.Or(c.Focal, focalOf(&c))
		cameras[k] = c
		for m := range rough.moments {
			var sum keypoint.Point
			n, torso := 0.0, 0.0
			for l := range limbs {
				if s := rough.at(m, k, l); s.sigma > 0 {
					sum, n, torso = sum.Add(s.at), n+1, s.torso
				}
			}
			sum = sum.Mul(1 / n)
			places[k] = append(places[k], mgl64.Vec3{sum[0] / c.Focal, sum[1] / c.Focal, 1}.Mul(c.Focal/torso))
		}
	}
	type start struct {
		rig
		sum float64
	}
	var starts []start
	for yaw := roughStep; yaw < 360; yaw += roughStep {
		r := rig{cameras: slices.Clone(cameras[:]), up: mgl64.Vec3{0, -1, 0}}
		c := &r.cameras[1]
		c.Rotation = mgl64.Rotate3DY(float64(yaw) / degrees)
		var x, y, z []float64
		for m := range rough.moments {
			d := places[1][m].Sub(c.Rotation.Mul3x1(places[0][m]))
			x, y, z = append(x, d[0]), append(y, d[1]), append(z, d[2])
		}
		c.Translation = mgl64.Vec3{rank.Median(x), rank.Median(y), rank.Median(z)}
		rough.start = r
		found, sum := rough.refine(r, 4, usualNoise)
		starts = append(starts, start{found, sum})
	}
	slices.SortFunc(starts, func(a, b start) int { return cmp.Compare(a.sum, b.sum) })
	best := start{sum: math.Inf(1)}
	for _, s := range starts[:3] {
		p.start = s.rig
		r, sum := p.refine(s.rig, 15, usualNoise)
		if sum < best.sum {
			best = start{r, sum}
		}
	}
	return best.rig
}
