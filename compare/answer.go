package compare

import (
	"slices"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/say"
)

// Answer is the difference to read first, in words.
type Answer struct {
	Angle      string `json:"angle"` // these three as in AngleDifference
	Repetition int    `json:"repetition,omitempty"`
	Frame      int    `json:"frame"`

	Title say.Text `json:"title"` // "Repetition 2: the right knee bends 46° less"
	Text  say.Text `json:"text"`  // the two angles, the uncertainty, and in how many repetitions; or the warning that withholds the score
}

// answer returns the difference to read first, or nil if nothing differs. It is that of the source's leading measure, else of
// the target's, at the turning points, if it is beyond its uncertainty; else the first of the largest. From cameras that
// stand apart that may be the cameras' difference and is not told; from 30 degrees on the lead's is not told either. Where a warning
// withholds the score, it is the text.
func (p *pair) answer(r *Result) *Answer {
	if len(r.Largest) == 0 {
		return nil
	}
	turns := func(angle string) (list []AngleDifference) {
		for _, twin := range r.Repetitions {
			for _, d := range twin.At {
				if d.Angle == angle {
					list = append(list, d)
				}
			}
		}
		slices.SortStableFunc(list, bySize)
		return list
	}
	d := r.Largest[0]
	views, apart := p.apart()
	for _, lead := range []*study.Lead{p.t.Lead, p.s.Lead} {
		if lead == nil {
			continue
		}
		if list := turns(Angle{Type: lead.Type, Side: lead.Side}.Name()); len(list) > 0 && list[0].Sure && !(apart && views >= farViews) {
			d, apart = list[0], false
		}
	}
	at, sure := turns(d.Angle), 0
	for _, other := range at {
		if other.Sure {
			sure++
		}
	}
	a := &Answer{Angle: d.Angle, Repetition: d.Repetition, Frame: d.Frame}
	switch {
	case apart:
		a.Title, a.Text = texts.Say("answer.apart"), texts.Say(string(codeView), views)
		return a
	case d.Sure:
		named := slices.IndexFunc(r.Angles, func(of Angle) bool { return of.Name() == d.Angle })
		a.Title = p.claim(r.Angles[named], &d)
		a.Text = texts.Say("answer.instead", degrees(d.Target, 0), degrees(d.Source, 0), degrees(0, d.Uncertainty).PlusMinus())
	default:
		a.Title, a.Text = texts.Say("answer.none"), texts.Say("answer.largest", d.Sentence)
	}
	if len(at) > 1 {
		a.Text = say.Paragraph(a.Text, texts.Say("answer.turns", sure, len(at)))
	}
	if r.Score == nil && len(r.Warnings) > 0 {
		a.Text = r.Warnings[0].Sentence
	}
	return a
}
