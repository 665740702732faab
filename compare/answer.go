package compare

import (
	_ "embed"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
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

//go:embed texts.json
var textsFile []byte

var texts = say.Open(textsFile)

func degrees(v, sigma float64) say.Amount { return say.Amount{Value: v, Sigma: sigma, Unit: "°"} }

// claim says by how much the target bends an angle more or less than the source: "repetition 3: the right knee bends 35° less".
func (p *pair) claim(of Angle, d *AngleDifference) say.Text {
	amount := texts.Say("same")
	switch size := degrees(math.Abs(d.Difference), 0); {
	case math.Round(size.Value) == 0:
	case d.Difference < 0:
		amount = texts.Say("less", size)
	default:
		amount = texts.Say("more", size)
	}
	key := string(of.Type)
	if texts[key] == nil {
		key = "other"
	}
	claim := texts.Say(key, p.side(of.Side), amount, say.Name(string(of.Type)))
	if d.Repetition > 0 {
		claim = texts.Say("repetition", d.Repetition, claim)
	}
	return claim.Title()
}

// side names the side of an angle before it. If the target is mirrored, both sides are named, the source's first.
func (p *pair) side(side analyze.Side) say.Text {
	other := analyze.LeftSide
	if side == other {
		other = analyze.RightSide
	}
	switch {
	case side == "":
		return texts.Say("side.none")
	case p.mirrored:
		return texts.Say("side.both", say.Name(string(side)), say.Name(string(other)))
	}
	return texts.Say("side", say.Name(string(side)))
}

// sentence is the claim with the angles of both, and whether it is within the uncertainty.
func (p *pair) sentence(of Angle, d *AngleDifference) say.Text {
	said := texts.Say("from", p.claim(of, d), degrees(d.Source, 0).Number(), degrees(d.Target, 0).Number())
	if !d.Sure {
		return texts.Say("unsure", said, degrees(0, d.Uncertainty).PlusMinus())
	}
	return said
}
