package live

import (
	"errors"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// The largest first message in bytes, and the most rules: the repetitions of each cost time in every picture, which keeps others waiting.
const (
	maxStart = 256 << 10
	maxRules = 32
	maxWatch = 10 // seconds in which a chooser looks at everybody
)

// parseStart reads the first message; of is nil without an exercise. nil mistakes: it is right.
func parseStart(data []byte) (opt live.Options, of *grader, mistakes []wire.Mistake) {
	if len(data) > maxStart {
		return opt, nil, []wire.Mistake{wire.At("", "the start message is longer than 256 KiB")}
	}
	doc, err := strictjson.Parse(data)
	if err != nil {
		return opt, nil, wire.Mistakes("", err)
	}
	root := doc.Root()
	if !root.Require("an object") || !root.Known("rule", "choose", "feet", "clean", "scale", "floor", "origin", "exercise") {
		return opt, nil, wire.Mistakes("", doc.Err())
	}
	if rule := root.Get("rule"); rule.Present() {
		if opt.Rules, err = analyze.ParseRules(rule.Raw()); err == nil {
			_, err = analyze.NewStream(opt.Rules, keypoint.World{})
			err = wire.Placed(root.Get("rule"), err)
		}
		switch {
		case err != nil:
			mistakes = append(mistakes, wire.Mistakes("/rule", err)...)
		case len(opt.Rules) > maxRules:
			rule.Errorf("has %d rules, want at most %d", len(opt.Rules), maxRules)
		}
	}
	if root.Get("clean").Present() {
		how, err := clean.ParseOptions(root.Get("clean").Raw())
		if err == nil {
			_, err = clean.NewStream(how)
		}
		if err != nil {
			mistakes = append(mistakes, wire.Mistakes("/clean", err)...)
		}
		opt.Clean = &how
	}
	if what := root.Get("exercise"); what.Present() {
		d, err := exercise.Parse(what.Raw())
		if err != nil {
			mistakes = append(mistakes, wire.Mistakes("/exercise", err)...)
		}
		of = &grader{exercise: d, clean: clean.Default()}
		if opt.Clean != nil {
			of.clean = *opt.Clean
		}
		opt.Keep = gradedFrames
	}
	choice := wire.Choice(root.Get("choose"))
	opt.Feet, _ = root.Get("feet").Bool()
	world := wire.Calibration(root.Get("scale"), root.Get("floor"), root.Get("origin"))
	if doc.Err() == nil {
		opt.Choose = chosen(root.Get("choose"), choice)
		opt.World = worldOf(root, world)
	}
	if err := doc.Err(); err != nil {
		mistakes = append(wire.Mistakes("", err), mistakes...)
	}
	return opt, of, mistakes
}

// chosen returns who is followed. What is for recordings is a mistake.
func chosen(v strictjson.Value, choice *inference.Choice) inference.Choice {
	if choice == nil {
		return inference.Choice{}
	}
	switch {
	case choice.Policy == inference.PolicyTrack:
		v.Get("policy").Errorf("is track, which is for recordings")
	case choice.Seconds > maxWatch:
		v.Get("seconds").Errorf("is %v, want at most %d for live pictures", choice.Seconds, maxWatch)
	}
	if err := choice.Validate(); err != nil {
		v.Errorf("%v", err)
	}
	return *choice
}

// worldOf returns what scale, floor and origin say. What needs a whole recording is a mistake.
func worldOf(root strictjson.Value, c keypoint.Calibration) (w keypoint.World) {
	var mistakes keypoint.FieldErrors
	errors.As(c.Validate(), &mistakes)
	for _, m := range mistakes {
		root.Get(m.Pointer[1:]).Errorf("%s", m.Detail)
	}
	size, auto := c.Scale != nil && c.Scale.BodyHeight != 0, c.Floor != nil && c.Floor.Auto
	if size {
		root.Get("scale").Get("bodyHeight").Errorf("is for recordings; want length or metresPerPixel")
	}
	if auto {
		root.Get("floor").Errorf("is auto, which is for recordings; want an angle in degrees, or two points [[x, y], [x, y]]")
	}
	if mistakes != nil || size || auto {
		return w
	}
	w, err := keypoint.Sequence{}.Calibrate(c)
	if err != nil {
		root.Errorf("%v", err)
	}
	return w
}

// wrongStart returns the mistakes of options that live.New refuses.
func wrongStart(err error) []wire.Mistake {
	if errors.Is(err, inference.ErrNoFinder) {
		return []wire.Mistake{wire.At("/choose/policy", "is not possible: the service finds only one person")}
	}
	return wire.Mistakes("", err)
}

// isEnd reports whether a text is {"type": "end"}.
func isEnd(data []byte) bool {
	doc, err := strictjson.Parse(data)
	if err != nil || !doc.Root().Known("type") {
		return false
	}
	doc.Root().Get("type").OneOf("end")
	return doc.Root().Get("type").Present() && doc.Err() == nil
}
