package exercise

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/words"
)

// phrases are the sentences of a language.
type phrases struct {
	lang                                                            words.Language
	list, stop, side, seconds, tenths                               string
	atLeast, atMost, between, atStart                               string
	short, over, near, withheld                                     string
	one, many, span                                                 string
	allMet, noneMissed, noneShown                                   string
	everyMet, notMissed, allMiss, nothing, none, uncounted, another string
	fromSide, fromFront                                             string
	meets, misses                                                   [2]string // of one, of several
	phases                                                          map[Phase]string
	duration                                                        string
	quick, slow                                                     map[analyze.Type]string
	movements                                                       map[study.Movement]string
	incomplete, torsos                                              string
	numbers                                                         map[string]string
	fewStands, tooShort, noChair, noJump, noStance, noSway          string
}

// both says something in each language.
func both(say func(p *phrases) string) Text { return Text{say(&english), say(&japanese)} }

// sentence begins with a capital letter and ends with a stop.
func (p *phrases) sentence(parts []string) string {
	text := strings.Join(parts, p.list)
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:] + strings.TrimSpace(p.stop)
}

// amount writes a value in a unit: "90°", "0.80 s", "12 cm".
func (p *phrases) amount(v float64, unit string) string {
	switch unit {
	case "°":
		return fmt.Sprintf("%.0f°", jsonappend.Round(v, 0))
	case "m":
		if math.Abs(v) < 0.05 {
			return fmt.Sprintf("%.0f mm", jsonappend.Round(1000*v, 0))
		}
		return fmt.Sprintf("%.0f cm", jsonappend.Round(100*v, 0))
	case "s":
		return fmt.Sprintf(p.seconds, v)
	case "torso":
		return fmt.Sprintf("%.2f %s", v, p.torsos)
	}
	return fmt.Sprintf("%.0f", v)
}

// what names what a target limits: "left knee flexion", "way down".
func (p *phrases) what(d *Definition, t *Target, side analyze.Side) string {
	if k := slices.Index(tempos, t.Measure); k == len(tempos)-1 {
		return p.duration
	} else if k >= 0 {
		return p.phase(d, k)
	}
	name := p.lang.Of(string(t.Measure))
	if side != "" {
		name = fmt.Sprintf(p.side, p.lang.Of(string(side)), name)
	}
	if t.At == AtStart {
		name = fmt.Sprintf(p.atStart, name)
	}
	return name
}

func (p *phrases) phase(d *Definition, k int) string {
	if d.Phases == nil {
		return p.phases[[]Phase{Out, Hold, Back}[k]]
	}
	return p.phases[d.Phases[k]]
}

// Describe says what target k wants, without a side that it does not name, such as "knee flexion, at least 90°". unit is that
// of its verdicts.
func (d *Definition) Describe(k int, unit string) Text {
	t := &d.Targets[k]
	return both(func(p *phrases) string {
		limit := fmt.Sprintf(p.between, p.amount(t.Min.X, unit), p.amount(t.Max.X, unit))
		switch {
		case !t.Max.Present:
			limit = fmt.Sprintf(p.atLeast, p.amount(t.Min.X, unit))
		case !t.Min.Present:
			limit = fmt.Sprintf(p.atMost, p.amount(t.Max.X, unit))
		}
		return p.what(d, t, t.Side) + p.list + limit
	})
}

// limit returns the limit that a value is nearest to, and whether it is the least value.
func (t *Target) limit(v *Verdict) (limit float64, least bool) {
	if t.Min.Present && (!t.Max.Present || v.Value.X-t.Min.X < t.Max.X-v.Value.X) {
		return t.Min.X, true
	}
	return t.Max.X, false
}

// verdict says what became of a target: "left knee flexion 12° short of 90°". by is the amount, of several verdicts a span.
func (p *phrases) verdict(d *Definition, v *Verdict, side analyze.Side, by string) string {
	t := &d.Targets[v.Target]
	what := p.what(d, t, side)
	limit, least := t.limit(v)
	at := p.amount(limit, v.Unit)
	switch tempo := slices.Contains(tempos, t.Measure); {
	case v.Outcome == Near:
		return fmt.Sprintf(p.near, what, at)
	case v.Outcome == Withheld:
		return fmt.Sprintf(p.withheld, what, p.why(v))
	case tempo && least:
		return fmt.Sprintf(p.quick[t.Measure], what, by)
	case tempo:
		return fmt.Sprintf(p.slow[t.Measure], what, by)
	case least:
		return fmt.Sprintf(p.short, what, by, at)
	}
	return fmt.Sprintf(p.over, what, by, at)
}

func (p *phrases) why(v *Verdict) string {
	switch {
	case len(v.Why) == 0:
		return p.lang.Why(string(study.CodeUncertain))
	case v.Why[0] == CodeIncomplete:
		return p.incomplete
	case v.view.Present:
		return p.lang.WhyFrom(string(v.Why[0]), v.view.X)
	}
	return p.lang.Why(string(v.Why[0]))
}

// about is what several verdicts have in common.
type about struct {
	target  int
	outcome Outcome
	side    analyze.Side
	why     string
	least   bool
}

// grouped says in the order of the outcomes what became of the targets in some repetitions: the same in several of them is said
// once, and of both sides without them.
func (p *phrases) grouped(r *Result, outcomes []Outcome, among []int) (said []same) {
	type group struct {
		about
		first *Verdict
		in    []int
		by    []float64
	}
	var groups []*group
	find := func(a about) *group {
		for _, g := range groups {
			if g.about == a {
				return g
			}
		}
		g := &group{about: a}
		groups = append(groups, g)
		return g
	}
	for _, k := range among {
		for i := range r.Repetitions[k].Targets {
			v := &r.Repetitions[k].Targets[i]
			if !slices.Contains(outcomes, v.Outcome) {
				continue
			}
			a := about{target: v.Target, outcome: v.Outcome, side: v.Side}
			if v.Outcome == Withheld {
				a.why = p.why(v)
			} else {
				_, a.least = r.Exercise.Targets[v.Target].limit(v)
			}
			g := find(a)
			g.first = cmp.Or(g.first, v)
			g.in, g.by = append(g.in, k+1), append(g.by, v.By.X)
		}
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return slices.Index(worst, a.outcome) - slices.Index(worst, b.outcome) })
	for i, g := range groups {
		side := g.side
		if twin := slices.IndexFunc(groups, func(o *group) bool {
			return o.target == g.target && o.outcome == g.outcome && o.why == g.why && o.side != g.side && slices.Equal(o.in, g.in)
		}); twin >= 0 && g.outcome != Missed {
			if side = ""; twin < i {
				continue
			}
		}
		by := p.amount(slices.Min(g.by), g.first.Unit)
		if most := p.amount(slices.Max(g.by), g.first.Unit); most != by {
			by = fmt.Sprintf(p.span, by, most)
		}
		said = append(said, same{g.in, g.outcome, []string{p.verdict(&r.Exercise, g.first, side, by)}})
		if n := len(said) - 1; n > 0 && said[n-1].outcome == g.outcome && slices.Equal(said[n-1].in, g.in) {
			said[n-1].texts = append(said[n-1].texts, said[n].texts...)
			said = said[:n]
		}
	}
	return said
}

// same is what is said of the same repetitions.
type same struct {
	in      []int
	outcome Outcome
	texts   []string
}

// which names repetitions: "Repetitions 3, 5: ".
func (p *phrases) which(numbers []int) string {
	form := p.many
	if len(numbers) == 1 {
		form = p.one
	}
	return fmt.Sprintf(form, strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", p.list))
}

// say writes the sentences.
func (r *Result) say(d *Definition, shown *study.Study) {
	counted, fine, missed, met := 0, 0, 0, 0
	var all, left []int
	for k := range r.Repetitions {
		one := &r.Repetitions[k]
		all = append(all, k)
		if one.Counted {
			counted++
		} else {
			left = append(left, k+1)
		}
		if one.Counted && one.Outcome != Missed && one.Outcome != Withheld {
			fine++
		}
		if one.Counted && one.Outcome == Missed {
			missed++
		}
		if one.Counted && one.wholly() {
			met++
		}
		one.Sentence = both(func(p *phrases) string {
			var list []string
			for _, s := range p.grouped(r, worst[:2], []int{k}) {
				list = append(list, s.texts...)
			}
			switch {
			case one.wholly():
				list = []string{p.allMet}
			case len(list) == 0 && one.Outcome == Withheld:
				list = []string{p.noneShown}
			case len(list) == 0:
				list = []string{p.noneMissed}
			}
			return p.sentence(list)
		})
	}
	shows := slices.ContainsFunc(r.Repetitions, func(one Repetition) bool { return one.Outcome != Withheld })
	r.Headline = both(func(p *phrases) string {
		switch {
		case r.Numbers != nil:
			return p.numbersOf(d, r.Numbers)
		case counted == 0:
			return p.none
		case !shows:
			return p.nothing
		case fine == 0 && missed == counted:
			return p.allMiss
		case met == counted:
			return fmt.Sprintf(p.everyMet, met, counted, p.meets[min(met, 2)-1])
		}
		return fmt.Sprintf(p.notMissed, fine, counted, p.misses[min(max(fine, 1), 2)-1])
	})
	r.Detail = both(func(p *phrases) string {
		var list []string
		if m := shown.Movement; d.Movement != "" && m != d.Movement && p.movements[m] != "" {
			list = append(list, fmt.Sprintf(p.another, p.movements[m]))
		}
		if len(left) > 0 && len(left) < len(all) || len(left) > 0 && r.Numbers != nil {
			list = append(list, fmt.Sprintf(p.uncounted, strings.TrimSuffix(strings.TrimSuffix(p.which(left), ": "), "：")))
		}
		for _, s := range p.grouped(r, []Outcome{Missed, Near, Withheld}, all) {
			text := p.sentence(s.texts)
			if len(s.in) < len(all) {
				text = p.which(s.in) + strings.Join(s.texts, p.list) + strings.TrimSpace(p.stop)
			}
			list = append(list, text)
		}
		return strings.Join(list, strings.TrimPrefix(p.stop, strings.TrimSpace(p.stop)))
	})
	if d.View != "" && r.wants(d.View, shown) {
		r.Advice = both(func(p *phrases) string { return map[View]string{FromSide: p.fromSide, FromFront: p.fromFront}[d.View] })
	}
}

// wholly reports whether all targets are met.
func (r *Repetition) wholly() bool {
	return len(r.Targets) > 0 && !slices.ContainsFunc(r.Targets, func(v Verdict) bool { return v.Outcome != Met })
}

// wants reports whether a value that shows from a view is withheld because of the view, or seen with care; if nothing is
// judged, whether the view does not suit a measure of a target.
func (r *Result) wants(view View, shown *study.Study) bool {
	plane := map[View]quality.Plane{FromSide: quality.Sagittal, FromFront: quality.Frontal}[view]
	if !slices.ContainsFunc(r.Repetitions, func(one Repetition) bool { return one.Outcome != Withheld }) {
		return slices.ContainsFunc(shown.Measures, func(m study.Measure) bool {
			rule := m.Rule()
			return rule.Plane() == plane && slices.Contains(m.Why, quality.CodeOutOfPlane) &&
				slices.ContainsFunc(r.Exercise.Targets, func(t Target) bool { return t.Measure == m.Type })
		})
	}
	for _, one := range r.Repetitions {
		for _, v := range one.Targets {
			rule := analyze.Rule{Type: r.Exercise.Targets[v.Target].Measure, Side: v.Side}
			if v.Unit != "s" && rule.Plane() == plane && (slices.Contains(v.Why, quality.CodeOutOfPlane) || v.Trust == study.Care) {
				return true
			}
		}
	}
	return false
}

// numbersOf says the result of a test.
func (p *phrases) numbersOf(d *Definition, numbers []Number) string {
	var list []string
	for _, n := range numbers {
		switch text := p.amount(n.Value.X, n.Unit); {
		case n.Value.Present:
			if n.Unit == "s" {
				text = fmt.Sprintf(p.tenths, n.Value.X)
			}
			if n.AtLeast {
				text = fmt.Sprintf(p.numbers["atLeast"], text)
			}
			form := cmp.Or(p.numbers[n.Name], p.numbers[string(d.Test)])
			if strings.Contains(form, "%[2]s") {
				list = append(list, p.sentence([]string{strings.TrimSuffix(fmt.Sprintf(form, text, p.lang.Of(string(n.Side))), strings.TrimSpace(p.stop))}))
			} else {
				list = append(list, fmt.Sprintf(form, text))
			}
		case p.lang == words.Japanese:
			list = append(list, n.Why.Japanese)
		default:
			list = append(list, n.Why.English)
		}
	}
	return strings.Join(slices.Compact(list), strings.TrimPrefix(p.stop, strings.TrimSpace(p.stop)))
}
