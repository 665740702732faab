package film

import (
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// mostAngles is how many angles that differ are written beside the joints, and mostName how many letters of a name.
const mostAngles, mostName = 2, 60

// Explain says on the pictures of a comparison that draws a Body what both recordings are called and what differs: the answer in words,
// and without Values the angles. target is shown beside the source, or else outlined on it; mirrored is what compare.Options.Mirror was.
func (s *Subject) Explain(target *Subject, r *compare.Result, names [2]string, beside, mirrored bool) {
	if !slices.ContainsFunc(s.Rules, func(r draw.Rule) bool { return r.Type == draw.Body().Type }) {
		return
	}
	if r.Answer == nil && len(r.Warnings) > 0 { // what has nothing in common is not laid on each other
		s.Rules = slices.Clone(s.Rules)
		for k := range s.Rules {
			s.Rules[k].Ghost = ""
		}
	}
	a, b := s.called("A", names[0]), s.called("B", names[1])
	outlined := slices.ContainsFunc(s.Rules, func(r draw.Rule) bool { return r.Ghost != "" })
	if s.Captions, target.Captions = []string{a}, []string{b}; !beside && outlined {
		s.Captions = append(s.Captions, b+" ("+say.Name("outline").String()+")")
	}
	if r.Answer == nil {
		for _, w := range r.Warnings[max(len(r.Warnings)-1, 0):] { // the one for which there is no answer
			s.Captions = append(s.Captions, w.Detail)
		}
		return
	}
	s.Captions = append(s.Captions, r.Answer.Title.String())
	if s.Values != nil {
		return
	}
	show := func(angle string) {
		k := slices.IndexFunc(r.Angles, func(of compare.Angle) bool { return of.Name() == angle })
		if k < 0 || len(s.Values) == mostAngles || len(s.Values) > 0 && s.Values[0].Type == r.Angles[k].Type && s.Values[0].Side == r.Angles[k].Side {
			return
		}
		here := analyze.Rule{Type: r.Angles[k].Type, Side: r.Angles[k].Side}
		there := here
		if mirrored && here.Side != "" {
			there.Side = map[analyze.Side]analyze.Side{analyze.LeftSide: analyze.RightSide, analyze.RightSide: analyze.LeftSide}[here.Side]
		}
		s.Values, target.Values = append(s.Values, here), append(target.Values, there)
	}
	show(r.Answer.Angle)
	for _, d := range r.Largest {
		if d.Sure {
			show(d.Angle)
		}
	}
}

// called returns the letter of a recording and its name, as far as the fonts can write it.
func (s *Subject) called(letter, name string) string {
	if runes := []rune(name); len(runes) > mostName {
		name = string(runes[:mostName]) + "…"
	}
	label := draw.Label(name, keypoint.PartSelector(keypoint.Nose))
	if _, err := draw.Compile([]draw.Rule{label}, draw.Background{}, false, s.Fonts...); err != nil || name == "" {
		return letter
	}
	return letter + ": " + name
}
