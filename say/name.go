package say

import (
	"cmp"
	_ "embed"
	"maps"
	"math"
	"strings"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

//go:embed texts.json
var textsFile []byte

// texts are the words and sentences that do not belong to one package alone.
var texts = Open(textsFile)

// Name returns what something is called that requests and results name: a part of the body ("leftKnee"), a joint ("knee"), a side
// ("left"), a type of analysis ("kneeFlexion"), a movement ("movement.squat"), a way of a repetition ("way.down"), a verdict ("verdict.good"),
// a warning ("warning.small") or what to do about it ("advice.small"). Anything else is its own name.
func Name(name string) Text {
	if t, ok := texts[name]; ok {
		return maps.Clone(t)
	}
	for _, side := range []string{"left", "right"} {
		if joint := withoutSide(name, side); texts[joint] != nil && joint != name {
			return Of(side, joint)
		}
	}
	return Text{English: name, Japanese: name}
}

// Of returns the name of something on a side of the body: "left knee flexion". Without a side it is its name.
func Of(side, name string) Text {
	if side == "" {
		return Name(name)
	}
	return texts["side.of"].with(Name(side), Name(name))
}

// Part returns the name of a part of the body without its side: "big toe".
func Part(p keypoint.Part) Text { return Name(withoutSide(withoutSide(p.String(), "left"), "right")) }

// Joint returns the name of the joint whose flexion a measure is: "knee" of "kneeFlexion". Any other measure keeps its name.
func Joint(measure string) Text { return Name(strings.TrimSuffix(measure, "Flexion")) }

// withoutSide returns the name of a part without its side: "bigToe" of "leftBigToe".
func withoutSide(part, side string) string {
	if name, ok := strings.CutPrefix(part, side); ok && name != "" {
		return strings.ToLower(name[:1]) + name[1:]
	}
	return part
}

// Why returns what stands instead of a withheld number, by its reason and where the recording is seen from, which may be unknown: "not
// visible from the front" for quality.CodeOutOfPlane from there, "too seldom seen" for quality.CodeLowCoverage.
func Why(reason quality.Code, from quality.Facing) Text {
	key := "why." + string(reason)
	switch reason {
	case quality.CodeHiddenSide:
		key = "why.hidden"
	case quality.CodeOutOfPlane:
		key = "why." + string(cmp.Or(from.Direction, quality.FromBetween))
	}
	if texts[key] == nil {
		key = "why.uncertain"
	}
	return texts[key]
}

// From returns from where a recording sees the person: "from the side", "55° from the front". Of a
// direction that there is not it says nothing.
func From(facing quality.Facing) Text {
	view := math.Round(facing.View/5) * 5 // no view is surer than that
	switch {
	case facing.Direction != quality.FromBetween && texts["from."+string(facing.Direction)] == nil:
		return Text{}
	case facing.Direction != quality.FromBetween:
		return texts.Say("from." + string(facing.Direction))
	case view > 90:
		return texts.Say("from.behind", 180-view)
	}
	return texts.Say("from.ahead", view)
}

// All returns the texts of this package by key, for programs that show results: names, reasons, warnings, advice and verdicts, and the
// names of all parts of the body.
func All() Book {
	all := maps.Clone(texts)
	for p := range keypoint.Part(keypoint.NumParts) {
		all[p.String()] = Name(p.String())
	}
	return all
}
