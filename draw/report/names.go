package report

import (
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/words"
)

// partOf names a part: "left knee". Without its side if sided is false.
func (t *texts) partOf(part keypoint.Part, sided bool) string {
	if sided {
		return t.Lang.Of(part.String())
	}
	return t.Lang.Part(part)
}

// side names a side before the name of a part or an angle; "" for none.
func (t *texts) side(s analyze.Side) string {
	if s == "" {
		return ""
	}
	return t.Lang.Of(string(s)) + t.space
}

// japaneseOf names what a rule computes, without the side that all its points share.
func japaneseOf(rule analyze.Rule, side analyze.Side) string {
	kind := words.Japanese.Of(string(rule.Type))
	if len(rule.Points) == 0 {
		return kind
	}
	names := make([]string, len(rule.Points))
	for k, s := range rule.Points {
		parts := make([]string, len(s.Parts))
		for j, part := range s.Parts {
			parts[j] = japanese.partOf(part, side == "")
		}
		names[k] = strings.Join(parts, "・")
	}
	return strings.Join(names, "–") + "の" + kind
}

// listOf joins names: "left knee, left ankle and nose".
func (t *texts) listOf(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], t.list) + t.listEnd + names[n-1]
	}
	return strings.Join(names, "")
}
