package analyze

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/spelling"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// oldVectorAngle is the name that early clients use for VectorAngle.
const oldVectorAngle = "angle"

// Rule is a value to compute for every frame. Its JSON is what ParseRules reads, with every point as an object.
type Rule struct {
	Type   Type                `json:"analysisType"`
	Points []keypoint.Selector `json:"points,omitempty"`      // as many as the type takes
	Side   Side                `json:"side,omitempty"`        // for types that take one, "" for the others
	Movie  *MovieOption        `json:"movieOption,omitempty"` // nil for no statistic; movies only

	// Statistics asks for every Statistic of all values; movies only.
	Statistics bool `json:"statistics,omitempty"`
	// Repetitions asks for the repetitions in the values, as FindRepetitions finds them; nil for none; movies only.
	Repetitions *RepetitionOptions `json:"repetitions,omitempty"`
	// Hidden keeps the values of a named angle in the frames in which a part that it needs is hidden, as
	// quality.Hidden tells: networks invent such parts. They are absent otherwise.
	Hidden bool `json:"hidden,omitempty"`
	// Symmetry asks for the other side, too, and compares both. The rule must name a side, or more parts of one side
	// than of the other; of a type that takes a Side, "" means left here.
	Symmetry bool `json:"symmetry,omitempty"`
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

// UnmarshalJSON reads one rule object as ParseRules does.
func (r *Rule) UnmarshalJSON(data []byte) (err error) {
	*r, err = rulejson.One(ParseRules(data))
	return err
}

func parseRule(v strictjson.Value) Rule {
	var r Rule
	if !v.Known("analysisType", "points", "side", "movieOption", "statistics", "repetitions", "symmetry", "hidden") {
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
	} else if def.name != "" && def.angle == nil && p.Require("an array of points") {
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
	r.Hidden, _ = v.Get("hidden").Bool()
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

// Check returns mistakes in rules that were made in Go, and rules for movies if the recording is an image, as
// keypoint.FieldErrors with their places in the list.
func Check(rules []Rule, movie bool) error {
	if errs := rulejson.Check(rules, func(r *Rule, note rulejson.Note) { r.check(movie, note) }); errs != nil {
		return errs
	}
	return nil
}

// Mistakes returns what Check does for one rule, with places in it.
func (r Rule) Mistakes(movie bool) keypoint.FieldErrors {
	return rulejson.CheckOne(&r, func(r *Rule, note rulejson.Note) { r.check(movie, note) })
}

func (r *Rule) check(movie bool, note rulejson.Note) {
	const forMovies, numbers = "is for movies only, and this is an image", "needs numbers, not the points of a %s"
	def := r.Type.definition()
	if def.name == "" {
		note(true, "/analysisType", "is %q%s, want one of %v", r.Type, spelling.Hint(string(r.Type), Types()...), Types())
		return
	}
	note(len(r.Points) != def.points, "/points", "has %d points, but %s takes %d", len(r.Points), r.Type, def.points)
	sided, pair := r.Type.Sided(), r.Type.Pair()
	note(sided && !(r.Symmetry && r.Side == "") && !slices.Contains(sides, r.Side), "/side", "is %q, want one of %v", r.Side, sides)
	note(!sided && r.Side != "", "/side", "is %q, but %s has no side", r.Side, r.Type)
	for j, s := range r.Points {
		err := s.Validate()
		note(err != nil, fmt.Sprintf("/points/%d", j), "%v", err)
	}
	note(def.change != nil && !movie, "/analysisType", "is %q, which is for movies only, and this is an image", r.Type)
	side, _ := r.mirror()
	note(r.Hidden && def.angle == nil, "/hidden", "is for named angles, which are withheld where a joint is hidden, and %s never is", r.Type)
	note(r.Symmetry && pair, "/symmetry", numbers, r.Type)
	note(r.Symmetry && !pair && !sided && side == "", "/symmetry", "needs a side: the rule names no more parts of one side than of the other")
	note(r.Statistics && !movie, "/statistics", forMovies)
	note(r.Statistics && pair, "/statistics", numbers, r.Type)
	if r.Repetitions != nil {
		note(!movie, "/repetitions", forMovies)
		note(pair, "/repetitions", numbers, r.Type)
		r.Repetitions.check(func(wrong bool, member, format string, args ...any) {
			note(wrong, "/repetitions"+member, format, args...)
		})
	}
	if m := r.Movie; m != nil {
		note(!movie, "/movieOption", forMovies)
		note(!slices.Contains(statisticNames, m.Statistic), "/movieOption/statisticsType", "is %q, want one of %v", m.Statistic, statisticNames)
		note(m.Target != "" && !slices.Contains(targetNames, m.Target), "/movieOption/targetValue", "is %q, want one of %v", m.Target, targetNames)
	}
}

// mirror returns the side of the rule, "" if it has none, and the rule for the other side.
func (r Rule) mirror() (Side, Rule) {
	side, left := r.Side, 0
	switch side {
	case LeftSide:
		r.Side = RightSide
	case RightSide:
		r.Side = LeftSide
	}
	points := make([]keypoint.Selector, len(r.Points))
	for k, s := range r.Points {
		points[k] = keypoint.Selector{Type: s.Type, Parts: make([]keypoint.Part, len(s.Parts))}
		for j, p := range s.Parts {
			q := p.Mirror()
			points[k].Parts[j] = q
			left += cmp.Compare(q, p) // a left part comes before its mirror part
		}
	}
	r.Points = points
	switch {
	case side == "" && left > 0:
		side = LeftSide
	case side == "" && left < 0:
		side = RightSide
	}
	return side, r
}

// Plane returns the plane of the body in which the values of the rule show.
func (r *Rule) Plane() quality.Plane {
	if a := r.Type.definition().angle; a != nil {
		return a.plane
	}
	return quality.PlaneOf(r.Points...)
}

// Parts returns the parts that the values of the rule depend on most.
func (r *Rule) Parts() (parts keypoint.Parts) {
	for _, s := range r.uses() {
		parts |= keypoint.PartsOf(s.Parts...)
	}
	return parts
}

// uses returns the points that the values of the rule depend on.
func (r *Rule) uses() []keypoint.Selector {
	if a := r.Type.definition().angle; a != nil {
		return a.pointsOf(r.Side)
	}
	return r.Points
}
