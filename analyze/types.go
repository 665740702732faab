package analyze

import (
	"math"
	"strings"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Type is a kind of analysis.
type Type string

// The types of analysis, with the number of points each takes and its value.
const (
	Coordinate           Type = "coordinate"           // 1: [x, y] in pixels
	HorizontalDifference Type = "horizontalDifference" // 2: x₁ − x₂ in pixels
	VerticalDifference   Type = "verticalDifference"   // 2: y₁ − y₂ in pixels, positive where point 1 is lower
	EuclideanDistance    Type = "euclideanDistance"    // 2: √((x₁−x₂)² + (y₁−y₂)²) in pixels
	VectorAngle          Type = "vectorAngle"          // 3: angle at point 2, 0 to 180 degrees
	RotationAngle        Type = "rotationAngle"        // 3: turn from ray 2→1 to ray 2→3, 0 ≤ v < 360 degrees

	// Beyond the specification of the service:

	JointFlexion    Type = "jointFlexion"    // 3: 180 − vectorAngle, 0 to 180 degrees: a straight limb is 0
	SegmentAngle    Type = "segmentAngle"    // 2: direction from point 1 to point 2, −180 < v ≤ 180 degrees: right 0, up 90
	Speed           Type = "speed"           // 1: pixels per second, movies only
	AngularVelocity Type = "angularVelocity" // 3: change of the vectorAngle in degrees per second, movies only
)

// The named angles, in degrees. They take no points; those of a joint take a Side. They are 0 in the anatomical position, positive
// as their comments say whichever way the person faces, and negative the other way. They do not jump at ±180: an arm that goes
// round twice reaches 720. docs/how/formulas.md has drawings, formulas and sources.
//
// Angles of the sagittal plane show from the side. Their sign needs the side of the picture to which
// the person faces (keypoint.Sequence.Sideways); where that is unknown, or the person is seen within 20
// degrees of the front or the back, the value is absent and there is a warning. Angles of the frontal
// plane show from the front or from behind, and are absent within 20 degrees of the side.
const (
	KneeFlexion       Type = "kneeFlexion"       // sagittal, a side: thigh to shank; hyperextension is negative
	HipFlexion        Type = "hipFlexion"        // sagittal, a side: trunk to thigh, positive: thigh forward
	AnkleDorsiflexion Type = "ankleDorsiflexion" // sagittal, a side: shank to foot, positive: toes up. It needs the feet
	ElbowFlexion      Type = "elbowFlexion"      // sagittal, a side: upper arm to forearm
	ShoulderFlexion   Type = "shoulderFlexion"   // sagittal, a side: trunk to upper arm, positive: arm forward
	ShoulderAbduction Type = "shoulderAbduction" // frontal, a side: trunk to upper arm, positive: arm away from the middle
	TrunkLean         Type = "trunkLean"         // sagittal: vertical to trunk, positive: forward
	PelvicTilt        Type = "pelvicTilt"        // frontal: horizontal to the line of the hips, positive: the left hip is higher
	NeckFlexion       Type = "neckFlexion"       // sagittal: trunk to the line from shoulders to ears, positive: head forward
	KneeValgus        Type = "kneeValgus"        // frontal, a side: thigh to shank in the picture, positive: knee to the middle
	HipAbduction      Type = "hipAbduction"      // frontal, a side: trunk to thigh, positive: leg away from the middle
	TrunkSideLean     Type = "trunkSideLean"     // frontal: vertical to trunk, positive: to the person's right
	ShoulderLevel     Type = "shoulderLevel"     // frontal: horizontal to the line of the shoulders, positive: the left one is higher
)

// The named lengths, in metres, or in torso lengths without a scale. They take no points; that of a hand takes a Side.
// Those of the frontal plane show from the front or from behind, as its angles.
const (
	StepWidth      Type = "stepWidth"      // frontal: from the right ankle to the left one, negative: crossed
	KneeSeparation Type = "kneeSeparation" // frontal: from the right knee to the left one
	HandHeight     Type = "handHeight"     // a side: of the wrist over the floor
	HipHeight      Type = "hipHeight"      // of the middle of the hips over the floor
)

// torsos is the unit of named lengths without a scale.
const torsos = "torso"

// definition is a row of the table of types.
type definition struct {
	name    Type
	points  int
	unit    string
	formula func(a, b, c keypoint.Point) Value
	change  func(from, to Value) float64 // for a rate: the value is this change per second
	pair    bool                         // values are points
	cyclic  bool                         // values start again after 360
	middle  float64                      // of the values of a cyclic type
	plane   bool                         // values show in one plane of the body: angles at a joint
	angle   *angle                       // of a named angle, instead of formula

	// uncertainty is one standard deviation of the value in a frame, and what of it is alike in all; nil: it cannot be told.
	uncertainty func(u *quality.Uncertainty, frame int, plane quality.Plane, p []keypoint.Selector) (sigma, constant float64, ok bool)
}

// definitions is everything that differs between types.
var definitions = []definition{
	{name: Coordinate, uncertainty: ofPoint, points: 1, unit: "px", formula: place, pair: true},
	{name: HorizontalDifference, uncertainty: ofDistance, points: 2, unit: "px", formula: horizontalDifference},
	{name: VerticalDifference, uncertainty: ofDistance, points: 2, unit: "px", formula: verticalDifference},
	{name: EuclideanDistance, uncertainty: ofDistance, points: 2, unit: "px", formula: distance},
	{name: VectorAngle, uncertainty: ofAngle, plane: true, points: 3, unit: "°", formula: vectorAngle},
	{name: RotationAngle, uncertainty: ofAngle, plane: true, points: 3, unit: "°", formula: rotationAngle, cyclic: true, middle: 180},
	{name: JointFlexion, uncertainty: ofAngle, plane: true, points: 3, unit: "°", formula: jointFlexion},
	{name: SegmentAngle, uncertainty: ofDirection, points: 2, unit: "°", formula: segmentAngle, cyclic: true},
	{name: Speed, points: 1, unit: "px/s", formula: place, change: displacement},
	{name: AngularVelocity, plane: true, points: 3, unit: "°/s", formula: vectorAngle, change: difference},

	{name: KneeFlexion, uncertainty: ofAngle, unit: "°", angle: kneeFlexion},
	{name: HipFlexion, uncertainty: ofAngle, unit: "°", angle: hipFlexion},
	{name: AnkleDorsiflexion, uncertainty: ofAngle, unit: "°", angle: ankleDorsiflexion},
	{name: ElbowFlexion, uncertainty: ofAngle, unit: "°", angle: elbowFlexion},
	{name: ShoulderFlexion, uncertainty: ofAngle, unit: "°", angle: shoulderFlexion},
	{name: ShoulderAbduction, uncertainty: ofAngle, unit: "°", angle: shoulderAbduction},
	{name: TrunkLean, uncertainty: ofDirection, unit: "°", angle: trunkLean},
	{name: PelvicTilt, uncertainty: ofDirection, unit: "°", angle: pelvicTilt},
	{name: NeckFlexion, uncertainty: ofAngle, unit: "°", angle: neckFlexion},
	{name: KneeValgus, uncertainty: ofAngle, unit: "°", angle: kneeValgus},
	{name: HipAbduction, uncertainty: ofAngle, unit: "°", angle: hipAbduction},
	{name: TrunkSideLean, uncertainty: ofDirection, unit: "°", angle: trunkSideLean},
	{name: ShoulderLevel, uncertainty: ofDirection, unit: "°", angle: shoulderLevel},

	{name: StepWidth, uncertainty: ofLength, unit: torsos, angle: stepWidth},
	{name: KneeSeparation, uncertainty: ofLength, unit: torsos, angle: kneeSeparation},
	{name: HandHeight, uncertainty: ofLength, unit: torsos, angle: handHeight},
	{name: HipHeight, uncertainty: ofLength, unit: torsos, angle: hipHeight},
}

// definition returns the row of the type; its name is "" for an unknown type.
func (t Type) definition() definition {
	for _, d := range definitions {
		if d.name == t {
			return d
		}
	}
	return definition{}
}

// Types returns all types of analysis.
func Types() []Type {
	types := make([]Type, len(definitions))
	for i, d := range definitions {
		types[i] = d.name
	}
	return types
}

// Unit returns the unit of the type's values: "px", "torso" (torso lengths), "°", "px/s" or "°/s". It returns "" for an unknown
// type. If the keypoints have a scale, results are in "m" and "m/s" instead of "px", "torso" and "px/s": see Result.Unit.
func (t Type) Unit() string { return t.definition().unit }

// unitIn returns the unit of the values in a world.
func (d *definition) unitIn(w keypoint.World) string {
	if w.Metric() {
		return strings.NewReplacer("px", "m", torsos, "m").Replace(d.unit)
	}
	return d.unit
}

// Angles returns the types of the named angles.
func Angles() (types []Type) {
	for _, d := range definitions {
		if d.angle != nil && d.angle.length == nil {
			types = append(types, d.name)
		}
	}
	return types
}

// Points returns how many points rules of the type take, 0 to 3: none for named angles and lengths.
func (t Type) Points() int { return t.definition().points }

// Sided reports whether rules of the type take a side.
func (t Type) Sided() bool { a := t.definition().angle; return a != nil && a.sided }

// Pair reports whether the type's values are points (X, Y) rather than numbers.
func (t Type) Pair() bool { return t.definition().pair }

// Cyclic reports whether the type's values start again after 360 degrees.
func (t Type) Cyclic() bool { return t.definition().cyclic }

// The formulas.

func place(a, _, _ keypoint.Point) Value { return Value{a[0], a[1], true} }

func horizontalDifference(a, b, _ keypoint.Point) Value { return number(a[0] - b[0]) }

func verticalDifference(a, b, _ keypoint.Point) Value { return number(a[1] - b[1]) }

func distance(a, b, _ keypoint.Point) Value { return number(math.Hypot(a[0]-b[0], a[1]-b[1])) }

func segmentAngle(a, b, _ keypoint.Point) Value {
	if a == b {
		return Value{}
	}
	d := math.Atan2(a[1]-b[1], b[0]-a[0]) * (180 / math.Pi)
	if d <= -180 { // the height is −0
		d = 180
	}
	return number(d)
}

func vectorAngle(a, b, c keypoint.Point) Value {
	turn, ok := keypoint.Turn(a, b, c)
	return Value{X: math.Abs(turn), Present: ok}
}

func jointFlexion(a, b, c keypoint.Point) Value {
	v := vectorAngle(a, b, c)
	if v.Present {
		v.X = 180 - v.X
	}
	return v
}

func rotationAngle(a, b, c keypoint.Point) Value {
	turn, ok := keypoint.Turn(a, b, c)
	if turn < 0 {
		turn += 360
	}
	if turn >= 360 { // a tiny negative turn, rounded
		turn = 0
	}
	return Value{X: turn, Present: ok}
}

// The uncertainties. Those of speeds are not told: constant errors cancel in them, and the others are
// the jitter, of which package quality warns.

func ofPoint(u *quality.Uncertainty, frame int, _ quality.Plane, p []keypoint.Selector) (sigma, constant float64, ok bool) {
	sigma, ok = u.Point(frame, p[0])
	return sigma, 0, ok
}

func ofDistance(u *quality.Uncertainty, frame int, _ quality.Plane, p []keypoint.Selector) (sigma, constant float64, ok bool) {
	sigma, ok = u.Distance(frame, p[0], p[1])
	return sigma, 0, ok
}

func ofDirection(u *quality.Uncertainty, frame int, plane quality.Plane, p []keypoint.Selector) (sigma, constant float64, ok bool) {
	return u.Direction(frame, plane, p[0], p[1])
}

func ofAngle(u *quality.Uncertainty, frame int, plane quality.Plane, p []keypoint.Selector) (sigma, constant float64, ok bool) {
	return u.Angle(frame, plane, p[0], p[1], p[2])
}

// The changes between two frames.

func displacement(from, to Value) float64 { return math.Hypot(to.X-from.X, to.Y-from.Y) }

func difference(from, to Value) float64 { return to.X - from.X }
