package analyze

import (
	"fmt"
	"slices"

	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// Type is a kind of analysis.
type Type string

// The kinds of analysis, with the number of points each takes and its value.
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

// points returns how many points the type takes, 0 for an unknown type.
func (t Type) points() int {
	switch t {
	case Coordinate, Speed:
		return 1
	case HorizontalDifference, VerticalDifference, EuclideanDistance, SegmentAngle:
		return 2
	case VectorAngle, RotationAngle, JointFlexion, AngularVelocity:
		return 3
	}
	return 0
}

// rate reports whether the type is a change per second, which an image has none of.
func (t Type) rate() bool { return t == Speed || t == AngularVelocity }

var typeNames = []string{
	string(Coordinate), string(HorizontalDifference), string(VerticalDifference),
	string(EuclideanDistance), string(VectorAngle), string(RotationAngle),
	string(JointFlexion), string(SegmentAngle), string(Speed), string(AngularVelocity),
}

// oldVectorAngle is the name that early clients use for vectorAngle.
const oldVectorAngle = "angle"

// Statistic is a number that stands for all values of a recording.
type Statistic string

// The statistics. The median of an even number of values is the mean of the middle
// two. The standard deviation is that of a sample, with n − 1, and needs two values. A
// percentile is linear between the sorted values, the first one at 0 and the last at 100.
const (
	Max    Statistic = "max"
	Min    Statistic = "min"
	Mean   Statistic = "mean"
	Median Statistic = "median"

	// Beyond the specification of the service:

	Range             Statistic = "range" // max − min
	StandardDeviation Statistic = "standardDeviation"
	Percentile5       Statistic = "percentile5"
	Percentile95      Statistic = "percentile95"
)

var statisticNames = []string{
	string(Max), string(Min), string(Mean), string(Median),
	string(Range), string(StandardDeviation), string(Percentile5), string(Percentile95),
}

// Target says which values a statistic counts.
type Target string

// The targets; zero is neither positive nor negative.
const (
	AllValues      Target = "all"
	PositiveValues Target = "positive"
	NegativeValues Target = "negative"
)

// MovieOption asks for a statistic over the frames of a movie.
type MovieOption struct {
	Statistic Statistic
	Target    Target // "" means AllValues
}

// Rule is one thing to be computed of every frame.
type Rule struct {
	Type   Type
	Points []keypoint.Selector // as many as the type takes
	Movie  *MovieOption        // nil for no statistic; movies only

	pointer string // of a rule that was read from JSON
}

// Error is a mistake in a rule: a JSON Pointer to the place and what is wrong there.
type Error = strictjson.Error

// Errors are the mistakes of a rule document. It can be had with errors.As.
type Errors = strictjson.Errors

// ParseRules reads analysis rules: one rule object or an array of at most 100, in at
// most 64 KiB of JSON. What is wrong comes back as Errors.
//
//	{"analysisType": "vectorAngle",
//	 "points": ["leftHip", "leftKnee", {"pointType": "single", "pointName": "leftAnkle"}],
//	 "movieOption": {"statisticsType": "min", "targetValue": "all"}}
func ParseRules(data []byte) ([]Rule, error) {
	var rules []Rule
	err := rulejson.Parse(data, func(v strictjson.Value) { rules = append(rules, parseRule(v)) })
	if err != nil {
		return nil, err
	}
	return rules, nil
}

func parseRule(v strictjson.Value) Rule {
	r := Rule{pointer: v.Pointer()}
	if !v.Known("analysisType", "points", "movieOption") {
		return r
	}
	if t := v.Get("analysisType"); t.Require("the kind of analysis") {
		if name, ok := t.Text(); ok && name == oldVectorAngle {
			r.Type = VectorAngle
		} else if name, ok := t.OneOf(typeNames...); ok {
			r.Type = Type(name)
		}
	}
	if p := v.Get("points"); p.Require("an array of points") {
		list, ok := p.Array()
		if want := r.Type.points(); ok && want > 0 && len(list) != want {
			p.Errorf("has %d points, but %s takes %d", len(list), r.Type, want)
		}
		for _, e := range list {
			s, _ := rulejson.Point(e)
			r.Points = append(r.Points, s)
		}
	}
	m := v.Get("movieOption")
	if m.Present() && m.Known("statisticsType", "targetValue") {
		r.Movie = &MovieOption{Target: AllValues}
		s := m.Get("statisticsType")
		if s.Require("a statistic, such as max, min, mean or median") {
			name, _ := s.OneOf(statisticNames...)
			r.Movie.Statistic = Statistic(name)
		}
		if t := m.Get("targetValue"); t.Present() {
			name, _ := t.OneOf(string(AllValues), string(PositiveValues), string(NegativeValues))
			r.Movie.Target = Target(name)
		}
	}
	return r
}

// Check reports, as Errors, what is wrong with rules that were made in Go, and a
// movieOption when the recording is not a movie.
func Check(rules []Rule, movie bool) error {
	var errs Errors
	for i, r := range rules {
		ptr := r.pointer
		if ptr == "" && len(rules) > 1 {
			ptr = fmt.Sprintf("/%d", i)
		}
		note := func(member, format string, args ...any) {
			errs = append(errs, &Error{Pointer: ptr + member, Detail: fmt.Sprintf(format, args...)})
		}
		want := r.Type.points()
		if want == 0 {
			note("/analysisType", "is %q, want one of %v", r.Type, typeNames)
			continue
		}
		if len(r.Points) != want {
			note("/points", "has %d points, but %s takes %d", len(r.Points), r.Type, want)
		}
		for j, s := range r.Points {
			if err := s.Validate(); err != nil {
				note(fmt.Sprintf("/points/%d", j), "%v", err)
			}
		}
		if r.Type.rate() && !movie {
			note("/analysisType", "is %q, which is for movies only, and this is an image", r.Type)
		}
		if r.Movie == nil {
			continue
		}
		if !movie {
			note("/movieOption", "is for movies only, and this is an image")
		}
		if !slices.Contains(statisticNames, string(r.Movie.Statistic)) {
			note("/movieOption/statisticsType", "is %q, want one of %v", r.Movie.Statistic, statisticNames)
		}
		switch r.Movie.Target {
		case "", AllValues, PositiveValues, NegativeValues:
		default:
			note("/movieOption/targetValue", "is %q, want one of all, positive, negative", r.Movie.Target)
		}
	}
	if errs == nil {
		return nil
	}
	return errs
}
