package film

import (
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// mostAngles is how many angles that differ are written beside the joints.
const mostAngles = 2

// Explain says on the pictures of a comparison that draws a Body what both recordings are called and what differs: the answer in words,
// and without Values the angles. target is shown beside the source, or else outlined on it; mirrored is what compare.Options.Mirror was.
// What has nothing in common is not outlined.
func (s *Subject) Explain(target *Subject, r *compare.Result, names [2]string, beside, mirrored bool) {
	if !slices.ContainsFunc(s.Rules, isBody) {
		return
	}
	s.Rules = slices.Clone(s.Rules)
	outlined := false
	for k := range s.Rules {
		if r.Answer == nil && len(r.Warnings) > 0 {
			s.Rules[k].Ghost = ""
		}
		outlined = outlined || s.Rules[k].Ghost != ""
	}
	a, b := s.called("A", names[0]), s.called("B", names[1])
	if s.Captions, target.Captions = []string{a}, []string{b}; !beside && outlined {
		s.Captions = append(s.Captions, b+" ("+say.Name("outline").String()+")")
	}
	if r.Answer == nil {
		for _, w := range r.Warnings[max(len(r.Warnings)-1, 0):] { // the one for which there is no answer
			s.Captions = append(s.Captions, w.Detail)
		}
		return
	}
	if s.Captions = append(s.Captions, r.Answer.Title.String()); s.Values != nil {
		return
	}
	angles := []string{r.Answer.Angle}
	for _, d := range r.Largest {
		if d.Sure && d.Angle != r.Answer.Angle {
			angles = append(angles, d.Angle)
		}
	}
	other := map[analyze.Side]analyze.Side{analyze.LeftSide: analyze.RightSide, analyze.RightSide: analyze.LeftSide}
	for _, angle := range r.Angles {
		if !slices.Contains(angles[:min(len(angles), mostAngles)], angle.Name()) {
			continue
		}
		here := analyze.Rule{Type: angle.Type, Side: angle.Side}
		there := here
		if mirrored {
			there.Side = other[here.Side]
		}
		s.Values, target.Values = append(s.Values, here), append(target.Values, there)
	}
}

// called returns the letter of a recording and its name, if a label can have it.
func (s *Subject) called(letter, name string) string {
	label := draw.Label(name, keypoint.PartSelector(keypoint.Nose))
	if _, err := draw.Compile([]draw.Rule{label}, draw.Background{}, false, s.Fonts...); err != nil || name == "" {
		return letter
	}
	return letter + ": " + name
}
