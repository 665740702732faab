package analyze

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

//go:embed texts.json
var textsFile []byte

// texts says what the values of each type are; in English with a verb for each point, or for the side.
var texts = say.Open(textsFile)

// joints are the ends of the limbs at the joints of the left side, in either order.
var joints = map[keypoint.Part][2]keypoint.Part{
	keypoint.LeftShoulder: {keypoint.LeftHip, keypoint.LeftElbow},
	keypoint.LeftElbow:    {keypoint.LeftShoulder, keypoint.LeftWrist},
	keypoint.LeftHip:      {keypoint.LeftShoulder, keypoint.LeftKnee},
	keypoint.LeftKnee:     {keypoint.LeftHip, keypoint.LeftAnkle},
	keypoint.LeftAnkle:    {keypoint.LeftKnee, keypoint.LeftBigToe},
}

// heading names what the rule computes, for the head of a column or a chart: "left knee flexion".
func (r *Rule) heading() string {
	kind := say.Name(string(r.Type)).String()
	points := make([]string, len(r.Points))
	for i, s := range r.Points {
		points[i] = strings.TrimPrefix(pointPhrases[s.Type], "the ") + list(s.Parts, func(p keypoint.Part) string { return say.Name(p.String()).String() })
	}
	switch {
	case r.Side != "":
		return string(r.Side) + " " + kind
	case r.joint():
		return points[1] + " " + strings.TrimPrefix(kind, "joint ")
	case len(points) == 1:
		return points[0] + " " + kind
	case len(points) > 1:
		return kind + " " + strings.Join(points, " - ")
	}
	return kind
}

// joint reports whether the three points are a joint with the ends of its limbs.
func (r *Rule) joint() bool {
	if len(r.Points) != 3 || slices.ContainsFunc(r.Points, func(s keypoint.Selector) bool { return s.Type != keypoint.Single }) {
		return false
	}
	a, b, c := r.Points[0].Parts[0], r.Points[1].Parts[0], r.Points[2].Parts[0]
	if _, left := joints[b]; !left {
		a, b, c = a.Mirror(), b.Mirror(), c.Mirror()
	}
	ends, ok := joints[b]
	return ok && (ends == [2]keypoint.Part{a, c} || ends == [2]keypoint.Part{c, a})
}

// side returns the side of the body that has all points of the rule, "" if no side has.
func (r *Rule) side() Side {
	if r.Side != "" || len(r.Points) == 0 {
		return r.Side
	}
	left, right := true, true
	for _, s := range r.Points {
		for _, p := range s.Parts {
			left, right = left && p < p.Mirror(), right && p > p.Mirror()
		}
	}
	switch {
	case left:
		return LeftSide
	case right:
		return RightSide
	}
	return ""
}

// describe says in a sentence what the rule computes, in pixels or in metres.
func (r *Rule) describe(metric bool) string {
	sentence := texts[string(r.Type)].String()
	if metric {
		sentence = strings.NewReplacer("pixels", "metres", "as a multiple of the torso", "in metres").Replace(sentence)
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

// Meaning says in a sentence what the values are, whichever side they are of.
func (r *Result) Meaning() say.Text {
	t := say.Text{}
	maps.Copy(t, texts[string(r.Type)])
	if t[say.English] = r.Description; r.Side != "" {
		t[say.English] = strings.ReplaceAll(r.Description, string(r.Side)+" ", "")
	}
	return t
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

// Place returns the parts of the body beside which the value of the rule is written in a picture:
// those of the joint of an angle, the shoulders of a trunk that leans, or those of all points.
func (r *Rule) Place() []keypoint.Part {
	points := r.Points
	if a := r.Type.definition().angle; a != nil {
		if points = a.pointsOf(r.Side); len(points) == 2 && len(points[1].Parts) == 2 {
			return points[1].Parts
		}
	}
	if len(points) == 3 {
		return points[1].Parts
	}
	parts := keypoint.Parts(0)
	for _, s := range points {
		parts |= keypoint.PartsOf(s.Parts...)
	}
	return parts.List()
}
