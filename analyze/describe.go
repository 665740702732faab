package analyze

import (
	"fmt"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// describe says in a sentence what the rule computes, in pixels or in metres.
func (r *Rule) describe(metric bool) string {
	sentence := r.Type.definition().sentence
	if metric {
		sentence = strings.Replace(sentence, "pixels", "metres", 1)
	}
	if r.Type.Sided() {
		return fmt.Sprintf(sentence, r.Side)
	}
	points := make([]any, len(r.Points))
	for i, s := range r.Points {
		points[i] = pointPhrases[s.Type] + list(s.Parts, keypoint.Part.String)
	}
	return fmt.Sprintf(sentence, points...)
}

// pointPhrases precede the parts of a point.
var pointPhrases = map[keypoint.PointType]string{
	keypoint.Midpoint:        "the midpoint of ",
	keypoint.Centroid:        "the centroid of ",
	keypoint.HorizontalRight: "the right end of ",
	keypoint.HorizontalLeft:  "the left end of ",
	keypoint.VerticalTop:     "the upper end of ",
	keypoint.VerticalDown:    "the lower end of ",
}

// list writes "nose, leftEye and rightEye".
func list(parts []keypoint.Part, name func(keypoint.Part) string) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = name(p)
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
