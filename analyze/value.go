package analyze

import (
	"math"
	"math/bits"

	"github.com/bodymotion/motion/internal/trig"
	"github.com/bodymotion/motion/keypoint"
)

// block is how many frames are computed at a time: few enough that they stay in the
// processor's cache while all rules are.
const block = 64

// compute fills in the values of at most a block of frames and returns how many there are.
// Of the types that are a change per second it gives what the change is taken of.
func (r *Rule) compute(values []Value, frames []keypoint.Frame) (present int) {
	parts, ok := r.parts()
	switch {
	case !ok || r.Type == SegmentAngle:
		return r.computeAny(values, frames)
	case len(r.Points) == 3:
		return r.computeTurns(values, frames, parts)
	case len(r.Points) == 2:
		return r.computePairs(values, frames, parts)
	}
	return computePlaces(values, frames, parts[0])
}

// computeAny takes points of every kind.
func (r *Rule) computeAny(values []Value, frames []keypoint.Frame) (present int) {
	formula := formulas[r.Type]
	for i := range frames {
		var p [3]keypoint.Point
		found := true
		for j := 0; j < len(r.Points) && found; j++ {
			p[j], found = r.Points[j].At(&frames[i])
		}
		if found {
			values[i] = formula(p[0], p[1], p[2])
		}
		if values[i].Present {
			present++
		}
	}
	return present
}

// computePlaces takes a part of the body.
func computePlaces(values []Value, frames []keypoint.Frame, part keypoint.Part) (present int) {
	values = values[:len(frames)]
	for i := range frames {
		if x, y, ok := frames[i].XY(part); ok {
			values[i] = Value{x, y, true}
			present++
		}
	}
	return present
}

// computePairs takes two parts of the body for a distance or a difference.
func (r *Rule) computePairs(values []Value, frames []keypoint.Frame, parts [3]keypoint.Part) (present int) {
	values = values[:len(frames)]
	distances, horizontal := r.Type == EuclideanDistance, r.Type == HorizontalDifference
	for i := range frames {
		f := &frames[i]
		ax, ay, okA := f.XY(parts[0])
		bx, by, okB := f.XY(parts[1])
		if !okA || !okB {
			continue
		}
		dx, dy := ax-bx, ay-by
		v := dy
		if distances {
			v = math.Sqrt(dx*dx + dy*dy)
			if !(v > 1e-150 && v < 1e150) { // squares beyond the range
				v = math.Hypot(dx, dy)
			}
		} else if horizontal {
			v = dx
		}
		if v-v == 0 { // it is a number: places may be too far from each other
			values[i].X, values[i].Present = v, true
			present++
		}
	}
	return present
}

// computeTurns takes parts of the body for an angle at the second one: first what the
// turns are the arctangents of, then these at once, which is several times faster.
func (r *Rule) computeTurns(values []Value, frames []keypoint.Frame, parts [3]keypoint.Part) (present int) {
	values = values[:len(frames)]
	var cross, dot [block]float64
	var has uint64 // a bit for each frame
	first, second, third := parts[0], parts[1], parts[2]
	for i := range frames[:min(len(frames), block)] {
		f := &frames[i]
		ax, ay, okA := f.XY(first)
		bx, by, okB := f.XY(second)
		cx, cy, okC := f.XY(third)
		if !okA || !okB || !okC {
			continue
		}
		y, x, ok := trig.CrossDot(ax-bx, ay-by, cx-bx, cy-by)
		if !ok {
			if y, x, ok = trig.Corner(keypoint.Point{ax, ay}, keypoint.Point{bx, by}, keypoint.Point{cx, cy}); !ok {
				continue
			}
		}
		cross[i], dot[i] = y, x
		has |= 1 << (i & 63)
	}
	turns := cross[:len(frames)]
	trig.Atan2s(turns, turns, dot[:len(frames)])
	start, sign := 0.0, 1.0
	if r.Type == JointFlexion {
		start, sign = 180, -1
	}
	rotation := r.Type == RotationAngle
	for i, turn := range turns {
		if has>>(i&63)&1 == 0 {
			continue
		}
		if rotation {
			turn = around(turn)
		} else {
			turn = start + sign*math.Abs(turn)
		}
		values[i] = Value{X: turn, Present: true}
	}
	return bits.OnesCount64(has)
}

// parts returns the parts of a rule whose points are all parts themselves, as most are;
// ok is false for other rules.
func (r *Rule) parts() (parts [3]keypoint.Part, ok bool) {
	for i, s := range r.Points {
		if s.Type != keypoint.Single {
			return parts, false
		}
		parts[i] = s.Parts[0]
	}
	return parts, true
}

// formulas are the values of points 1, 2 and 3, as far as the type takes them.
var formulas = map[Type]func(a, b, c keypoint.Point) Value{
	Coordinate:           place,
	Speed:                place,
	HorizontalDifference: func(a, b, _ keypoint.Point) Value { return number(a[0] - b[0]) },
	VerticalDifference:   func(a, b, _ keypoint.Point) Value { return number(a[1] - b[1]) },
	EuclideanDistance:    distance,
	SegmentAngle:         segmentAngle,
	VectorAngle:          vectorAngle,
	AngularVelocity:      vectorAngle,
	JointFlexion:         jointFlexion,
	RotationAngle:        rotationAngle,
}

func finite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

// number is a value where it is a number: places may be so far from each other that their
// difference is none.
func number(v float64) Value {
	if !finite(v) {
		return Value{}
	}
	return Value{X: v, Present: true}
}

func place(a, _, _ keypoint.Point) Value { return Value{a[0], a[1], true} }

func distance(a, b, _ keypoint.Point) Value {
	dx, dy := a[0]-b[0], a[1]-b[1]
	d := math.Sqrt(dx*dx + dy*dy)
	if !(d > 1e-150 && d < 1e150) { // squares beyond the range
		d = math.Hypot(dx, dy)
	}
	return number(d)
}

func segmentAngle(a, b, _ keypoint.Point) Value {
	if a == b {
		return Value{}
	}
	d := trig.Atan2(a[1]-b[1], b[0]-a[0])
	if d <= -180 { // from a −0 of height
		d = 180
	}
	return number(d)
}

func vectorAngle(a, b, c keypoint.Point) Value {
	turn, ok := keypoint.Turn(a, b, c)
	return Value{X: math.Abs(turn), Present: ok}
}

func jointFlexion(a, b, c keypoint.Point) Value {
	turn, ok := keypoint.Turn(a, b, c)
	if !ok {
		return Value{}
	}
	return Value{X: 180 - math.Abs(turn), Present: true}
}

func rotationAngle(a, b, c keypoint.Point) Value {
	turn, ok := keypoint.Turn(a, b, c)
	return Value{X: around(turn), Present: ok}
}

// around returns a turn of −180 to 180 degrees as one from 0 to below 360.
func around(turn float64) float64 {
	if turn < 0 {
		turn += 360
	}
	if turn >= 360 { // of a tiny negative turn, rounded
		turn = 0
	}
	return turn
}
