package live

import (
	"encoding/json"
	"errors"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// maxStart is the largest first message in bytes.
const maxStart = 256 << 10

// parseStart reads the first message. nil mistakes: it is right.
func parseStart(data []byte) (opt live.Options, mistakes []wire.Mistake) {
	if len(data) > maxStart {
		return opt, []wire.Mistake{wire.At("", "the start message is longer than 256 KiB")}
	}
	doc, err := strictjson.Parse(data)
	if err != nil {
		return opt, wire.Mistakes("", err)
	}
	root := doc.Root()
	if !root.Require("an object") || !root.Known("rule", "choose", "feet", "clean", "scale", "floor", "origin") {
		return opt, wire.Mistakes("", doc.Err())
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return opt, wire.Mistakes("", err)
	}
	if root.Get("rule").Present() {
		if opt.Rules, err = analyze.ParseRules(raw["rule"]); err == nil {
			_, err = analyze.NewStream(opt.Rules, keypoint.World{})
		}
		if err != nil {
			mistakes = append(mistakes, wire.Mistakes("/rule", err)...)
		}
	}
	if root.Get("clean").Present() {
		how, err := clean.ParseOptions(raw["clean"])
		if err == nil {
			_, err = clean.NewStream(how)
		}
		if err != nil {
			mistakes = append(mistakes, wire.Mistakes("/clean", err)...)
		}
		opt.Clean = &how
	}
	if choice := wire.Choice(root.Get("choose")); choice != nil {
		if choice.Policy == inference.PolicyTrack {
			root.Get("choose").Get("policy").Errorf("is track, which is for recordings")
		} else if opt.Choose, err = choice.Chooser(); err != nil {
			root.Get("choose").Errorf("%v", err)
		}
		opt.Stay = choice.Stay
	}
	opt.Feet, _ = root.Get("feet").Bool()
	opt.World = world(root)
	if err := doc.Err(); err != nil {
		mistakes = append(wire.Mistakes("", err), mistakes...)
	}
	return opt, mistakes
}

// world returns what scale, floor and origin say. What needs a whole recording is a mistake.
func world(root strictjson.Value) (w keypoint.World) {
	all := keypoint.Calibration{Scale: wire.Scale(root.Get("scale")), Floor: wire.Floor(root.Get("floor")), Origin: wire.Pixel(root.Get("origin"))}
	if all.Scale != nil && all.Scale.BodyHeight != 0 {
		root.Get("scale").Get("bodyHeight").Errorf("is for recordings; want length or metresPerPixel")
		return w
	}
	if all.Floor != nil && all.Floor.Auto {
		root.Get("floor").Errorf("is auto, which is for recordings; want an angle in degrees, or two points [[x, y], [x, y]]")
		return w
	}
	// Each for itself, so that the mistake has its place.
	for name, part := range map[string]keypoint.Calibration{"scale": {Scale: all.Scale}, "floor": {Floor: all.Floor}, "origin": {Origin: all.Origin}} {
		if err := part.Validate(); err != nil && root.Get(name).Present() {
			root.Get(name).Errorf("%v", err)
			return w
		}
	}
	w, err := keypoint.Sequence{}.Calibrate(all)
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
	kind, _ := doc.Root().Get("type").Text()
	return kind == "end"
}
