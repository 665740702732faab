package blazepose

import (
	"context"
	"image"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/person"
	"github.com/bodymotion/motion/inference/internal/pixels"
	"github.com/bodymotion/motion/keypoint"
)

// view is a picture being estimated. Its coordinates begin at 0, whatever the picture's bounds.
type view struct {
	*Estimator
	ctx     context.Context
	img     image.Image
	picture pixels.Picture
	cutter  *pixels.Cutter
	corner  keypoint.Point // of the picture's bounds
}

// Estimate implements inference.Estimator.
func (e *Estimator) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	if err := ctx.Err(); err != nil {
		return keypoint.Frame{}, err
	}
	if img == nil {
		return keypoint.Frame{}, person.ErrNoPicture
	}
	if img.Bounds().Empty() {
		return keypoint.Frame{}, nil
	}
	cutter := e.idle.Get()
	defer e.idle.Put(cutter)
	v := &view{e, ctx, img, pixels.New(img), cutter, person.Corner(img)}
	f, err := v.wanted(hint)
	return person.Moved(f, v.corner), err
}

// wanted estimates the person of the hint: hint.Person, the person of hint.Previous, or anybody.
func (v *view) wanted(hint inference.Hint) (keypoint.Frame, error) {
	back := v.corner.Mul(-1)
	if hint.Person != nil {
		p := person.AllMoved([]inference.Candidate{*hint.Person}, back)
		return v.kept(v.look(&p[0]))
	}
	previous := person.Moved(hint.Previous, back)
	last, followed := person.Near(&previous, v.picture.Size)
	if followed {
		e, err := v.follow(&previous, last)
		if err != nil {
			return keypoint.Frame{}, err
		}
		if e.somebody() && person.Sure(&e.frame, known) && person.Steady(&previous, &e.frame) {
			return v.kept(e, nil)
		}
	}
	if hint.Only {
		return keypoint.Frame{}, nil
	}
	return v.kept(v.search(last, followed, hint.Choose))
}

// search estimates the chosen person, preferably one who was followed and lost.
func (v *view) search(last inference.Box, followed bool, choose inference.Chooser) (estimate, error) {
	if v.opt.Finder == nil {
		return v.whole()
	}
	people, err := v.opt.Finder.Find(v.ctx, v.img)
	if err != nil {
		return estimate{}, err
	}
	people = person.AllMoved(people, v.corner.Mul(-1))
	i := person.Pick(people, last, followed, choose, v.picture.Size)
	if i < 0 {
		return estimate{}, nil
	}
	return v.look(&people[i])
}

// kept returns the parts that reach the threshold, or the zero Frame if the network sees nobody.
func (v *view) kept(e estimate, err error) (keypoint.Frame, error) {
	if err != nil || v.opt.PartThreshold > 0 && !e.somebody() {
		return keypoint.Frame{}, err
	}
	return person.Kept(e.frame, v.opt.PartThreshold, known), nil
}

// unsure is the score below which somebody whose keypoints are known is estimated again in the network's
// own region.
const unsure = 0.5

// follow estimates where the person is expected.
func (v *view) follow(previous *keypoint.Frame, last inference.Box) (estimate, error) {
	s, ok := region(previous)
	if !ok {
		s = around(last)
	}
	return v.twice(s, unsure)
}

// look estimates somebody whom the Finder has found. If it is sure of the keypoints, one estimate may
// do.
func (v *view) look(p *inference.Candidate) (estimate, error) {
	s, ok := region(&p.Keypoints)
	if !ok {
		return v.twice(around(p.Box), always)
	}
	if person.Sure(&p.Keypoints, keypoint.NumBody) {
		return v.twice(s, unsure)
	}
	return v.twice(s, always)
}

// whole estimates the person of the whole picture.
func (v *view) whole() (estimate, error) {
	size := keypoint.Point{float64(v.picture.Size.X), float64(v.picture.Size.Y)}
	return v.twice(pixels.Square{Centre: size.Mul(0.5), Side: max(size[0], size[1])}, always)
}

// always is more than any score.
const always = 2

// twice estimates a square, and the network's own region if the score is below least and that region
// differs. It returns the estimate that scores higher.
func (v *view) twice(s pixels.Square, least float64) (estimate, error) {
	first, err := v.estimate(s)
	if err != nil || first.score >= least || !differ(first.own, s) {
		return first, err
	}
	second, err := v.estimate(first.own)
	if err != nil || second.score > first.score {
		return second, err
	}
	return first, nil
}

// estimate is the result of the network for a square.
type estimate struct {
	frame  keypoint.Frame // all parts that the network knows
	score  float64        // mean peak of the heat maps of the body's 17 parts, 0 to 1
	person float64        // the network's probability that somebody is in the square
	own    pixels.Square  // where the network itself would look next
}

// somebody reports whether the square shows a person. The network's own probability alone is at times
// high where there is nobody, and low for people in unusual poses.
func (e *estimate) somebody() bool {
	return e.score >= 0.5 || e.score >= 0.3 && e.person >= 0.5
}

// points are the network's points of the parts.
var points = map[keypoint.Part]int{
	keypoint.Nose: 0, keypoint.LeftEye: 2, keypoint.RightEye: 5, keypoint.LeftEar: 7, keypoint.RightEar: 8,
	keypoint.LeftShoulder: 11, keypoint.RightShoulder: 12, keypoint.LeftElbow: 13, keypoint.RightElbow: 14,
	keypoint.LeftWrist: 15, keypoint.RightWrist: 16, keypoint.LeftHip: 23, keypoint.RightHip: 24,
	keypoint.LeftKnee: 25, keypoint.RightKnee: 26, keypoint.LeftAnkle: 27, keypoint.RightAnkle: 28,
	keypoint.LeftHeel: 29, keypoint.RightHeel: 30, keypoint.LeftBigToe: 31, keypoint.RightBigToe: 32,
}

// known is the number of parts that the network knows.
var known = len(points)

// The network's points of its own region.
const (
	hipsPoint = 33
	topPoint  = 34
)

// estimate runs the network on a square and maps the parts back to the picture.
func (v *view) estimate(s pixels.Square) (estimate, error) {
	var e estimate
	if err := v.ctx.Err(); err != nil {
		return e, err
	}
	s.Side /= v.zoom
	err := v.network.Run(func(rgb []byte) { v.cutter.Cut(rgb, Size, &v.picture, s) }, func(out Output) {
		for part, k := range points {
			x, y, peak := out.refined(k)
			e.frame.Set(part, s.At(x, y), confidence(peak))
			if part < keypoint.NumBody {
				e.score += peak / keypoint.NumBody
			}
		}
		hips, top := s.At(out.at(hipsPoint)), s.At(out.at(topPoint))
		e.own = square(hips, top.Sub(hips), top.Sub(hips).Len())
		e.person = float64(out.Person)
	})
	return e, err
}

// The confidence of a point comes from the peak of its heat map, not from the network's visibility:
// hidden points are nearly as exact as visible ones. It is on the scale of MoveNet's scores, on which
// the thresholds of all packages are: a logistic curve that gives points of equal confidence equal
// chances to be within 0.2 torso lengths of where people label them.
const (
	peakSlope  = 1.5
	peakOffset = -0.95
	tiny       = 1e-6 // keeps the logarithm finite
)

// confidence returns the confidence of a point whose heat map has a peak, 0 to 1.
func confidence(peak float64) float64 {
	p := min(max(peak, tiny), 1-tiny)
	return 1 / (1 + math.Exp(-peakSlope*math.Log(p/(1-p))-peakOffset))
}

// at returns the place of a point, 0 to 1 of the square.
func (o *Output) at(k int) (x, y float64) {
	return float64(o.Points[5*k]) / Size, float64(o.Points[5*k+1]) / Size
}

// The window of a heat map around a point.
const (
	reach   = 3   // cells to each side
	minPeak = 0.5 // the least maximum in it for a mean
)

// refined returns the place of a point, 0 to 1 of the square, and the peak of its heat map in the
// window around it. If that is high, the place is the mean of the heat map in the window.
func (o *Output) refined(k int) (x, y, peak float64) {
	const n = HeatmapSize
	x, y = o.at(k)
	heat := o.Heatmap[k*n*n : (k+1)*n*n]
	column, row := int(math.Floor(x*n)), int(math.Floor(y*n))
	var sum, sumX, sumY float64
	for j := max(row-reach, 0); j <= min(row+reach, n-1); j++ {
		for i := max(column-reach, 0); i <= min(column+reach, n-1); i++ {
			h := float64(heat[j*n+i])
			peak = max(peak, h)
			sum += h
			sumX += h * float64(i)
			sumY += h * float64(j)
		}
	}
	if peak >= minPeak {
		x, y = sumX/sum/n, sumY/sum/n
	}
	return x, y, peak
}
