package quality

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// UsualFocal is the focal length of an unknown camera, as a share of the longer side of its picture: that of phones and of cameras in
// laboratories is 0.65 to 1.15.
const UsualFocal = 0.9

const (
	focalSpread = 0.25 // one standard deviation of UsualFocal, as a share

	// One standard deviation of what nothing is known of: converging, the floor against the picture, and how somebody who stands leans, radians.
	unknownConverge, rollSpread, standSpread = 0.3, 0.06, 0.1

	uprightLegs = 160.0 // the least angle at the knees of somebody who stands
	feetApart   = 0.6   // trunk lengths at most
	mostLean    = 0.5   // the largest tangent of the lean of somebody who stands
	fits        = 6     // how often the lines are fitted, so that those far away count less
)

// converging is how the verticals of the world run in a picture: through one point, below its middle if the camera looks down. slope is 1
// over its distance, by the longer side of the picture: the tangent of the pitch over the focal length. spread is one standard deviation.
type converging struct{ slope, spread float64 }

// stand is where the line from the feet to the shoulders of somebody who stands meets the level of the middle of the picture, by its
// longer side, and the tangent of its lean; n is the number of frames of which these are the sums.
type stand struct{ x, lean, n float64 }

// verticals estimates them by people who stand straight: a camera that looks down shows them lean outwards, the more the farther aside
// they stand. The tangent of the lean is roll + slope · x, with priors of both; those that are off count less.
func (b *body) verticals() (c converging) {
	if b.seq.Space != nil || b.seq.Size.X <= 0 || b.seq.Size.Y <= 0 {
		return c
	}
	c.spread = unknownConverge
	if w := b.seq.World; w.PitchError > 0 {
		c.slope = math.Tan(w.Pitch*math.Pi/180) / UsualFocal
		c.spread = math.Hypot(focalSpread*c.slope, w.PitchError*math.Pi/180/UsualFocal)
	}
	prior, roll := c, 0.0
	stands := b.stands()
	for range fits {
		xx, x1, n := 1/square(prior.spread), 0.0, 1/square(rollSpread)
		xy, y := prior.slope*xx, 0.0
		for _, s := range stands {
			weight := 1 / (square(standSpread) + square((s.lean-roll-c.slope*s.x)/2))
			xx, x1, n = xx+weight*s.x*s.x, x1+weight*s.x, n+weight
			xy, y = xy+weight*s.x*s.lean, y+weight*s.lean
		}
		of := xx*n - x1*x1
		c = converging{(xy*n - x1*y) / of, math.Sqrt(n / of)}
		roll = (y - x1*c.slope) / n
	}
	return c
}

// stands returns the means of each second in which the person stands straight in some frame.
func (b *body) stands() (list []stand) {
	step := b.frames(1)
	for first := 0; first < b.seq.Len(); first += step {
		var sum stand
		for i := first; i < min(first+step, b.seq.Len()); i++ {
			f := &b.seq.Frames[i]
			shoulders, okS := middle(f, keypoint.LeftShoulder)
			hips, okH := middle(f, keypoint.LeftHip)
			feet, okF := middle(f, keypoint.LeftAnkle)
			apart, _ := f.Distance(keypoint.LeftAnkle, keypoint.RightAnkle)
			left, okL := f.Angle(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
			right, okR := f.Angle(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
			if !okS || !okH || !okF || !okL || !okR || min(left, right) < uprightLegs || apart > feetApart*shoulders.Sub(hips).Len() {
				continue
			}
			x, y := b.fromMiddle(feet)
			top, high := b.fromMiddle(shoulders)
			lean := (top - x) / (y - high)
			if high < y && math.Abs(lean) < mostLean {
				sum = stand{sum.x + x + y*lean, sum.lean + lean, sum.n + 1}
			}
		}
		if sum.n > 0 {
			list = append(list, stand{sum.x / sum.n, sum.lean / sum.n, sum.n})
		}
	}
	return list
}

// fromMiddle returns where a point is from the middle of the picture, along the floor and down, by the longer side of the picture.
func (b *body) fromMiddle(p keypoint.Point) (x, y float64) {
	size, right := b.seq.Size, b.seq.World.Right()
	p = p.Sub(keypoint.Point{float64(size.X), float64(size.Y)}.Mul(0.5)).Mul(1 / float64(max(size.X, size.Y)))
	return p.Dot(right), p.Dot(keypoint.Point{-right[1], right[0]})
}

// Vertical returns by how many degrees the world's vertical leans to the right of what is upright by the World of the sequence, where the
// trunk is in frame i, and one standard deviation: a camera that looks down or up shows verticals converge. How it looks is in the World,
// or is estimated by people who stand straight at several places of the picture. Both are 0 if the trunk or the size of the picture is missing.
func (u *Uncertainty) Vertical(i int) (degrees, spread float64) {
	if u.Torso(i) == 0 {
		return 0, 0
	}
	f := &u.body.seq.Frames[i]
	shoulders, okS := middle(f, keypoint.LeftShoulder)
	hips, okH := middle(f, keypoint.LeftHip)
	c := u.converging
	if !okS || !okH || c.spread == 0 {
		return 0, 0
	}
	x, y := u.body.fromMiddle(shoulders.Add(hips).Mul(0.5))
	return degreesOf(math.Atan2(c.slope*x, 1-c.slope*y)), degreesOf(c.spread * math.Abs(x))
}
