package space

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// limbs are the parts by which cameras are found.
var limbs = [...]keypoint.Part{
	keypoint.LeftShoulder, keypoint.RightShoulder, keypoint.LeftElbow, keypoint.RightElbow, keypoint.LeftWrist, keypoint.RightWrist,
	keypoint.LeftHip, keypoint.RightHip, keypoint.LeftKnee, keypoint.RightKnee, keypoint.LeftAnkle, keypoint.RightAnkle,
}

const (
	syncRate     = 15.0 // values a second
	leastOverlap = 1.0  // seconds
	fastestLimb  = 4.0  // torso lengths a second: of what is faster, one frame would count for all others
	unlike       = 0.1  // the share of a movement that two views show differently
)

// slopes are how far the direction that two views share may be from the vertical of a picture.
var slopes = [...]float64{-0.3, -0.15, 0, 0.15, 0.3}

// speeds are the speeds of the limbs in torso lengths a second on a regular grid, across and down; 0: not seen.
type speeds struct {
	first float64 // seconds
	rows  [][len(limbs)][2]float64
	sums  [][3]float64 // of the squares across, of the products and of the squares down, before each row
}

func (v *track) speeds() speeds {
	s := speeds{first: v.seq.Times[v.main.First], sums: make([][3]float64, 1)}
	for n := 0; ; n++ {
		t := s.first + float64(n)/syncRate
		i, ok := v.frame(t)
		if !ok {
			return s
		}
		var row [len(limbs)][2]float64
		sum := s.sums[n]
		for k, p := range limbs {
			if l := v.look(i, t, p); l.sigma > 0 && l.torso > 0 {
				v := l.speed.Mul(1 / l.torso)
				v = v.Mul(fastestLimb / max(v.Len(), fastestLimb))
				x, y := v[0], v[1]
				row[k] = [2]float64{x, y}
				sum = [3]float64{sum[0] + x*x, sum[1] + x*y, sum[2] + y*y}
			}
		}
		s.rows, s.sums = append(s.rows, row), append(s.sums, sum)
	}
}

// agreement returns the correlation of the speeds if the second recording began lag values after the first, and of how many.
func agreement(a, b speeds, lag int) (r, overlap float64) {
	first, end := max(lag, 0), min(len(a.rows), len(b.rows)+lag)
	if end <= first {
		return 0, 0
	}
	var xx, xy, yx, yy float64
	for i := first; i < end; i++ {
		u, v := &a.rows[i], &b.rows[i-lag]
		for k := range u {
			x, y := &u[k], &v[k]
			xx, xy, yx, yy = xx+x[0]*y[0], xy+x[0]*y[1], yx+x[1]*y[0], yy+x[1]*y[1]
		}
	}
	var of [2][3]float64
	for k := range 3 {
		of[0][k], of[1][k] = a.sums[end][k]-a.sums[first][k], b.sums[end-lag][k]-b.sums[first-lag][k]
	}
	for _, p := range slopes {
		for _, q := range slopes {
			u, v := p*p*of[0][0]+2*p*of[0][1]+of[0][2], q*q*of[1][0]+2*q*of[1][1]+of[1][2]
			if u*v > 0 {
				r = max(r, (p*q*xx+p*xy+q*yx+yy)/math.Sqrt(u*v))
			}
		}
	}
	return r, float64(end - first)
}

// synced returns the offset at which the speeds of the limbs agree best, each with its own, in the direction that cameras see
// alike however they stand: the vertical, or one aslant where they look down. Of n values with the correlation r, that is where
//
//	−n · ln(1 − r² + 0.1)
//
// is largest, so that of a movement that repeats itself the longest common time counts; between grid points by a parabola.
func synced(v, w *track) (offset, sure float64, err error) {
	a, b := v.speeds(), w.speeds()
	least := int(leastOverlap * syncRate)
	if min(len(a.rows), len(b.rows)) < least {
		return 0, 0, refuse(tooLittleSeen, "A recording shows the person for less than %.0f s. Film the whole movement with both phones.", leastOverlap)
	}
	score := func(lag int) float64 {
		r, n := agreement(a, b, lag)
		return -n * math.Log(1-r*r+unlike)
	}
	best, at := math.Inf(-1), 0
	for lag := least - len(b.rows); lag <= len(a.rows)-least; lag++ {
		if s := score(lag); s > best {
			best, at = s, lag
		}
	}
	lo, hi := score(at-1), score(at+1)
	shift := 0.0
	if bend := lo - 2*best + hi; bend < 0 {
		shift = math.Max(-0.5, math.Min(0.5, (lo-hi)/(2*bend)))
	}
	sure, _ = agreement(a, b, at)
	return a.first - b.first + (float64(at)+shift)/syncRate, sure, nil
}
