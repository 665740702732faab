package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/words"
)

// text is a sentence in all languages.
type text = map[words.Language]string

// Summary is what to tell of a recording first, in all languages.
type Summary struct {
	Title text   `json:"title"`           // what holds, and how well
	Limit text   `json:"limit,omitempty"` // what does not, with an amount; nil: nothing to say
	Do    text   `json:"do,omitempty"`    // what to do about it
	Tells []text `json:"tells,omitempty"` // what the recording tells besides
	Hides []text `json:"hides,omitempty"` // and what it does not
}

// tooStraight is by how many of their uncertainties legs that are seen obliquely read too straight when they are bent: the median over
// knees and hips of rendered movies, of which 22 of 23 did. docs/quality.md has the halves.
const tooStraight = 1.8

// summarize says in words what a study shows.
func (p *person) summarize(s *Study, lead *measure, all []*measure) {
	view, known := p.view()
	sum := &s.Summary
	sum.Title = each(func(l words.Language, say saying) string {
		switch {
		case s.Verdict == quality.Nobody || lead == nil && p.moving == "":
			return l.Of("verdict." + string(s.Verdict))
		case len(s.Estimates) > 0 && (lead == nil || lead.Type == analyze.HipHeight):
			return say.estimated
		case lead == nil:
			return fmt.Sprintf(say.colon, l.Of(string(p.moving)), l.WhyFrom(string(s.why(p.moving)), view))
		case lead.Type == analyze.HipHeight:
			return say.hips
		}
		return fmt.Sprintf(say.verdicts[s.Verdict], nameOf(l, &lead.Measure)+" "+plusMinus(&lead.Measure))
	})
	say := func(do string, limit func(l words.Language, say saying) string) {
		if sum.Limit == nil {
			sum.Limit, sum.Do = each(limit), each(func(l words.Language, _ saying) string { return l.Of(do) })
		}
	}
	aside := func() { sum.Do = each(func(_ words.Language, say saying) string { return say.aside }) }
	switch tempo := lead == nil && s.Gait != nil || lead != nil && lead.Type == analyze.HipHeight; {
	case s.Verdict == quality.Nobody:
		say("advice.nobody", func(l words.Language, _ saying) string { return l.Of("warning.lost") })
	case lead == nil && p.moving != "":
		why := s.why(p.moving)
		if say("advice."+string(why), func(_ words.Language, say saying) string { return say.withheld }); known && why == quality.CodeOutOfPlane {
			aside()
		}
	case tempo && known && !quality.Sagittal.Fits(view):
		say("", func(_ words.Language, say saying) string { return say.filmed(view) + say.legs })
		aside()
	case tempo:
		if k := slices.IndexFunc(s.Measures, func(m Measure) bool { return m.Type == analyze.KneeFlexion && m.Trust != Withheld }); k < 0 {
			why := string(s.why(analyze.KneeFlexion))
			say("advice."+why, func(l words.Language, say saying) string {
				return fmt.Sprintf(say.colon, l.Of(string(analyze.KneeFlexion)), l.WhyFrom(why, view))
			})
		}
	case lead == nil:
	case p.straightens(&lead.Measure, view) >= leastTold || lead.Trust == Care && slices.Contains(lead.Why, quality.CodeOutOfPlane) && known:
		say("", p.obliquely(&lead.Measure))
		at, _ := p.views.View(lead.Peak.Frame)
		turn := math.Round((90-min(at, 180-at))/5) * 5
		sum.Do = each(func(_ words.Language, say saying) string { return fmt.Sprintf(say.turn, turn) })
	case lead.Trust == Care && lead.Peak.Uncertainty <= goodDegrees*lead.degree:
		say("", func(_ words.Language, say saying) string { return say.most })
		sum.Do = each(func(_ words.Language, say saying) string { return say.peak })
	case lead.Trust == Care:
		say("advice."+string(append(lead.Why, CodeUncertain)[0]), func(l words.Language, say saying) string {
			return fmt.Sprintf(say.unsure, nameOf(l, &lead.Measure), math.Ceil(lead.Peak.Uncertainty))
		})
	}
	for _, w := range s.Notes {
		if explains(w.Code) && (w.Code != quality.CodeSwapped || s.Gait == nil) { // steps are told apart by their side
			continue
		}
		if frames := p.marked(s.Notes, w.Code); w.Code == quality.CodePersonChanged || float64(frames) >= leastWarned*float64(p.span.Last-p.span.First+1) {
			say("advice."+string(w.Code), func(l words.Language, say saying) string {
				return l.Of("warning."+string(w.Code)) + p.share(say, frames)
			})
		}
	}
	if s.Verdict == quality.Poor {
		say("advice.outOfPlane", func(_ words.Language, say saying) string { return say.withheld })
	}
	if other := s.otherSide(); other != nil && other.Trust != Good {
		switch why := append(other.Why, CodeUncertain)[0]; {
		case other.Trust == Care && known && slices.Contains(other.Why, quality.CodeOutOfPlane):
			say("advice.hiddenSide", p.obliquely(other))
		case why == CodeHidden:
			absent := 0
			for i := range other.Values {
				if !other.Values[i].Present && !p.seq.Frames[i].Empty() {
					absent++
				}
			}
			say("advice.hidden", func(l words.Language, say saying) string {
				return fmt.Sprintf(say.covered, say.limbs[string(other.Side)+limbOf(other.Type)]) + p.share(say, absent)
			})
		}
		sum.Hides = append(sum.Hides, each(func(_ words.Language, say saying) string { return say.sides }))
	}
	p.tell(s, lead)
}

const (
	leastTold   = 12.0 // degrees: a lead that reads too straight by less is not mentioned
	leastWarned = 0.05 // of the frames: a warning about fewer is not the first thing to read
)

// straightens returns by about how much a knee or hip reads too straight at its peak, in degrees: 0 from the side.
func (p *person) straightens(m *Measure, view float64) float64 {
	if p.seq.Space.Seen() || quality.Sagittal.Fits(view) || m.Type != analyze.KneeFlexion && m.Type != analyze.HipFlexion {
		return 0
	}
	return tooStraight * m.Peak.Uncertainty
}

// obliquely says how far off a measure is that is seen obliquely at its peak.
func (p *person) obliquely(m *Measure) func(words.Language, saying) string {
	return func(l words.Language, say saying) string {
		view, known := p.views.View(m.Peak.Frame)
		from := ""
		if known && !quality.Sagittal.Fits(view) {
			from = say.filmed(view)
		}
		if about := p.straightens(m, view); known && about > 0 {
			return from + fmt.Sprintf(say.straight, jointOf(l, m), math.Round(about/5)*5)
		}
		return from + fmt.Sprintf(say.unsure, nameOf(l, m), math.Ceil(m.Peak.Uncertainty))
	}
}

// tell says what a recording tells besides its lead: repetitions, and the two good angles that move most.
func (p *person) tell(s *Study, lead *measure) {
	sum := &s.Summary
	if s.Repetitions != nil {
		sum.Tells = append(sum.Tells, each(func(_ words.Language, say saying) string {
			return fmt.Sprintf(say.repetitions, len(s.Repetitions.List))
		}))
	}
	var good []Measure
	for _, m := range s.Measures {
		if m.Trust == Good && m.Unit == "°" && m.Range.Present && m.Range.X >= 2*leastRange && (lead == nil || m.Type != lead.Type || m.Side != lead.Side) {
			good = append(good, m)
		}
	}
	slices.SortStableFunc(good, func(a, b Measure) int { return cmp.Compare(b.Range.X, a.Range.X) })
	for _, m := range good[:min(2, len(good))] {
		sum.Tells = append(sum.Tells, each(func(l words.Language, _ saying) string {
			return nameOf(l, &m) + " " + strings.Replace(m.String(), "-", "−", 1)
		}))
	}
}

// explains reports whether a code only says why values are withheld, where they are missing.
func explains(c quality.Code) bool {
	return slices.Contains([]quality.Code{quality.CodeOutOfPlane, quality.CodeHiddenSide, CodeHidden, quality.CodeFacing, quality.CodeSwapped, quality.CodeImplausible}, c)
}

// otherSide is the measure of the lead on the other side of the body; nil without.
func (s *Study) otherSide() *Measure {
	for k, m := range s.Measures {
		if s.Lead != nil && m.Type == s.Lead.Type && m.Side != s.Lead.Side {
			return &s.Measures[k]
		}
	}
	return nil
}

// why is the first reason why a type is withheld.
func (s *Study) why(t analyze.Type) quality.Code {
	for _, m := range s.Measures {
		if m.Type == t && len(m.Why) > 0 {
			return m.Why[0]
		}
	}
	return CodeUncertain
}

// view is the median direction from which the person is seen.
func (p *person) view() (degrees float64, ok bool) {
	var all []float64
	for i := range p.seq.Frames {
		if v, ok := p.views.View(i); ok {
			all = append(all, v)
		}
	}
	return rank.Median(all), len(all) > 0
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

// share says for how long something is so, unless it is nearly all the time.
func (p *person) share(say saying, frames int) string {
	rate, ok := p.seq.FrameRate()
	if n := p.span.Last - p.span.First + 1; !ok || frames == 0 || float64(frames) >= 0.9*float64(n) {
		return ""
	} else {
		return fmt.Sprintf(say.seconds, float64(frames)/rate, float64(n)/rate)
	}
}

// neighbours are what is read beside what leads.
var neighbours = map[analyze.Type]analyze.Type{
	analyze.KneeFlexion: analyze.HipFlexion, analyze.HipFlexion: analyze.KneeFlexion, analyze.AnkleDorsiflexion: analyze.KneeFlexion,
	analyze.ElbowFlexion: analyze.ShoulderFlexion, analyze.ShoulderFlexion: analyze.ElbowFlexion, analyze.TrunkLean: analyze.HipFlexion,
	analyze.HipHeight: analyze.TrunkSideLean, analyze.ShoulderAbduction: analyze.TrunkSideLean, analyze.KneeValgus: analyze.HipHeight,
	analyze.HipAbduction: analyze.TrunkSideLean, analyze.TrunkSideLean: analyze.HipAbduction,
}

// show sets which measures to read first, and what the ways of repetitions are called.
func (p *person) show(s *Study, lead *measure) {
	first := analyze.KneeFlexion
	switch {
	case len(s.Estimates) > 0 && (lead == nil || lead.Type == analyze.HipHeight):
		first = s.Estimates[0].Type
	case lead != nil:
		first = lead.Type
	default:
		if s.Gait == nil && len(s.Jumps) == 0 {
			p.moving = p.moved()
		}
		first = cmp.Or(p.moving, first)
	}
	s.Show = []analyze.Type{first}
	if next, ok := neighbours[first]; ok {
		s.Show = append(s.Show, next)
	}
	if s.Repetitions == nil || lead == nil {
		return
	}
	one := s.Repetitions.List[0]
	rises := lead.Values[one.Turn.Frame].X > lead.Values[one.Start.Frame].X
	switch s.Movement {
	case Squat, SitToStand, Lunge, Hinge, PushUp:
		rises = rises == (lead.Type == analyze.HipHeight)
	case Curl, Raise:
	default:
		s.Ways = []string{"out", "back"}
		return
	}
	if s.Ways = []string{"down", "up"}; rises {
		slices.Reverse(s.Ways)
	}
}

// moved tells which joint moved most in the picture, where nothing can be measured that moves: the one at the upper end of the
// bone whose end moves most against it. "" if none does by 0.3 torso lengths.
func (p *person) moved() analyze.Type {
	most, best := 0.3*p.pixels, analyze.Type("")
	for _, bone := range [...]struct {
		from, to keypoint.Part
		of       analyze.Type
	}{
		{keypoint.LeftElbow, keypoint.LeftWrist, analyze.ElbowFlexion}, {keypoint.LeftShoulder, keypoint.LeftElbow, analyze.ShoulderFlexion},
		{keypoint.LeftKnee, keypoint.LeftAnkle, analyze.KneeFlexion}, {keypoint.LeftHip, keypoint.LeftKnee, analyze.HipFlexion},
	} {
		for _, mirror := range [2]bool{false, true} {
			from, to := bone.from, bone.to
			if mirror {
				from, to = from.Mirror(), to.Mirror()
			}
			var x [2][]float64
			for i := range p.seq.Frames {
				a, okA := p.seq.Frames[i].At(from)
				if b, ok := p.seq.Frames[i].At(to); ok && okA {
					d := b.Sub(a)
					x[0], x[1] = append(x[0], d[0]), append(x[1], d[1])
				}
			}
			for _, v := range x {
				if extent := rank.Percentile(v, 1-outliers) - rank.Percentile(v, outliers); len(v) > p.seen/2 && extent > most {
					most, best = extent, bone.of
				}
			}
		}
	}
	return best
}
