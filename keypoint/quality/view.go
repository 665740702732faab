package quality

import (
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// Views are the directions from which the frames of a recording see the person.
type Views struct{ frames []view }

// view is the direction of one frame.
type view struct {
	degrees float64
	known   bool
}

// View returns the direction from which frame i sees the person: 0 degrees from the front, 90 from
// either side, 180 from behind. ok is false if the view is unknown, and if there is no such frame.
func (v Views) View(i int) (degrees float64, ok bool) {
	if i < 0 || i >= len(v.frames) {
		return 0, false
	}
	return v.frames[i].degrees, v.frames[i].known
}

// cues is what a frame shows of the direction from which it is seen, in torso lengths: the widths are
// the left part minus the right one along the picture's horizontal, as a person stands.
type cues struct {
	shoulders, hips float64
	nose            float64 // how far the nose is to the side of the middle of the shoulders, without sign
	ears            float64
	head, known     bool // head: nose and ears are there; known: shoulders and hips are
	lying           bool // the body is nearer to the picture's horizontal than to its vertical
}

// viewTable is the median of the cues from 0 to 180 degrees in steps of 15, found by the estimators of
// package inference/pose on rendered people whose view is known. internal/lab/README.md has its origin.
var viewTable = [...]cues{
	{shoulders: .65, hips: .40, nose: .01, ears: .25},
	{shoulders: .66, hips: .38, nose: .09, ears: .24},
	{shoulders: .61, hips: .34, nose: .16, ears: .21},
	{shoulders: .47, hips: .29, nose: .21, ears: .15},
	{shoulders: .32, hips: .21, nose: .23, ears: .09},
	{shoulders: .14, hips: .11, nose: .26, ears: .03},
	{shoulders: .01, hips: .02, nose: .26, ears: .01},
	{shoulders: -.08, hips: -.02, nose: .25, ears: -.01},
	{shoulders: -.26, hips: -.13, nose: .23, ears: -.05},
	{shoulders: -.46, hips: -.23, nose: .16, ears: -.13},
	{shoulders: -.60, hips: -.29, nose: .08, ears: -.18},
	{shoulders: -.66, hips: -.31, nose: .04, ears: -.22},
	{shoulders: -.68, hips: -.33, nose: .02, ears: -.23},
}

const (
	viewStep = 15 // degrees between the rows
	// The spreads of the cues around the table, in torso lengths.
	shoulderSpread = .06
	hipSpread      = .045
	noseSpread     = .04
	earSpread      = .05
	maxHead        = 11 // the largest weight of the head, which looks elsewhere now and then, in spreads squared
	// Shoulders wider than this show that the torso is foreshortened: the body bends or lies along the
	// line of sight, and is seen from the front or from behind.
	maxWidth   = 1.0
	lyingAxis  = 0.5 // the cosine of the angle from the vertical at which a body lies
	viewWindow = 0.5 // seconds on each side over which the view is the median
)

// The standard deviations of a view in degrees: by where a network guesses the parts to be in space, and by widths in the picture.
const guessedView, widthView = 10, 15

// views returns the view of each frame: by where a network guesses shoulders and hips to be in space, else the direction whose row of
// the table is nearest to the cues; then the median over time, which also bridges frames that show too little.
func (b *body) views() Views {
	raw := make([]view, b.seq.Len())
	grid := viewGrid()
	for i := range b.seq.Frames {
		c := b.cues(i)
		guess, guessed := b.turned(i)
		switch {
		case guessed:
			raw[i] = view{guess, true}
		case !c.known:
		case c.lying:
			raw[i] = view{lying(&b.seq.Frames[i], b.seq.World.Right()), true}
		case math.Abs(c.shoulders) > maxWidth:
			raw[i] = view{90 - math.Copysign(90, c.shoulders), true}
		default:
			raw[i] = view{nearest(&grid, c), true}
		}
	}
	if b.rate == 0 {
		return Views{raw}
	}
	out := make([]view, len(raw))
	half := b.frames(viewWindow)
	for i := range raw {
		near := raw[max(i-half, 0):min(i+half+1, len(raw))]
		sample := rank.Known(len(near), func(k int) (float64, bool) { return near[k].degrees, near[k].known })
		if len(sample) > 0 && !b.seq.Frames[i].Empty() {
			out[i] = view{rank.Median(sample), true}
		}
	}
	return Views{out}
}

// turned returns the view by where a network guesses both shoulders and hips to be. Positions of a Space are no such guess.
func (b *body) turned(i int) (degrees float64, ok bool) {
	var across keypoint.Position
	places := b.seq.Frames[i].Positions()
	for _, left := range [...]keypoint.Part{keypoint.LeftShoulder, keypoint.LeftHip} {
		l, okL := places.At(left)
		r, okR := places.At(left.Mirror())
		if !okL || !okR || b.seq.Space != nil {
			return 0, false
		}
		across = across.Add(l.Sub(r))
	}
	return degreesOf(math.Atan2(math.Abs(across[2]), across[0])), across != keypoint.Position{}
}

// cues measures a frame.
func (b *body) cues(i int) (c cues) {
	f, torso := &b.seq.Frames[i], b.torso[i]
	right, ok := f.Across()
	if !ok || torso == 0 {
		return c
	}
	width := func(left keypoint.Part) (float64, bool) {
		l, okL := f.At(left)
		r, okR := f.At(left.Mirror())
		return l.Sub(r).Dot(right) / torso, okL && okR
	}
	c.lying = math.Abs(right.Dot(b.seq.World.Right())) < lyingAxis
	var okS, okH, okE bool
	c.shoulders, okS = width(keypoint.LeftShoulder)
	c.hips, okH = width(keypoint.LeftHip)
	c.known = okS && okH && math.Abs(c.shoulders)+math.Abs(c.hips) < largest
	c.ears, okE = width(keypoint.LeftEar)
	nose, okN := f.At(keypoint.Nose)
	if neck, ok := middle(f, keypoint.LeftShoulder); ok && okN && okE && math.Abs(nose[0])+math.Abs(nose[1])+math.Abs(c.ears) < largest {
		c.nose, c.head = math.Abs(nose.Sub(neck).Dot(right))/torso, true
	}
	return c
}

// lying returns the view of a body that lies on its front, against the direction of its head. Its
// shoulders and hips stay horizontal, so that the torso is foreshortened as they widen:
//
//	view = atan2(torso, (shoulders + hips) / (.65 + .37))    in the lengths of the picture
func lying(f *keypoint.Frame, horizontal keypoint.Point) float64 {
	width := 0.0
	for _, left := range [...]keypoint.Part{keypoint.LeftShoulder, keypoint.LeftHip} {
		l, _ := f.At(left)
		r, _ := f.At(left.Mirror())
		width += l.Sub(r).Dot(horizontal)
	}
	torso, _ := f.TorsoLength()
	return math.Atan2(torso, width/(viewTable[0].shoulders+viewTable[0].hips)) * 180 / math.Pi
}

// viewGrid returns the table at every second degree.
func viewGrid() (grid [91]cues) {
	for k := range grid {
		at := float64(2*k) / viewStep
		j := min(int(at), len(viewTable)-2)
		s := at - float64(j)
		a, z := viewTable[j], viewTable[j+1]
		mix := func(x, y float64) float64 { return x + s*(y-x) }
		grid[k] = cues{shoulders: mix(a.shoulders, z.shoulders), hips: mix(a.hips, z.hips), nose: mix(a.nose, z.nose), ears: mix(a.ears, z.ears)}
	}
	return grid
}

// nearest returns the degrees whose cues are nearest.
func nearest(grid *[91]cues, c cues) float64 {
	best, at := math.Inf(1), 0
	for k := range grid {
		g := &grid[k]
		d := square((c.shoulders-g.shoulders)/shoulderSpread) + square((c.hips-g.hips)/hipSpread)
		if c.head {
			d += min(square((c.nose-g.nose)/noseSpread)+square((c.ears-g.ears)/earSpread), maxHead)
		}
		if d < best {
			best, at = d, k
		}
	}
	return float64(2 * at)
}

func square(x float64) float64 { return x * x }

// Direction is the name of a direction from which a person is seen.
type Direction string

// The directions: those that suit angles of the frontal and of the sagittal plane, and what is between.
const (
	FromFront   Direction = "front"   // up to 31 degrees
	FromSide    Direction = "side"    // 64 to 116 degrees
	FromBack    Direction = "back"    // 149 degrees and more
	FromBetween Direction = "oblique" // anything else
)

// Facing is from where a recording sees the person. The zero value: that is unknown.
type Facing struct {
	View      float64   `json:"view"` // degrees: 0 from the front, 90 from either side, 180 from behind
	Direction Direction `json:"direction,omitempty"`
}

// FacingOf returns the name of a view of 0 to 180 degrees with it.
func FacingOf(view float64) Facing {
	f := Facing{view, FromBetween}
	switch {
	case Sagittal.Fits(view):
		f.Direction = FromSide
	case Frontal.Fits(view) && view < 90:
		f.Direction = FromFront
	case Frontal.Fits(view):
		f.Direction = FromBack
	}
	return f
}

// Known reports whether it is known from where the person is seen.
func (f Facing) Known() bool { return f.Direction != "" }

// Facing returns the median of the views, or the zero value if none is known.
func (v Views) Facing() Facing {
	known := rank.Known(len(v.frames), func(i int) (float64, bool) { return v.frames[i].degrees, v.frames[i].known })
	if len(known) == 0 {
		return Facing{}
	}
	return FacingOf(rank.Median(known))
}
