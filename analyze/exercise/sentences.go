package exercise

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

//go:embed texts.json
var textsFile []byte

var texts = say.Open(textsFile)

// what names what a target limits: "left knee flexion", "way down".
func (t *Target) what(d *Definition, side analyze.Side) say.Text {
	switch k := slices.Index(tempos, t.Measure); {
	case k >= 0 && t.Measure != duration && k < len(d.Phases) && texts["phase."+string(d.Phases[k])] != nil:
		return texts.Say("phase." + d.Phases[k])
	case k >= 0:
		return texts.Say("phase." + string(t.Measure))
	}
	name := say.Of(string(side), string(t.Measure))
	if t.At == atStart {
		return texts.Say("atStart", name)
	}
	return name
}

// amount is a value of what a target limits, in the unit of its verdicts.
func (t *Target) amount(v, sigma float64, unit string) say.Amount {
	return say.Measured(string(t.Measure), v, sigma, unit)
}

// Describe says what target k wants, without a side that it does not name, such as "knee flexion, at least 90°". unit is that
// of its verdicts. Of a target that there is not it says nothing.
func (d *Definition) Describe(k int, unit string) say.Text {
	if k < 0 || k >= len(d.Targets) {
		return say.Text{}
	}
	t := &d.Targets[k]
	limit := texts.Say("between", t.amount(t.Min.X, 0, unit), t.amount(t.Max.X, 0, unit))
	switch {
	case !t.Max.Present:
		limit = texts.Say("atLeast", t.amount(t.Min.X, 0, unit))
	case !t.Min.Present:
		limit = texts.Say("atMost", t.amount(t.Max.X, 0, unit))
	}
	what := t.what(d, t.Side)
	if t.At == throughout {
		what = texts.Say("throughout", what)
	}
	return say.Phrase(what, limit)
}

// limit returns the limit that a value is nearest to, and whether it is the least value.
func (t *Target) limit(v *Verdict) (limit float64, least bool) {
	if t.Min.Present && (!t.Max.Present || v.Value.X-t.Min.X < t.Max.X-v.Value.X) {
		return t.Min.X, true
	}
	return t.Max.X, false
}

// group is what several verdicts have in common, and where.
type group struct {
	*Verdict
	side      analyze.Side
	why       say.Text
	least     bool
	in        []int
	low, high float64 // by how much
	sigma     float64
}

// alike reports whether two groups say the same of the sides of a target; of misses, if their uncertainties overlap.
func (g *group) alike(o *group) bool {
	return g.Target == o.Target && g.Outcome == o.Outcome && g.why.String() == o.why.String() && (g.least == o.least || g.Outcome != Missed) &&
		(g.Outcome != Missed || g.side == o.side || max(g.low, o.low)-min(g.high, o.high) <= g.sigma+o.sigma)
}

// join takes what another group says.
func (g *group) join(o *group) {
	g.low, g.high, g.sigma = min(g.low, o.low), max(g.high, o.high), max(g.sigma, o.sigma)
}

// by says by how much the target is missed: "12° to 20° ± 9".
func (g *group) by(t *Target) say.Text {
	least, most := t.amount(g.low, 0, g.Unit), t.amount(g.high, g.sigma, g.Unit)
	if least.Number() == most.Number() {
		return most.Text()
	}
	return texts.Say("between", least, most)
}

// text says what became of a target: "left knee flexion 12° ± 9 short of 90°".
func (g *group) text(d *Definition) say.Text {
	t := &d.Targets[g.Target]
	limit, _ := t.limit(g.Verdict)
	what, at := t.what(d, g.side), t.amount(limit, 0, g.Unit)
	switch tempo := slices.Contains(tempos, t.Measure); {
	case g.Outcome == Near:
		return texts.Say("near", what, at)
	case g.Outcome == Withheld:
		return texts.Say("withheld", what, g.why)
	case tempo && g.least:
		return texts.Say("quick."+string(t.Measure), what, g.by(t))
	case tempo:
		return texts.Say("slow."+string(t.Measure), what, g.by(t))
	case g.least:
		return texts.Say("short", what, g.by(t), at)
	}
	return texts.Say("over", what, g.by(t), at)
}

// grouped says in the order of the outcomes what became of the targets in some repetitions: the same in several of them is said
// once, and of both sides without them.
func (r *Result) grouped(outcomes []Outcome, among []int) (said []*group, parts [][]say.Text) {
	groups := r.groups(outcomes, among)
	for i := 0; i < len(groups); i++ {
		g := groups[i]
		if twin := slices.IndexFunc(groups, func(o *group) bool { return o.side != g.side && slices.Equal(o.in, g.in) && o.alike(g) }); twin > i {
			g.join(groups[twin])
			g.side, groups = "", slices.Delete(groups, twin, twin+1)
		}
		if n := len(said) - 1; n < 0 || said[n].Outcome != g.Outcome || !slices.Equal(said[n].in, g.in) {
			said, parts = append(said, g), append(parts, nil)
		}
		last := &parts[len(parts)-1]
		*last = append(*last, g.text(&r.Exercise))
	}
	return said, parts
}

// groups are the verdicts with some outcomes in some repetitions, by target and side.
func (r *Result) groups(outcomes []Outcome, among []int) (groups []*group) {
	for _, outcome := range outcomes {
		for _, k := range among {
			for i := range r.Repetitions[k].Targets {
				v := &r.Repetitions[k].Targets[i]
				if v.Outcome != outcome {
					continue
				}
				g := &group{Verdict: v, side: v.Side, low: v.By.X, high: v.By.X, sigma: v.Uncertainty.X}
				if _, g.least = r.Exercise.Targets[v.Target].limit(v); outcome == Withheld {
					g.why = say.Why(append(v.Why, quality.CodeUncertain)[0], v.facing)
				}
				at := slices.IndexFunc(groups, func(o *group) bool { return o.side == g.side && o.alike(g) })
				if at < 0 {
					at, groups = len(groups), append(groups, g)
				}
				groups[at].join(g)
				groups[at].in = append(groups[at].in, k+1)
			}
		}
	}
	return groups
}

// which names repetitions: "repetitions 3, 5".
func which(numbers []int) say.Text {
	list := make([]say.Text, len(numbers))
	for k, n := range numbers {
		list[k] = say.Amount{Value: float64(n)}.Text()
	}
	if len(numbers) == 1 {
		return texts.Say("repetition.one", list[0])
	}
	return texts.Say("repetition", say.Phrase(list...))
}

func (r *Result) say(d *Definition, shown *study.Study) {
	for k := range r.Repetitions {
		r.Repetitions[k].Sentence = r.sentence(k)
	}
	r.Headline = r.headline(d)
	r.Detail = r.detail(d, shown)
	if r.wants(fromSide, quality.Sagittal, shown) {
		r.Advice = texts.Say("from.side")
	} else if r.wants(fromFront, quality.Frontal, shown) {
		r.Advice = texts.Say("from.front")
	}
}

// whole reports whether all targets are met.
func (one *Repetition) whole() bool {
	return len(one.Targets) > 0 && !slices.ContainsFunc(one.Targets, func(v Verdict) bool { return v.Outcome != Met })
}

// sentence says what became of the targets in a repetition.
func (r *Result) sentence(k int) say.Text {
	one := &r.Repetitions[k]
	_, parts := r.grouped(worst[:2], []int{k})
	switch list := slices.Concat(parts...); {
	case one.whole():
		return say.Sentence(texts.Say("met"))
	case len(list) > 0:
		return say.Sentence(list...)
	case one.Outcome == Withheld:
		return say.Sentence(texts.Say("notShown"))
	}
	return say.Sentence(texts.Say("notMissed"))
}

// headline says how many of the repetitions that can be judged do what is wanted, or the result of a test.
func (r *Result) headline(d *Definition) say.Text {
	counted, met, told := 0, 0, map[Outcome]int{}
	for k := range r.Repetitions {
		if one := &r.Repetitions[k]; one.Counted {
			counted++
			told[one.Outcome]++
			if one.whole() {
				met++
			}
		}
	}
	switch {
	case r.Numbers != nil:
		return numbersOf(d, r.Numbers)
	case counted == 0 && d.Counts.graded() && len(r.Repetitions) > 0:
		return texts.Say("headline.uncounted")
	case counted == 0:
		return texts.Say("headline.none")
	case told[Withheld] == counted:
		return texts.Say("headline.nothing")
	}
	judged, said := counted-told[Withheld], say.Text(nil)
	switch {
	case told[Missed] == judged:
		said = texts.Say("headline.missed")
	case met == judged:
		said = texts.Count("headline.met", met, judged)
	default:
		said = texts.Count("headline.notMissed", told[Met]+told[Near], judged)
	}
	if told[Withheld] > 0 {
		said = say.Paragraph(said, texts.Say("headline.unjudged", told[Withheld]))
	}
	return said
}

// detail says in at most two sentences what the headline leaves out: misses before what could not be judged.
func (r *Result) detail(d *Definition, shown *study.Study) say.Text {
	var all, left []int
	for k := range r.Repetitions {
		if all = append(all, k); !r.Repetitions[k].Counted {
			left = append(left, k+1)
		}
	}
	var list []say.Text
	if m := shown.Movement; d.Movement != "" && m != d.Movement && m.Known() {
		list = append(list, say.Sentence(texts.Say("another", say.Name("movement."+string(m)))))
	}
	if len(left) > 0 {
		key := map[bool]string{false: "uncounted", true: "uncounted.grade"}[d.Counts.graded()]
		list = append(list, say.Sentence(texts.Say(key, which(left))))
	}
	said, parts := r.grouped([]Outcome{Missed, Near, Withheld}, all)
	for k, s := range said {
		if len(s.in) < len(all) {
			parts[k][0] = texts.Say("repetition.which", which(s.in), parts[k][0])
		}
		list = append(list, say.Sentence(parts[k]...))
	}
	return say.Paragraph(list[:min(len(list), 2)]...)
}

// wants reports whether a measure of a target that shows from the view of the exercise is withheld because of another one, or seen
// with care.
func (r *Result) wants(view View, plane quality.Plane, shown *study.Study) bool {
	return r.Exercise.View == view && slices.ContainsFunc(shown.Measures, func(m study.Measure) bool {
		rule := m.Rule()
		return rule.Plane() == plane && (m.Trust == quality.TrustCare || m.Trust == quality.TrustWithheld && slices.Contains(m.Why, quality.CodeOutOfPlane)) &&
			slices.ContainsFunc(r.Exercise.Targets, func(t Target) bool { return t.Measure == m.Type })
	})
}

func numbersOf(d *Definition, numbers []Number) say.Text {
	var list []say.Text
	for _, n := range numbers {
		if !n.Value.Present {
			list = append(list, n.Why)
			continue
		}
		amount := say.Measured(n.Name, n.Value.X, n.Uncertainty.X, n.Unit).Text()
		if n.AtLeast {
			amount = texts.Say("atLeast", amount)
		}
		key := "number." + n.Name
		if texts[key] == nil {
			key = "number." + string(d.Test)
		}
		list = append(list, say.Sentence(texts.Say(key, amount, say.Name(string(n.Side)))))
	}
	return say.Paragraph(slices.CompactFunc(list, func(a, b say.Text) bool { return strings.EqualFold(a.String(), b.String()) })...)
}
