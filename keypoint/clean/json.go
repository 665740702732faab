package clean

import (
	"cmp"

	"github.com/bodymotion/motion/internal/strictjson"
)

// ParseOptions reads options from JSON: true for Default, false for none, or an object with the steps to take:
//
//	{"swaps": true, "outliers": true, "gaps": 0.1, "smooth": {"method": "butterworth", "cutoff": 8}}
//
// Outliers, gaps and smooth are true, an object with the members of their type, or for gaps the longest gap in
// seconds. It reads what json.Marshal writes of Options. Mistakes are keypoint.FieldErrors with their place.
func ParseOptions(data []byte) (Options, error) {
	opt, err := strictjson.Read(data, func(root strictjson.Value) (opt Options) {
		root.Require("true, false or an object")
		if root.IsObject() {
			opt = parse(root)
		} else if all, ok := root.Bool(); ok && all {
			opt = Default()
		}
		return opt
	})
	if err := cmp.Or(err, opt.Validate()); err != nil {
		return Options{}, err
	}
	return opt, nil
}

func parse(v strictjson.Value) (opt Options) {
	v.Known("swaps", "outliers", "gaps", "smooth", "coincident")
	opt.Swaps, _ = v.Get("swaps").Bool()
	opt.Coincident, _ = v.Get("coincident").Bool()
	if o := v.Get("outliers"); step(o, "window", "threshold") {
		opt.Outliers = &Outliers{Window: number(o, "window"), Threshold: number(o, "threshold")}
	}
	if g := v.Get("gaps"); g.Kind() == "a number" {
		longest, _ := g.Number()
		opt.Gaps = &Gaps{Max: longest}
	} else if step(g, "max", "method") {
		opt.Gaps = &Gaps{Max: number(g, "max"), Method: method(g)}
	}
	if s := v.Get("smooth"); step(s, "method", "order", "cutoff", "beta", "window") {
		opt.Smooth = &Smooth{
			Method: method(s), Order: integer(s, "order"), Window: integer(s, "window"),
			Cutoff: number(s, "cutoff"), Beta: number(s, "beta"),
		}
	}
	return opt
}

// step reports whether a step is taken: its value is true or an object of these members.
func step(v strictjson.Value, members ...string) bool {
	if !v.Present() {
		return false
	}
	if v.IsObject() {
		return v.Known(members...)
	}
	taken, _ := v.Bool()
	return taken
}

// number returns a member of a step, 0 if it is absent.
func number(v strictjson.Value, name string) float64 {
	f, _ := v.Get(name).Number()
	return f
}

func integer(v strictjson.Value, name string) int {
	i, _ := v.Get(name).Int()
	return int(i)
}

func method(v strictjson.Value) Method {
	s, _ := v.Get("method").Text()
	return Method(s)
}
