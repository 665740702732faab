package space

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// rig is where cameras stand: in the coordinates of the first one, right, down and forward, in torso lengths.
type rig struct {
	cameras []keypoint.Camera
	up      mgl64.Vec3 // the vertical, of length 1
}

// bones are the lengths that stay the same, left and right, as shares of the torso length.
var bones = [...]struct {
	from, to keypoint.Part
	length   float64
}{
	{keypoint.LeftShoulder, keypoint.LeftElbow, 0.65}, {keypoint.LeftElbow, keypoint.LeftWrist, 0.55},
	{keypoint.LeftHip, keypoint.LeftKnee, 0.85}, {keypoint.LeftKnee, keypoint.LeftAnkle, 0.85},
	{keypoint.LeftShoulder, keypoint.LeftHip, 1},
}

// problem is what was seen at some moments.
type problem struct {
	views   int
	looks   []look   // by moment, view and limb
	facing  []facing // by moment and view
	moments int
	base    []float64 // the offsets by which the looks were taken
	start   rig
	focal   []float64 // by view, those that are known; 0: it is found
	gain    float64   // the weight of a look, for those that follow each other are alike
}

func (p *problem) at(moment, view, limb int) *look {
	return &p.looks[(moment*p.views+view)*len(limbs)+limb]
}

// What is expected of cameras without having looked.
const (
	focalShare  = 0.85 // of the longer side
	focalSpread = 0.05 // of the logarithm
	rollSpread  = 3.0  // degrees from upright
	pitchSpread = 12.0
	pitchMean   = -4.0 // degrees: phones look down a little
	viewSpread  = 4.0  // degrees by which the view of a recording is wrong
	mostTurned  = 45.0 // degrees: a view that is farther off counts no more
	scaleSpread = 0.01
)

// How looks and bones count. A network errs by much that is alike in all pictures of a view, by some that follows the pose,
// and by little that is alike in all parts: where the whole body goes is seen best.
const (
	softFrom     = 1.5  // standard deviations from which the loss grows no faster than linearly
	boneSpread   = 5.0  // by how much bones count less than looks
	constant     = 1.5  // the error that is alike in all pictures
	varying      = 0.35 // that which changes with the pose
	centreSpread = 0.2  // that of the middle of all parts
	poseShare    = 0.15 // how much each moment's pose counts: those of a movement that repeats itself are alike
	freedom      = 1.0  // independent looks a second
)

// size returns the number of unknowns: the vertical, focal lengths, and an offset, a rotation and a place of each further camera.
func (p *problem) size() int { return 2 + p.views + 7*(p.views-1) }

func (p *problem) expected() int { return 4*p.views + 1 }

// moved returns the rig after a small step of its unknowns.
func (p *problem) moved(r rig, d []float64) rig {
	out := rig{cameras: append([]keypoint.Camera(nil), r.cameras...)}
	side := r.up.Cross(mgl64.Vec3{0, 0, 1}).Normalize()
	out.up = r.up.Add(side.Mul(d[0])).Add(side.Cross(r.up).Mul(d[1])).Normalize()
	d = d[2:]
	for k := range out.cameras {
		c := &out.cameras[k]
		if p.focal[k] == 0 {
			c.Focal *= math.Exp(d[k])
		}
		if k > 0 {
			e := d[p.views+7*(k-1):]
			c.Offset += e[0]
			c.Rotation = turn(mgl64.Vec3{e[1], e[2], e[3]}).Mul3(c.Rotation)
			c.Translation = c.Translation.Add(mgl64.Vec3{e[4], e[5], e[6]})
		}
	}
	return out
}

// turn returns the rotation about an axis by its length in radians.
func turn(axis mgl64.Vec3) mgl64.Mat3 {
	angle := axis.Len()
	if angle == 0 {
		return mgl64.Ident3()
	}
	return mgl64.HomogRotate3D(angle, axis.Mul(1/angle)).Mat3()
}

// ray is a line of sight in space, and how exact it is.
type ray struct {
	from, along mgl64.Vec3 // along has length 1
	weight      float64    // 0: there is none
	flat        mgl64.Vec3 // in the camera: x/z, y/z, 1
	sigma       float64    // of x/z and y/z
}

func (l *look) ray(c *keypoint.Camera, base float64) (r ray) {
	if l.sigma == 0 {
		return r
	}
	at := l.at.Sub(l.speed.Mul(c.Offset - base)).Mul(1 / c.Focal)
	r.flat, r.sigma = mgl64.Vec3{at[0], at[1], 1}, l.sigma/c.Focal
	back := c.Rotation.Transpose()
	r.from, r.along = back.Mul3x1(c.Translation).Mul(-1), back.Mul3x1(r.flat).Normalize()
	r.weight = (l.torso / l.sigma) * (l.torso / l.sigma)
	return r
}

// meet returns the point nearest to rays, the sum of the squares of the distances by weight being least; ok is false for
// fewer than two, or parallel ones.
func meet(rays []ray) (at mgl64.Vec3, ok bool) {
	var a mgl64.Mat3
	var b mgl64.Vec3
	n := 0
	for _, r := range rays {
		if r.weight == 0 {
			continue
		}
		n++
		d := r.along
		m := mgl64.Mat3{ // I − d·dᵀ
			1 - d[0]*d[0], -d[1] * d[0], -d[2] * d[0],
			-d[0] * d[1], 1 - d[1]*d[1], -d[2] * d[1],
			-d[0] * d[2], -d[1] * d[2], 1 - d[2]*d[2],
		}.Mul(r.weight)
		a, b = a.Add(m), b.Add(m.Mul3x1(r.from))
	}
	if n < 2 {
		return at, false
	}
	at = a.Inv().Mul3x1(b)
	return at, !math.IsNaN(at[0]+at[1]+at[2]) && at != (mgl64.Vec3{})
}

// residuals appends what is left of looks and bones in standard deviations, their means, and what is left of the
// expectations. The first data rows are those that change over time: see split.
func (p *problem) residuals(r rig, out []float64) (rows []float64, data int) {
	var along [4][4]mgl64.Mat3
	for i := range p.views {
		for j := i + 1; j < p.views; j++ {
			along[i][j] = essential(&r.cameras[i], &r.cameras[j])
		}
	}
	type place struct {
		at    mgl64.Vec3
		sigma float64 // in torso lengths; 0: unknown
	}
	var points [len(limbs)]place
	var rays [4]ray
	var turned [4][2]float64 // by view, sums of how far the person seems turned from what is seen, degrees, and of how many
	var lengths [][2]float64 // logarithm, sigma
	var means [len(bones)][2]float64
	for m := range p.moments {
		for l := range limbs {
			sum := 0.0
			for k := range p.views {
				rays[k] = p.at(m, k, l).ray(&r.cameras[k], p.base[k])
				sum += rays[k].weight
			}
			points[l] = place{}
			if at, ok := meet(rays[:p.views]); ok {
				points[l] = place{at, math.Sqrt(2 / sum)}
			}
			for i := range p.views {
				for j := i + 1; j < p.views; j++ {
					if rays[i].weight == 0 || rays[j].weight == 0 {
						out = append(out, 0)
						continue
					}
					out = append(out, sampson(along[i][j], rays[i], rays[j]))
				}
			}
		}
		p.faces(r, m, func(l int) (mgl64.Vec3, bool) { return points[l].at, points[l].sigma > 0 }, turned[:p.views])
		for b, bone := range bones {
			for side := range 2 {
				from, to := &points[limbOf[bone.from]+side], &points[limbOf[bone.to]+side]
				v := [2]float64{}
				if from.sigma > 0 && to.sigma > 0 {
					v = [2]float64{math.Log(from.at.Sub(to.at).Len()), boneSpread * math.Hypot(from.sigma, to.sigma) / bone.length}
					if math.IsInf(v[0], 0) {
						v[0] = 0
					}
					means[b][0] += v[0] / (v[1] * v[1])
					means[b][1] += 1 / (v[1] * v[1])
				}
				lengths = append(lengths, v)
			}
		}
	}
	for k, v := range lengths {
		b := k / 2 % len(bones)
		if v[1] == 0 {
			out = append(out, 0)
			continue
		}
		out = append(out, (v[0]-means[b][0]/means[b][1])/v[1])
	}
	out, data = p.split(out)
	for k := range r.cameras {
		c := &r.cameras[k]
		expected := 0.0
		if p.focal[k] == 0 {
			expected = math.Log(c.Focal/focalOf(c)) / focalSpread
		}
		up := c.Rotation.Mul3x1(r.up)
		roll, pitch := math.Atan2(up[0], -up[1])*degrees, math.Asin(math.Max(-1, math.Min(1, up[2])))*degrees
		out = append(out, expected, roll/rollSpread, (pitch-pitchMean)/pitchSpread, turned[k][0]/math.Max(turned[k][1], 1)/viewSpread)
	}
	out = append(out, math.Log(r.cameras[1].Translation.Len()/p.start.cameras[1].Translation.Len())/scaleSpread)
	return out, data
}

// faces adds how far the person is turned against each camera in space from how they seem to be turned in its picture.
func (p *problem) faces(r rig, moment int, at func(limb int) (mgl64.Vec3, bool), sums [][2]float64) {
	var of [4]mgl64.Vec3
	for k, part := range [...]keypoint.Part{keypoint.LeftShoulder, keypoint.RightShoulder, keypoint.LeftHip, keypoint.RightHip} {
		var ok bool
		if of[k], ok = at(limbOf[part]); !ok {
			return
		}
	}
	trunk := of[0].Add(of[1]).Sub(of[2]).Sub(of[3])
	forward := of[0].Sub(of[1]).Add(of[2].Sub(of[3])).Cross(trunk)
	left := trunk.Cross(forward).Normalize()
	forward = forward.Normalize()
	for k := range sums {
		v := p.facing[moment*p.views+k]
		if !v.known {
			continue
		}
		eye := r.cameras[k].Eye().Sub(of[2].Add(of[3]).Mul(0.5))
		d := math.Atan2(eye.Dot(left), eye.Dot(forward)) * degrees
		if v.signed {
			d = math.Remainder(d-v.degrees, 360)
		} else {
			d = math.Abs(d) - v.degrees
		}
		sums[k][0] += math.Max(-mostTurned, math.Min(mostTurned, d))
		sums[k][1]++
	}
}

// split takes the mean over the moments from each kind of look and bone, and then that over the limbs from the looks of each
// moment. The means follow the others; those over the moments, the last, count once.
func (p *problem) split(rows []float64) (out []float64, varied int) {
	data, pairs, sides := len(rows), p.views*(p.views-1)/2, 2*len(bones)
	looks := len(limbs) * pairs
	mean := func(first, step, n int) float64 { // takes it, if there is one
		sum, count := 0.0, 0.0
		for k := range n {
			if v := rows[first+k*step]; v != 0 {
				sum, count = sum+v, count+1
			}
		}
		if count == 0 {
			return 0
		}
		for k := range n {
			if v := &rows[first+k*step]; *v != 0 {
				*v -= sum / count
			}
		}
		return sum / count
	}
	constants := make([]float64, 0, looks+sides)
	for k := range looks {
		constants = append(constants, mean(k, looks, p.moments)/constant)
	}
	for k := range sides {
		constants = append(constants, mean(p.moments*looks+k, sides, p.moments)/constant)
	}
	for m := range p.moments {
		for q := range pairs {
			rows = append(rows, mean(m*looks+q, pairs, len(limbs))/centreSpread)
		}
	}
	for k := range rows[:data] {
		rows[k] *= poseShare / varying
	}
	return append(rows, constants...), len(rows)
}

const degrees = 180 / math.Pi

func focalOf(c *keypoint.Camera) float64 { return focalShare * float64(max(c.Size.X, c.Size.Y)) }

// limbOf is the index into limbs of a part.
var limbOf = func() (of [keypoint.NumParts]int) {
	for k, p := range limbs {
		of[p] = k
	}
	return of
}()

// essential returns the matrix E of two cameras: yᵀ·E·x = 0 where they see the same point at x and y.
func essential(a, b *keypoint.Camera) mgl64.Mat3 {
	r := b.Rotation.Mul3(a.Rotation.Transpose())
	t := b.Translation.Sub(r.Mul3x1(a.Translation))
	return mgl64.Mat3{0, t[2], -t[1], -t[2], 0, t[0], t[1], -t[0], 0}.Mul3(r)
}

// sampson returns how far two rays are from meeting, in standard deviations of the looks, to the first order:
//
//	yᵀ·E·x / √(σy²·|(E·x)₁₂|² + σx²·|(Eᵀ·y)₁₂|²)
func sampson(e mgl64.Mat3, x, y ray) float64 {
	ex, ey := e.Mul3x1(x.flat), e.Transpose().Mul3x1(y.flat)
	s := y.sigma*y.sigma*(ex[0]*ex[0]+ex[1]*ex[1]) + x.sigma*x.sigma*(ey[0]*ey[0]+ey[1]*ey[1])
	if s == 0 {
		return 0
	}
	return y.flat.Dot(ex) / math.Sqrt(s)
}

// loss weighs the residuals in place, and returns half of the sum that is made least: soft L1 of the data in units of
// noise, and squares of the others.
func (p *problem) loss(rows []float64, data int, noise float64, weights []float64) (sum float64) {
	for k, v := range rows {
		w := 1.0
		if k < len(rows)-p.expected() {
			gain := p.gain
			if k >= data {
				gain = 1
			}
			v /= noise
			z := v * v / (softFrom * softFrom)
			sum += gain * softFrom * softFrom * (math.Sqrt(1+z) - 1)
			w = math.Sqrt(gain/math.Sqrt(1+z)) / noise
		} else {
			sum += v * v / 2
		}
		if weights != nil {
			weights[k] = w
		}
	}
	return sum
}

// refine moves the cameras until the loss is least, by the damped steps of Levenberg and Marquardt, and returns them with
// their loss. noise is the unit of looks and bones, in standard deviations, at most 1.
func (p *problem) refine(r rig, steps int, noise float64) (best rig, loss float64) {
	n := p.size()
	rows, data := p.residuals(r, nil)
	weights, jacobian := make([]float64, len(rows)), make([]float64, len(rows)*n)
	var moved []float64
	loss = p.loss(rows, data, noise, weights)
	lambda, d := 1e-3, make([]float64, n)
	hessian := mat.NewSymDense(n, nil)
	for range steps {
		for k := range d {
			const h = 1e-6
			clear(d)
			d[k] = h
			moved, _ = p.residuals(p.moved(r, d), moved[:0])
			for i, v := range moved {
				jacobian[i*n+k] = (v - rows[i]) / h * weights[i]
			}
		}
		gradient := make([]float64, n)
		hessian.Zero()
		for i, v := range rows {
			row := jacobian[i*n : (i+1)*n]
			for a, x := range row {
				if x == 0 {
					continue
				}
				gradient[a] -= x * v * weights[i]
				for b := a; b < n; b++ {
					hessian.SetSym(a, b, hessian.At(a, b)+x*row[b])
				}
			}
		}
		better := false
		for try := 0; try < 8 && !better; try++ {
			damped := mat.NewSymDense(n, nil)
			damped.CopySym(hessian)
			largest := 0.0
			for a := range n {
				largest = math.Max(largest, hessian.At(a, a))
			}
			for a := range n {
				damped.SetSym(a, a, damped.At(a, a)*(1+lambda)+1e-12*largest)
			}
			var chol mat.Cholesky
			var step mat.VecDense
			if !chol.Factorize(damped) || chol.SolveVecTo(&step, mat.NewVecDense(n, gradient)) != nil {
				lambda *= 10
				continue
			}
			next := p.moved(r, step.RawVector().Data)
			moved, _ = p.residuals(next, moved[:0])
			if v := p.loss(moved, data, noise, nil); v < loss {
				better = loss-v > 1e-9*loss
				r, loss, lambda = next, v, lambda/10
				rows, moved = moved, rows
				p.loss(rows, data, noise, weights)
				break
			}
			lambda *= 10
		}
		if !better {
			break
		}
	}
	return r, loss
}

// noise returns the median of what is left of looks and bones in standard deviations, of a normal distribution 1.
func (p *problem) noise(r rig) float64 {
	rows, data := p.residuals(r, nil)
	return rank.Median(rank.Known(data, func(i int) (float64, bool) { return math.Abs(rows[i]), rows[i] != 0 })) / 0.6745
}
