package gait

import (
	"encoding/json"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint/quality"
)

// ParseOptions reads the JSON of options: true or an object for options, false or null for none, which is nil.
// Mistakes are reported as keypoint.FieldErrors.
//
//	{"mode": "running", "surface": "treadmill"}
func ParseOptions(data []byte) (*Options, error) {
	return strictjson.Read(data, func(v strictjson.Value) *Options {
		return rulejson.Options(v, func() Options {
			v.Known("mode", "surface")
			return Options{Mode: rulejson.OneOf(v.Get("mode"), modes), Surface: rulejson.OneOf(v.Get("surface"), surfaces)}
		})
	})
}

// UnmarshalJSON reads the options as ParseOptions does; null and false are the default.
func (opt *Options) UnmarshalJSON(data []byte) error {
	parsed, err := ParseOptions(data)
	if parsed != nil {
		*opt = *parsed
	}
	return err
}

// MarshalJSON writes true for the default, else an object; both without Curves.
func (opt Options) MarshalJSON() ([]byte, error) {
	if opt.Mode == "" && opt.Surface == "" {
		return []byte("true"), nil
	}
	type plain Options
	return json.Marshal(plain(opt))
}

// MarshalJSON writes the API's form, with times in seconds, frames from 0, and null for what is absent.
func (g Gait) MarshalJSON() ([]byte, error) {
	type plain Gait
	g.Passes, g.Events = append([]Pass{}, g.Passes...), append([]Event{}, g.Events...)
	g.Cycles, g.Curves = append([]Cycle{}, g.Cycles...), append([]Curve{}, g.Curves...)
	g.Warnings = append([]quality.Warning{}, g.Warnings...)
	return jsonappend.Marshal(plain(g), 4)
}
