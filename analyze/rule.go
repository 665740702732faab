package analyze

import (
	"fmt"
	"slices"

	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// oldVectorAngle is the name that early clients use for VectorAngle.
const oldVectorAngle = "angle"

// Rule is a value to compute for every frame. json.Marshal writes the form that ParseRules
// reads; MarshalRules writes several.
type Rule struct {
	Type   Type                `json:"analysisType"`
	Points []keypoint.Selector `json:"points,omitempty"`      // as many as the type takes
	Side   Side                `json:"side,omitempty"`        // for types that take one, "" for the others
	Movie  *MovieOption        `json:"movieOption,omitempty"` // nil for no statistic; movies only

	// Statistics asks for every Statistic of all values; movies only.
	Statistics bool `json:"statistics,omitempty"`
	// Repetitions asks for the repetitions in the values, as FindRepetitions finds them; nil for none;
	// movies only.
	Repetitions *RepetitionOptions `json:"repetitions,omitempty"`
	// Symmetry asks for the other side, too, and compares both. The rule must name a side, or more parts of one side
	// than of the other; of a type that takes a Side, "" means left here.
	Symmetry bool `json:"symmetry,omitempty"`

	pointer string // where ParseRules read the rule; "" for a single object and for rules made in Go
}

// MovieOption asks for a statistic over the frames of a movie.
type MovieOption struct {
	Statistic Statistic `json:"statisticsType"`
	Target    Target    `json:"targetValue,omitempty"` // "" means AllValues
}

// ParseRules reads analysis rules: one rule object or an array of at most 100, in at
// most 512 KiB of JSON. Mistakes are reported as keypoint.FieldErrors.
//
//	{"analysisType": "vectorAngle",
//	 "points": ["leftHip", "leftKnee", {"pointType": "single", "pointName": "leftAnkle"}],
//	 "movieOption": {"statisticsType": "min", "targetValue": "all"}}
//
// Named angles take a side instead of points, and may ask for the repetitions and for both sides:
//
//	{"analysisType": "kneeFlexion", "side": "left",
//	 "repetitions": {"direction": "rises", "prominence": 30, "minDuration": 0.5}}
//	{"analysisType": "kneeFlexion", "repetitions": true, "symmetry": true}
func ParseRules(data []byte) ([]Rule, error) {
	return rulejson.Parse(data, parseRule)
}

// MarshalRules writes the JSON that ParseRules reads, with every point as an object. A
// rule that was read from a single object, and a single rule made in Go, is written as an
// object; other rules are written as an array. More rules than ParseRules reads are
// keypoint.FieldErrors.
func MarshalRules(rules []Rule) ([]byte, error) {
	return rulejson.Marshal(rules, len(rules) == 1 && rules[0].pointer == "")
}

// UnmarshalJSON reads one rule object as ParseRules does.
func (r *Rule) UnmarshalJSON(data []byte) error {
	rule, err := rulejson.One(ParseRules(data))
	if err == nil {
		*r = rule
	}
	return err
}

func parseRule(v strictjson.Value) Rule {
	r := Rule{pointer: v.Pointer()}
	if !v.Known("analysisType", "points", "side", "movieOption", "statistics", "repetitions", "symmetry") {
		return r
	}
	if t := v.Get("analysisType"); t.Require("the kind of analysis") {
		if name, ok := t.Text(); ok && name == oldVectorAngle {
			r.Type = VectorAngle
		} else {
			r.Type = rulejson.OneOf(t, Types())
		}
	}
	def := r.Type.definition()
	if p := v.Get("points"); def.angle != nil && p.Present() {
		p.Errorf("%s takes no points", r.Type)
	} else if def.angle == nil && p.Require("an array of points") {
		list, ok := p.Array()
		if ok && def.points > 0 && len(list) != def.points {
			p.Errorf("has %d points, but %s takes %d", len(list), r.Type, def.points)
		}
		for _, e := range list {
			s, _ := rulejson.Point(e)
			r.Points = append(r.Points, s)
		}
	}
	r.Repetitions = parseRepetitions(v.Get("repetitions"))
	r.Statistics, _ = v.Get("statistics").Bool()
	r.Symmetry, _ = v.Get("symmetry").Bool()
	switch s := v.Get("side"); {
	case r.Type.Sided():
		if r.Symmetry || s.Require("left or right") {
			r.Side = rulejson.OneOf(s, sides)
		}
	case def.name != "" && s.Present():
		s.Errorf("%s has no side", r.Type)
	}
	m := v.Get("movieOption")
	if m.Present() && m.Known("statisticsType", "targetValue") {
		s := m.Get("statisticsType")
		s.Require("a statistic, such as max, min, mean or median")
		r.Movie = &MovieOption{Statistic: rulejson.OneOf(s, statisticNames), Target: rulejson.OneOf(m.Get("targetValue"), targetNames)}
	}
	return r
}

// Check reports, as keypoint.FieldErrors, mistakes in rules that were made in Go, and rules
// for movies if the recording is an image.
func Check(rules []Rule, movie bool) error {
	var errs keypoint.FieldErrors
	for i := range rules {
		ptr := rulejson.Place(rules[i].pointer, i, len(rules))
		rules[i].check(movie, func(member, format string, args ...any) {
			errs = append(errs, &keypoint.FieldError{Pointer: ptr + member, Detail: fmt.Sprintf(format, args...)})
		})
	}
	if errs == nil {
		return nil
	}
	return errs
}

// check calls note for each mistake in the rule.
func (r *Rule) check(movie bool, note func(member, format string, args ...any)) {
	def := r.Type.definition()
	if def.name == "" {
		note("/analysisType", "is %q, want one of %v", r.Type, Types())
		return
	}
	if len(r.Points) != def.points {
		note("/points", "has %d points, but %s takes %d", len(r.Points), r.Type, def.points)
	}
	switch {
	case r.Type.Sided() && r.Symmetry && r.Side == "":
	case r.Type.Sided() && !slices.Contains(sides, r.Side):
		note("/side", "is %q, want one of %v", r.Side, sides)
	case !r.Type.Sided() && r.Side != "":
		note("/side", "is %q, but %s has no side", r.Side, r.Type)
	}
	for j, s := range r.Points {
		if err := s.Validate(); err != nil {
			note(fmt.Sprintf("/points/%d", j), "%v", err)
		}
	}
	if def.change != nil && !movie {
		note("/analysisType", "is %q, which is for movies only, and this is an image", r.Type)
	}
	if r.Symmetry && r.Type.Pair() {
		note("/symmetry", "needs numbers, not the points of a %s", r.Type)
	} else if side, _ := r.mirror(); r.Symmetry && side == "" && !r.Type.Sided() {
		note("/symmetry", "needs a side: the rule names no more parts of one side than of the other")
	}
	if r.Statistics && !movie {
		note("/statistics", "is for movies only, and this is an image")
	}
	if r.Statistics && r.Type.Pair() {
		note("/statistics", "needs numbers, not the points of a %s", r.Type)
	}
	if r.Repetitions != nil {
		if !movie {
			note("/repetitions", "is for movies only, and this is an image")
		}
		if r.Type.Pair() {
			note("/repetitions", "needs numbers, not the points of a %s", r.Type)
		}
		r.Repetitions.check(func(member, format string, args ...any) { note("/repetitions"+member, format, args...) })
	}
	if r.Movie == nil {
		return
	}
	if !movie {
		note("/movieOption", "is for movies only, and this is an image")
	}
	if !slices.Contains(statisticNames, r.Movie.Statistic) {
		note("/movieOption/statisticsType", "is %q, want one of %v", r.Movie.Statistic, statisticNames)
	}
	if t := r.Movie.Target; t != "" && !slices.Contains(targetNames, t) {
		note("/movieOption/targetValue", "is %q, want one of %v", t, targetNames)
	}
}
