package analyze

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// block is how many frames are computed at a time: few enough that they stay in the
// processor's cache while all rules are.
const block = 64

// compute fills in the values of at most a block of frames and returns how many there are.
// Of the types that are a change per second it gives what the change is taken of.
func (r *Rule) compute(values []Value, frames []keypoint.Frame) (present int) {
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
	d := math.Atan2(a[1]-b[1], b[0]-a[0]) * (180 / math.Pi)
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
