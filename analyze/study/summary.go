package study

import (
	"cmp"
	_ "embed"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

//go:embed texts.json
var textsFile []byte

var texts = say.Open(textsFile)

// Summary is what to tell of a recording first.
type Summary struct {
	Title say.Text   `json:"title"`           // what holds, and how well
	Tempo say.Text   `json:"tempo,omitempty"` // how long the ways of its repetitions take, of what the title says; nil without any
	Limit say.Text   `json:"limit,omitempty"` // what does not, with an amount; nil: nothing to say
	Do    say.Text   `json:"do,omitempty"`    // what to do about it
	Tells []say.Text `json:"tells,omitempty"` // what the recording tells besides
	Hides []say.Text `json:"hides,omitempty"` // and what it does not
}

// summarize says in words what a study shows.
func (p *person) summarize(s *Study, lead *measure) {
	s.Summary.Title = p.title(s, lead).Title()
	if r := s.Repetitions; len(s.Ways) == 2 && r.Out.Count > 0 {
		seconds := func(way analyze.Spread) say.Amount {
			return say.Amount{Value: way.Mean, Sigma: way.Uncertainty, Unit: "s"}
		}
		s.Summary.Tempo = texts.Say("tempo."+s.Ways[0], say.Joint(string(lead.Type)), seconds(r.Out), seconds(r.Back))
	}
	for _, rule := range []func(*Study, *measure) (limit, do say.Text){p.withoutLead, p.limitOfLead, p.warned, p.limitOfPicture, p.poor, p.limitOfOther} {
		if limit, do := rule(s, lead); limit != nil {
			s.Summary.Limit, s.Summary.Do = limit.Title(), do.Title()
			break
		}
	}
	if other := s.otherSide(); other != nil && !slices.Contains(other.Why, quality.CodeHidden) {
		if other.Trust != lead.Trust || other.Trust != quality.TrustGood && slices.Contains(other.Why, quality.CodeOutOfPlane) {
			s.Summary.Hides = append(s.Summary.Hides, texts.Say("sides").Title())
		}
	}
	s.tell(lead)
}

// title says what holds, and how well: how many of what, and the amount of the lead; of steps and jumps their own amounts.
func (p *person) title(s *Study, lead *measure) say.Text {
	name := "movement." + string(s.Movement)
	switch hips := lead != nil && lead.Type == analyze.HipHeight; {
	case s.Movement == moveJump:
		best := jump.Highest(s.Jumps)
		return say.Phrase(counted(name, len(s.Jumps)), say.Measured("height", best.Height, best.HeightUncertainty, "m").Text())
	case s.Gait != nil && s.Gait.Cadence.Present:
		g, speed := s.Gait, say.Text(nil)
		if g.Speed.Present && g.Unit != "px" {
			speed = say.Measured("speed", g.Speed.X, g.SpeedUncertainty.X, g.Unit+"/s").Text()
		}
		return say.Phrase(say.Name(name), say.Amount{Value: g.Cadence.X, Sigma: g.CadenceUncertainty.X, Unit: "steps/min"}.Text(), speed)
	case s.stands() && len(s.Show) > 0:
		first := s.first(s.Show[0])
		return texts.Say("title."+string(s.Verdict), say.Phrase(say.Name(name), texts.Say("and", first.called(), first.amount())))
	case s.Verdict == quality.Nobody || lead == nil && p.moving == "" || hips && s.Repetitions == nil:
		return say.Name("verdict." + string(s.Verdict))
	case len(s.Estimates) > 0 && (lead == nil || hips):
		m := &s.Estimates[0]
		return say.Phrase(s.times(), texts.Say("estimated", texts.Say("and", m.called(), m.amount().Text())))
	case lead == nil:
		return say.Phrase(s.times(), texts.Say("colon", say.Name(string(p.moving)), say.Why(s.why(p.moving), s.Facing)))
	case hips:
		return say.Phrase(s.times(), texts.Say("title.hips"))
	}
	return texts.Say("title."+string(s.Verdict), say.Phrase(s.times(), texts.Say("and", lead.called(), lead.amount())))
}

// times says how many repetitions there are.
func (s *Study) times() say.Text {
	if s.Repetitions == nil {
		return nil
	}
	return counted("movement."+string(s.Movement), len(s.Repetitions.List))
}

// counted says how many there are: "3 squats", "1 squat".
func counted(name string, n int) say.Text {
	if n == 1 {
		name += ".one"
	}
	return texts.Say("counted", n, say.Name(name))
}

// withoutLead says why nothing leads, or which angles the view does not show of steps and of what is counted by the hips.
func (p *person) withoutLead(s *Study, lead *measure) (limit, do say.Text) {
	facing := s.Facing
	switch tempo := lead == nil && s.Gait != nil || lead != nil && lead.Type == analyze.HipHeight; {
	case s.Verdict == quality.Nobody:
		return say.Name("warning.lost"), say.Name("advice.nobody")
	case p.marked(s.Notes, quality.CodeDamaged) > 0: // what is missing may be what moves
		return say.Name("warning.damaged"), advice(quality.CodeDamaged)
	case p.marked(s.Notes, "sideways") > 0: // nothing else can be done
		return say.Name("warning.sideways"), advice("sideways")
	case lead == nil && p.moving != "":
		why := s.why(p.moving)
		if m := (analyze.Rule{Type: p.moving}); why == quality.CodeOutOfPlane && facing.Known() && m.Plane() != quality.Frontal {
			return texts.Say("withheld"), texts.Say("aside")
		}
		return texts.Say("withheld"), advice(why)
	case tempo && s.aslant():
		legs := "legs"
		if len(s.Estimates) > 0 {
			legs = "legs.estimated"
		}
		return filmed(facing, texts.Say(legs)), texts.Say("aside")
	case tempo && s.first(analyze.KneeFlexion) == nil:
		why := s.why(analyze.KneeFlexion)
		return texts.Say("colon", say.Name(string(analyze.KneeFlexion)), say.Why(why, facing)), advice(why)
	}
	return nil, nil
}

// limitOfLead says how far off the lead is.
func (p *person) limitOfLead(s *Study, lead *measure) (limit, do say.Text) {
	if lead == nil || lead.Type == analyze.HipHeight || lead.Trust != quality.TrustCare {
		return nil, nil
	}
	at, known := p.views.View(lead.Peak.Frame)
	rule := lead.Rule()
	plane, key, off := rule.Plane(), "turn", 90-min(at, 180-at)
	if plane == quality.Frontal {
		key, off = "turn.front", 90-off
	}
	switch {
	case slices.Contains(lead.Why, quality.CodeOutOfPlane) && known && !plane.Fits(at):
		return p.obliquely(&lead.Measure), texts.Say(key, math.Round(off/5)*5)
	case len(lead.Why) == 0:
		return texts.Say("unsure", lead.called()), texts.Say("alike")
	}
	return texts.Say("unsure", lead.called()), advice(lead.Why[0])
}

// leastWarned is the share of the frames below which a warning is not the first thing to read.
const leastWarned = 0.05

// warned says the first warning that does not explain why values are withheld.
func (p *person) warned(s *Study, _ *measure) (limit, do say.Text) {
	explain := []quality.Code{quality.CodeOutOfPlane, quality.CodeHiddenSide, quality.CodeHidden, quality.CodeFacing, quality.CodeSwapped, quality.CodeImplausible}
	for _, w := range s.Notes {
		if slices.Contains(explain, w.Code) && (w.Code != quality.CodeSwapped || s.Gait == nil) { // steps are told apart by their side
			continue
		}
		frames := p.marked(s.Notes, w.Code)
		if w.Code == quality.CodePersonChanged || float64(frames) >= leastWarned*float64(p.span.Len()) {
			return p.lasting(say.Name("warning."+string(w.Code)), frames), advice(w.Code)
		}
	}
	return nil, nil
}

// poor is said of what is poor for no other reason.
func (p *person) poor(s *Study, _ *measure) (limit, do say.Text) {
	if s.Verdict != quality.Poor {
		return nil, nil
	}
	return texts.Say("withheld"), advice(quality.CodeOutOfPlane)
}

// limitOfOther says why the other side of the body is not as good as the lead.
func (p *person) limitOfOther(s *Study, _ *measure) (limit, do say.Text) {
	other := s.otherSide()
	if other == nil || other.Trust == quality.TrustGood {
		return nil, nil
	}
	switch why := append(other.Why, quality.CodeUncertain)[0]; {
	case other.Trust == quality.TrustCare && s.Facing.Known() && slices.Contains(other.Why, quality.CodeOutOfPlane):
		return p.obliquely(other), advice(quality.CodeHiddenSide)
	case why == quality.CodeHidden:
		absent := 0
		for i := range other.Values {
			if !other.Values[i].Present && !p.seq.Frames[i].Empty() {
				absent++
			}
		}
		return p.lasting(texts.Say("covered", say.Of(string(other.Side), limbOf(other.Type))), absent), advice(why)
	}
	return nil, nil
}

// advice says what to do about a code.
func advice(c quality.Code) say.Text { return say.Name("advice." + string(c)) }

// filmed says from where it is filmed, and what follows.
func filmed(from quality.Facing, what say.Text) say.Text {
	if from.Direction == quality.FromBetween {
		return texts.Say("filmed.angle", say.From(from), what)
	}
	return texts.Say("filmed", say.From(from), what)
}

// called names a measure: "left knee flexion".
func (m *Measure) called() say.Text { return say.Of(string(m.Side), string(m.Type)) }

// amount is the peak with its uncertainty.
func (m *Measure) amount() say.Amount {
	return say.Measured(string(m.Type), m.Peak.Value, m.Peak.Uncertainty, m.Unit)
}

// obliquely says how far off a measure is that is seen obliquely at its peak.
func (p *person) obliquely(m *Measure) say.Text {
	off := texts.Say("unsure", m.called())
	if view, ok := p.views.View(m.Peak.Frame); ok && quality.FacingOf(view).Direction != quality.FromSide {
		return filmed(quality.FacingOf(view), off)
	}
	return off
}

// tell says what a recording tells besides its lead: the two good angles that move most.
func (s *Study) tell(lead *measure) {
	var good []Measure
	for _, m := range s.Measures {
		moves := m.Range.Present && m.Range.X >= 2*leastRange
		if s.stands() {
			moves = slices.Contains(s.Show, m.Type) && m.Type != s.Show[0]
		}
		if m.Trust == quality.TrustGood && m.Unit == "°" && moves && (lead == nil || m.Type != lead.Type || m.Side != lead.Side) {
			good = append(good, m)
		}
	}
	slices.SortStableFunc(good, func(a, b Measure) int { return cmp.Compare(b.Range.X, a.Range.X) })
	for _, m := range good[:min(2, len(good))] {
		s.Summary.Tells = append(s.Summary.Tells, texts.Say("and", m.called(), m.text()).Title())
	}
}

// limbOf is the limb that an angle belongs to.
func limbOf(t analyze.Type) string {
	if t == analyze.ElbowFlexion || t == analyze.ShoulderFlexion || t == analyze.ShoulderAbduction {
		return "arm"
	}
	return "leg"
}

// otherSide is the measure of the lead on the other side of the body; nil without.
func (s *Study) otherSide() *Measure {
	return s.measure(func(m *Measure) bool { return s.Lead != nil && m.Type == s.Lead.Type && m.Side != s.Lead.Side })
}

// measure returns the first measure that is wanted; nil without.
func (s *Study) measure(wanted func(m *Measure) bool) *Measure {
	for k := range s.Measures {
		if wanted(&s.Measures[k]) {
			return &s.Measures[k]
		}
	}
	return nil
}

// stands reports whether the person does nothing but stand.
func (s *Study) stands() bool { return s.Movement == moveStill && s.Standing != nil }

// first returns the first measure of a type that is not withheld; nil without.
func (s *Study) first(t analyze.Type) *Measure {
	return s.measure(func(m *Measure) bool { return m.Type == t && m.Peak != nil })
}

// why is the first reason why a type is withheld.
func (s *Study) why(t analyze.Type) quality.Code {
	if m := s.measure(func(m *Measure) bool { return m.Type == t && len(m.Why) > 0 }); m != nil {
		return m.Why[0]
	}
	return quality.CodeUncertain
}

// marked returns how many frames the warnings of a code concern.
func (p *person) marked(list []quality.Warning, code quality.Code) int {
	hit := make([]bool, p.seq.Len())
	for _, w := range list {
		for i := max(w.From, 0); w.Code == code && i <= min(w.To, len(hit)-1); i++ {
			hit[i] = true
		}
	}
	return len(slices.DeleteFunc(hit, func(h bool) bool { return !h }))
}

// lasting says for how long something is so, unless it is nearly all the time.
func (p *person) lasting(what say.Text, frames int) say.Text {
	rate, ok := p.seq.FrameRate()
	if n := p.span.Len(); ok && frames > 0 && float64(frames) < 0.9*float64(n) {
		return texts.Say("seconds", what, float64(frames)/rate, float64(n)/rate)
	}
	return what
}
