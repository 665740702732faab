package analyze

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// restart is the longest gap in seconds across which an angle is unwrapped.
const restart = 0.5

// definite is the least angle between the line of sight and the plane of symmetry of the body at which
// an angle has a sign, degrees: nearer it is hardly seen at all. The sagittal one of a limb that leaves its plane needs more.
const definite, definiteSide = 20, 27

// frontalView is the view in degrees from the front or from behind up to which legs and trunk show in the frontal plane:
// beyond, a knee that bends looks like one that falls in.
const frontalView = 35

// values returns the angle in each frame. unknown are the frames that have the points but not the direction that gives the sign.
// withheld are the parts of each frame that have no value because they are among the hidden ones; nil for hidden: none is.
func (a *angle) values(rec *recording, side Side, hidden []keypoint.Parts) (values []Value, unknown []bool, withheld []keypoint.Parts) {
	values, unknown, withheld = make([]Value, rec.Len()), make([]bool, rec.Len()), make([]keypoint.Parts, rec.Len())
	from, to := a.from.of(side), a.to.of(side)
	signs, joint := a.signs(rec, side), a.on(side)
	var parts keypoint.Parts
	for _, p := range a.pointsOf(side) {
		parts |= keypoint.PartsOf(p.Parts...)
	}
	if a.length != nil && a.plane != quality.Frontal { // the floor is known from either foot
		parts = keypoint.PartsOf(onSide(a.points[0], side).Parts...)
	}
	for i := range rec.Frames {
		f := &rec.Frames[i]
		if hidden != nil && hidden[i]&parts != 0 {
			withheld[i] = hidden[i] & parts
			continue
		}
		if a.length != nil {
			v, ok := a.length(rec, i, side, signs[i])
			unit := rec.unit(i)
			if unknown[i] = ok && a.plane == quality.Frontal && signs[i] == 0; ok && !unknown[i] && unit != 0 {
				values[i] = number(v * unit)
			}
			continue
		}
		if rec.headings != nil {
			p := pose{f.Positions(), rec.headings[i]}
			if v, ok := p.value(joint); ok {
				values[i] = number(v)
			}
			continue
		}
		v, okV := from.at(f, rec.World)
		w, okW := to.at(f, rec.World)
		if unknown[i] = okV && okW && signs[i] == 0; !okV || !okW || unknown[i] {
			continue
		}
		if from.world[1] != 0 {
			lean, _ := rec.Vertical(i)
			v = keypoint.Point(mgl64.Rotate2D(lean * math.Pi / 180).Mul2x1(mgl64.Vec2(v)))
		}
		if from.world[0] != 0 && a.plane == quality.Frontal {
			v = v.Mul(signs[i]) // from behind, the left is on the left of the picture
		}
		if turn, ok := keypoint.Turn(v, keypoint.Point{}, w); ok {
			values[i] = number(a.zero + a.sign*turn*signs[i])
		}
	}
	if a.length != nil {
		return values, unknown, withheld
	}
	for _, person := range rec.People() {
		unwrap(values[person.First:person.Last+1], rec.Slice(person.First, person.Last).Times, a.middle)
	}
	return values, unknown, withheld
}

// signs returns the factor facing of each frame, 0 where it is unknown.
func (a *angle) signs(rec *recording, side Side) []float64 {
	signs := make([]float64, rec.Len())
	if rec.headings != nil {
		for i, forward := range rec.headings {
			signs[i] = forward.Len()
		}
		return signs
	}
	if a.plane == quality.Frontal {
		for i := range signs {
			if degrees, ok := rec.View(i); ok && math.Abs(degrees-90) > definite && (!a.narrow || math.Abs(degrees-90) >= 90-frontalView) {
				signs[i] = math.Copysign(1, 90-degrees)
			}
			if side == RightSide {
				signs[i] = -signs[i]
			}
		}
		return signs
	}
	if rec.facing == nil {
		rec.facing = rec.Sideways()
	}
	for i, f := range rec.facing {
		if degrees, ok := rec.View(i); ok && 90-math.Abs(degrees-90) < definiteSide {
			continue
		}
		switch f {
		case keypoint.FacingRight:
			signs[i] = 1
		case keypoint.FacingLeft:
			signs[i] = -1
		}
	}
	return signs
}

// warnings says why values are absent though the person is there.
func (a *angle) warnings(rec *recording, side Side, unknown []bool, withheld []keypoint.Parts) (list []quality.Warning) {
	if a == ankleDorsiflexion && !slices.ContainsFunc(rec.Frames, func(f keypoint.Frame) bool { return f.Present()&keypoint.Feet != 0 }) {
		parts := keypoint.PartsOf(onSide(heel, side).Parts[0], onSide(toe, side).Parts[0])
		return []quality.Warning{{Code: quality.CodeLowCoverage, Detail: "This angle needs heel and big toe, which these keypoints lack: extract them with feet.", To: rec.Len() - 1, Parts: parts}}
	}
	detail := "It cannot be told to which side of the picture the person faces: film from the side, with the face or the feet in the picture."
	if a.plane == quality.Frontal {
		detail = "It cannot be told on which side of the picture the person's left is: film from the front or from behind."
	}
	for i := range unknown {
		w := quality.Warning{Code: quality.CodeFacing, Detail: detail, From: i, To: i}
		if withheld[i] != 0 {
			w.Code, w.Detail, w.Parts = quality.CodeHiddenSide, quality.HiddenDetail, withheld[i]
		} else if !unknown[i] {
			continue
		}
		if n := len(list); n > 0 && list[n-1].To == i-1 && list[n-1].Code == w.Code {
			list[n-1].To, list[n-1].Parts = i, list[n-1].Parts|w.Parts
		} else {
			list = append(list, w)
		}
	}
	return list
}

// unwrap adds full turns in place, so that the values of a person do not jump by more than 180 degrees
// from one to the next. A gap of more than restart seconds starts a new stretch; so does each value if there
// are no times. The median of each stretch is within 180 degrees of middle.
func unwrap(values []Value, times []float64, middle float64) {
	first, last := 0, -1 // of the stretch; the last value
	var sample []float64
	finish := func(end int) {
		if len(sample) == 0 {
			return
		}
		turns := 360 * math.Round((rank.Median(sample)-middle)/360)
		for i := first; i < end; i++ {
			if values[i].Present {
				values[i].X -= turns
			}
		}
		sample = sample[:0]
	}
	for i := range values {
		if !values[i].Present {
			continue
		}
		if last < 0 || times == nil || times[i]-times[last] > restart {
			finish(i)
			first = i
		} else {
			values[i].X -= 360 * math.Round((values[i].X-values[last].X)/360)
		}
		sample = append(sample, values[i].X)
		last = i
	}
	finish(len(values))
}
