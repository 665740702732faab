package draw

import (
	"encoding/json"
	"strings"

	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// ParseRules reads drawing rules: one rule object or an array of at most 100, in at most 512 KiB of JSON. Mistakes
// are keypoint.FieldErrors. Compile checks whether the rules fit a drawing with or without a comparison.
//
//	{"drawingType": "stickPicture", "pattern": "lowerBody", "color": "red", "size": 2,
//	 "comparisons": [{"threshold": 0.3, "color": "yellow"}]}
//
// The drawing types angle, trace, label and body and the properties ghost and arrows (a colour), faint,
// legend and rotation (true or false), seconds (a number), text (a string), beside (left or right) and analysis (an
// integer) go beyond the specification of the service; see Rule.
func ParseRules(data []byte) ([]Rule, error) {
	return rulejson.Parse(data, parseRule)
}

func parseRule(v strictjson.Value) Rule {
	var r Rule
	if !v.Known("drawingType", "points", "pattern", "color", "size", "comparisons",
		"faint", "ghost", "arrows", "legend", "rotation", "seconds", "text", "analysis", "beside") {
		return r
	}
	if t := v.Get("drawingType"); t.Require("one of " + list(Types())) {
		r.Type = rulejson.OneOf(t, Types())
	}
	parsePoints(v, &r)
	r.Color, r.Size = parseLook(v)
	if c := v.Get("comparisons"); c.Present() {
		list, _ := c.Array()
		r.Bands = []Band{}
		for _, e := range list {
			r.Bands = append(r.Bands, parseBand(e))
		}
	}
	r.Ghost, r.Arrows = parseColor(v.Get("ghost")), parseColor(v.Get("arrows"))
	r.Faint, _ = v.Get("faint").Bool()
	r.Legend, _ = v.Get("legend").Bool()
	r.Rotation, _ = v.Get("rotation").Bool()
	if s, ok := v.Get("seconds").Number(); ok {
		if r.Seconds = s; !(s > 0 && s <= maxSeconds) {
			v.Get("seconds").Errorf("is %v, want more than 0 and at most %d", s, maxSeconds)
		}
	}
	r.Text, _ = v.Get("text").Text()
	r.Beside, _ = v.Get("beside").OneOf(besides...)
	if n, ok := v.Get("analysis").Int(); ok {
		i := int(n)
		r.Analysis = &i
	}
	// These checks are shared with rules made in Go.
	r.checkExtras(func(wrong bool, member, format string, args ...any) {
		if wrong {
			v.Get(strings.TrimPrefix(member, "/")).Errorf(format, args...)
		}
	})
	return r
}

func parsePoints(v strictjson.Value, r *Rule) {
	points, pattern := v.Get("points"), v.Get("pattern")
	if points.Present() && pattern.Present() {
		pattern.Errorf("is given together with points: want one of the two")
	}
	if list, ok := points.Array(); ok {
		if detail := wrongCount(r.Type, len(list)); detail != "" {
			points.Errorf("%s", detail)
		}
		for _, e := range list[:min(len(list), maxPoints)] {
			s, _ := rulejson.Point(e)
			r.Points = append(r.Points, s)
		}
	}
	if pattern.Present() {
		r.Pattern, _ = pattern.OneOf("all", "upperBody", "lowerBody", "leftBody", "rightBody")
	}
	if r.Type == typeAngle && !points.Present() {
		points.Errorf("is required for angle: want three points")
	}
}

func parseColor(v strictjson.Value) Color { return rulejson.OneOf(v, Colors()) }

func parseLook(v strictjson.Value) (c Color, size float64) {
	x := v.Get("size")
	size, ok := x.Number()
	if ok && !(size > 0 && size <= maxSize) {
		x.Errorf("is %v, want more than 0 and at most %d", size, maxSize)
	}
	return parseColor(v.Get("color")), size
}

func parseBand(v strictjson.Value) Band {
	b := Band{Threshold: defaultThreshold, implied: true}
	if !v.Require("an object with threshold, color, size") || !v.Known("threshold", "color", "size") {
		return b
	}
	if x := v.Get("threshold"); x.Present() {
		var ok bool
		b.implied = false
		if b.Threshold, ok = x.Number(); ok && !(b.Threshold >= 0 && b.Threshold <= 1) {
			x.Errorf("is %v, want a distance of 0 to 1", b.Threshold)
		}
	}
	b.Color, b.Size = parseLook(v)
	return b
}

// ParseBackground reads {"skeletonOnly": …, "color": …}. Mistakes are keypoint.FieldErrors.
func ParseBackground(data []byte) (Background, error) {
	if len(data) > rulejson.MaxBytes {
		return Background{}, keypoint.FieldErrors{{Detail: "the background rule is longer than 512 KiB of JSON"}}
	}
	return strictjson.Read(data, func(v strictjson.Value) (b Background) {
		if v.Require("an object with skeletonOnly, color") && v.Known("skeletonOnly", "color") {
			only, ok := v.Get("skeletonOnly").Bool()
			b.SkeletonOnly, b.explicit = only, ok && !only
			b.Color = parseColor(v.Get("color"))
		}
		return b
	})
}

// UnmarshalJSON reads one rule object as ParseRules does.
func (r *Rule) UnmarshalJSON(data []byte) (err error) {
	*r, err = rulejson.One(ParseRules(data))
	return err
}

// MarshalJSON writes the band as ParseRules reads it. The threshold is left out if it was left out in the JSON that the band was read from.
func (b Band) MarshalJSON() ([]byte, error) {
	var threshold *float64
	if !b.implied || b.Threshold != defaultThreshold {
		threshold = &b.Threshold
	}
	return json.Marshal(struct {
		Threshold *float64 `json:"threshold,omitzero"`
		Color     Color    `json:"color,omitzero"`
		Size      float64  `json:"size,omitzero"`
	}{threshold, b.Color, b.Size})
}

// UnmarshalJSON reads a background as ParseBackground does.
func (b *Background) UnmarshalJSON(data []byte) (err error) {
	*b, err = ParseBackground(data)
	return err
}

// MarshalJSON writes the background as ParseBackground reads it. A false skeletonOnly is
// left out unless it was given in the JSON that the background was read from.
func (b Background) MarshalJSON() ([]byte, error) {
	var only *bool
	if b.SkeletonOnly || b.explicit {
		only = &b.SkeletonOnly
	}
	return json.Marshal(struct {
		SkeletonOnly *bool `json:"skeletonOnly,omitzero"`
		Color        Color `json:"color,omitzero"`
	}{only, b.Color})
}
