package blazepose

import (
	"context"
	"fmt"
	"image"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/pixels"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/keypoint"
)

// network is a pose network.
type network struct {
	graph     *ort.Graph
	name      string
	threshold float64 // of a part
}

const (
	unsure = 0.5 // the score below which the network's own region gets a second look
	always = 2.0 // more than any score
)

func (n *network) Look(ctx context.Context, img image.Image, r inference.Region) (keypoint.Frame, error) {
	v := &view{network: n, ctx: ctx, picture: pixels.New(img)}
	s, ok := region(&r.Keypoints)
	least := always
	switch {
	case r.Whole():
		size := keypoint.Point{float64(v.picture.Size.X), float64(v.picture.Size.Y)}
		s = pixels.Square{Centre: size.Mul(0.5), Side: max(size[0], size[1])}
	case !ok:
		s = square(r.Box.Centre(), keypoint.Point{0, -1}, r.Box.Extent()/2)
	}
	if r.Followed || ok && r.Sure() {
		least = unsure
	}
	seen, err := v.twice(s, least)
	// The network's own probability alone is at times high where there is nobody, and low for people in unusual poses.
	if err != nil || (r.Followed || n.threshold > 0) && !(seen.score >= 0.5 || seen.score >= 0.3 && seen.person >= 0.5) {
		return keypoint.Frame{}, err
	}
	return r.Accept(seen.frame, n.threshold, known), nil
}

// view is a picture that a network looks at. Its coordinates begin at 0.
type view struct {
	*network
	ctx     context.Context
	picture pixels.Picture
	cutter  pixels.Cutter
}

// twice looks at a square, and at the network's own region if the score is below least and that region
// differs. It returns the look that scores higher.
func (v *view) twice(s pixels.Square, least float64) (look, error) {
	first, err := v.look(s)
	if err != nil || first.score >= least || !differ(first.own, s) {
		return first, err
	}
	second, err := v.look(first.own)
	if err != nil || second.score > first.score {
		return second, err
	}
	return first, nil
}

// look is what the network sees in a square.
type look struct {
	frame  keypoint.Frame // all parts that the network knows
	score  float64        // mean peak of the heat maps of the body's 17 parts, 0 to 1
	person float64        // the network's probability that somebody is in the square
	own    pixels.Square  // where the network itself would look next
}

// points are the network's points of the parts.
var points = map[keypoint.Part]int{
	keypoint.Nose: 0, keypoint.LeftEye: 2, keypoint.RightEye: 5, keypoint.LeftEar: 7, keypoint.RightEar: 8,
	keypoint.LeftShoulder: 11, keypoint.RightShoulder: 12, keypoint.LeftElbow: 13, keypoint.RightElbow: 14,
	keypoint.LeftWrist: 15, keypoint.RightWrist: 16, keypoint.LeftHip: 23, keypoint.RightHip: 24,
	keypoint.LeftKnee: 25, keypoint.RightKnee: 26, keypoint.LeftAnkle: 27, keypoint.RightAnkle: 28,
	keypoint.LeftHeel: 29, keypoint.RightHeel: 30, keypoint.LeftBigToe: 31, keypoint.RightBigToe: 32,
}

// limb are the parts whose visibility tells something: the network says of heads, shoulders and hips that they can
// be seen, whatever hides them.
const limb = (keypoint.UpperBody|keypoint.LowerBody)&^trunk | keypoint.Feet

const trunk = 1<<keypoint.LeftShoulder | 1<<keypoint.RightShoulder | 1<<keypoint.LeftHip | 1<<keypoint.RightHip

// known is the number of parts that the network knows.
var known = len(points)

// The network's points of its own region: the middle of the hips, and one on the circle around the body, above as the person stands.
const (
	hipsPoint = 33
	topPoint  = 34
)

const (
	inputSize = 256 // width and height of the input, pixels
	numPoints = 39  // each x, y and z, in pixels of the input, and the logits of visibility and presence
	cells     = 64  // on each side of a heat map
)

// look runs the network on a square and maps the parts back to the picture.
func (v *view) look(s pixels.Square) (l look, err error) {
	in, outputs := []int64{1, inputSize, inputSize, 3}, [][]int64{{1, 5 * numPoints}, {1, 1}, {1, numPoints, cells, cells}, {1, 3 * numPoints}}
	err = v.graph.Use(in, outputs, func(r *ort.Run) error {
		v.cutter.Cut(r.Bytes, inputSize, &v.picture, s)
		if err := r.Do(v.ctx); err != nil {
			return err
		}
		out := output{r.Outputs()[0].Data, r.Outputs()[2].Data}
		for part := range keypoint.Part(keypoint.NumParts) {
			k, ok := points[part]
			if !ok {
				continue
			}
			x, y, peak := out.refined(k)
			l.frame.Set(part, s.At(x, y), confidence(peak))
			if limb.Has(part) {
				l.frame.SetVisibility(part, 1/(1+math.Exp(-float64(out.points[5*k+3]))))
			}
			if part < keypoint.NumBody {
				l.score += peak / keypoint.NumBody
			}
		}
		l.frame.SetPositions(positions(r.Outputs()[3].Data, s.Angle))
		hips, top := s.At(out.at(hipsPoint)), s.At(out.at(topPoint))
		l.own = square(hips, top.Sub(hips), top.Sub(hips).Len())
		l.person = float64(r.Outputs()[1].Data[0])
		return nil
	})
	if err != nil {
		return l, fmt.Errorf("blazepose: %s: %w", v.name, err)
	}
	return l, nil
}

// positions returns the places of the parts from those of the points in metres from the middle of the hips: right and
// down in a square that is turned by an angle, and away from the camera.
func positions(world []float32, angle float64) *keypoint.Positions {
	s := new(keypoint.Positions)
	sin, cos := math.Sincos(angle)
	for part, k := range points {
		x, y, z := float64(world[3*k]), float64(world[3*k+1]), float64(world[3*k+2])
		s.Set(part, keypoint.Position{cos*x - sin*y, -sin*x - cos*y, -z}, 0)
	}
	return s
}

// The confidence of a point comes from the peak of its heat map, not from the network's visibility: hidden points are nearly as
// exact as visible ones. It is on the scale of MoveNet's scores, on which the thresholds of all packages are: a logistic curve that
// gives points of equal confidence equal chances to be within 0.2 torso lengths of where people label them.
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

// output is what the network finds.
type output struct {
	points   []float32
	heatmaps []float32 // numPoints maps of rows, 0 to 1: how likely the point is in a cell
}

// at returns the place of a point, 0 to 1 of the square.
func (o *output) at(k int) (x, y float64) {
	return float64(o.points[5*k]) / inputSize, float64(o.points[5*k+1]) / inputSize
}

// The window of a heat map around a point.
const (
	reach   = 3   // cells to each side
	minPeak = 0.5 // the least maximum in it for a mean
)

// refined returns the place of a point, 0 to 1 of the square, and the peak of its heat map in the
// window around it. If that is high, the place is the mean of the heat map in the window.
func (o *output) refined(k int) (x, y, peak float64) {
	const n = cells
	x, y = o.at(k)
	heat := o.heatmaps[k*n*n : (k+1)*n*n]
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
