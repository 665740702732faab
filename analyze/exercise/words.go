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
	list, stop, gap, colon, side                                    string
	atLeast, atMost, between, atStart, throughout                   string
	short, over, near, withheld                                     string
	one, many, span                                                 string
	allMet, noneMissed, noneShown                                   string
	everyMet, notMissed, allMiss, nothing, none, uncounted, another string
	fromSide, fromFront                                             string
	meets, misses                                                   [2]string // of one, of several
	phases                                                          map[string]string
	duration                                                        string
	quick, slow                                                     map[analyze.Type]string
	movements                                                       map[study.Movement]string
	incomplete                                                      string
	units                                                           map[string]string // after a number
	numbers                                                         map[string]string
	fewStands, tooShort, noChair, noJump, noStance, noSway          string
}

// both says something in each language.
func both(say func(p *phrases) string) Text { return Text{say(&english), say(&japanese)} }

// sentence begins with a capital letter and ends with a stop.
func (p *phrases) sentence(parts []string) string {
	text := strings.Join(parts, p.list)
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:] + p.stop
}

// amount writes values in a unit, with their uncertainty rounded up if there is one: "90°", "0.80 s", "12° to 20° ± 9".
func (p *phrases) amount(unit string, sigma float64, values ...float64) string {
	factor, digits, degree := 1.0, 0, ""
	low, high := slices.Min(values), slices.Max(values)
	switch {
	case unit == "°":
		degree = "°"
	case unit == "m" && math.Abs(high) < 0.05:
		factor, unit = 1000, "mm"
	case unit == "m":
		factor, unit = 100, "cm"
	case unit != "":
		digits = 2
	}
	number := func(v float64) string { return fmt.Sprintf("%.*f", digits, jsonappend.Round(v*factor, digits)) }
	text := number(low) + degree
	if most := number(high) + degree; most != text {
		text = fmt.Sprintf(p.span, text, most)
	}
	if steps := math.Pow10(digits); sigma > 0 {
		text += " ± " + number(math.Ceil(sigma*factor*steps-1e-9)/steps/factor)
	}
	return text + cmp.Or(p.units[unit], strings.TrimSuffix(" "+strings.TrimSuffix(unit, "°"), " "))
}

// what names what a target limits: "left knee flexion", "way down".
func (p *phrases) what(d *Definition, t *Target, side analyze.Side) string {
	switch k := slices.Index(tempos, t.Measure); {
	case t.Measure == Duration:
		return p.duration
	case k >= 0 && d.Phases == nil:
		return p.phases[string(t.Measure)]
	case k >= 0:
		return p.phases[d.Phases[k]]
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

// Describe says what target k wants, without a side that it does not name, such as "knee flexion, at least 90°". unit is that
// of its verdicts.
func (d *Definition) Describe(k int, unit string) Text {
	t := &d.Targets[k]
	return both(func(p *phrases) string {
		limit := fmt.Sprintf(p.between, p.amount(unit, 0, t.Min.X), p.amount(unit, 0, t.Max.X))
		switch {
		case !t.Max.Present:
			limit = fmt.Sprintf(p.atLeast, p.amount(unit, 0, t.Min.X))
		case !t.Min.Present:
			limit = fmt.Sprintf(p.atMost, p.amount(unit, 0, t.Max.X))
		}
		what := p.what(d, t, t.Side)
		if t.At == Throughout {
			what = fmt.Sprintf(p.throughout, what)
		}
		return what + p.list + limit
	})
}

// limit returns the limit that a value is nearest to, and whether it is the least value.
func (t *Target) limit(v *Verdict) (limit float64, least bool) {
	if t.Min.Present && (!t.Max.Present || v.Value.X-t.Min.X < t.Max.X-v.Value.X) {
		return t.Min.X, true
	}
	return t.Max.X, false
}

// verdict says what became of a target: "left knee flexion 12° ± 9 short of 90°".
func (p *phrases) verdict(d *Definition, g *group) string {
	t := &d.Targets[g.Target]
	limit, _ := t.limit(g.Verdict)
	what, at, by := p.what(d, t, g.side), p.amount(g.Unit, 0, limit), p.amount(g.Unit, g.sigma, g.low, g.high)
	switch tempo := slices.Contains(tempos, t.Measure); {
	case g.Outcome == Near:
		return fmt.Sprintf(p.near, what, at)
	case g.Outcome == Withheld:
		return fmt.Sprintf(p.withheld, what, g.why)
	case tempo && g.least:
		return fmt.Sprintf(p.quick[t.Measure], what, by)
	case tempo:
		return fmt.Sprintf(p.slow[t.Measure], what, by)
	case g.least:
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

// group is what several verdicts have in common, and where.
type group struct {
	*Verdict
	side      analyze.Side
	why       string
	least     bool
	in        []int
	low, high float64 // by how much
	sigma     float64
}

// alike reports whether two groups say the same of the sides of a target; of misses, if their uncertainties overlap.
func (g *group) alike(o *group) bool {
	return g.Target == o.Target && g.Outcome == o.Outcome && g.why == o.why && (g.least == o.least || g.Outcome != Missed) &&
		(g.Outcome != Missed || g.side == o.side || max(g.low, o.low)-min(g.high, o.high) <= g.sigma+o.sigma)
}

// join takes what another group says.
func (g *group) join(o *group) {
	g.low, g.high, g.sigma = min(g.low, o.low), max(g.high, o.high), max(g.sigma, o.sigma)
}

// grouped says in the order of the outcomes what became of the targets in some repetitions: the same in several of them is said
// once, and of both sides without them.
func (p *phrases) grouped(r *Result, outcomes []Outcome, among []int) (said []*group, texts [][]string) {
	var groups []*group
	for _, outcome := range outcomes {
		for _, k := range among {
			for i := range r.Repetitions[k].Targets {
				v := &r.Repetitions[k].Targets[i]
				if v.Outcome != outcome {
					continue
				}
				g := &group{Verdict: v, side: v.Side, low: v.By.X, high: v.By.X, sigma: v.Uncertainty.X}
				if _, g.least = r.Exercise.Targets[v.Target].limit(v); outcome == Withheld {
					g.why = p.why(v)
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
	for i := 0; i < len(groups); i++ {
		g := groups[i]
		if twin := slices.IndexFunc(groups, func(o *group) bool { return o.side != g.side && slices.Equal(o.in, g.in) && o.alike(g) }); twin > i {
			g.join(groups[twin])
			g.side, groups = "", slices.Delete(groups, twin, twin+1)
		}
		if n := len(said) - 1; n < 0 || said[n].Outcome != g.Outcome || !slices.Equal(said[n].in, g.in) {
			said, texts = append(said, g), append(texts, nil)
		}
		last := &texts[len(texts)-1]
		*last = append(*last, p.verdict(&r.Exercise, g))
	}
	return said, texts
}

// which names repetitions: "repetitions 3, 5".
func (p *phrases) which(numbers []int) string {
	form := p.many
	if len(numbers) == 1 {
		form = p.one
	}
	return fmt.Sprintf(form, strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", p.list))
}

// say writes the sentences.
func (r *Result) say(d *Definition, shown *study.Study) {
	var all, left []int
	counted, told, met := 0, map[Outcome]int{}, 0
	for k := range r.Repetitions {
		one := &r.Repetitions[k]
		if all = append(all, k); !one.Counted {
			left = append(left, k+1)
		} else {
			counted++
			told[one.Outcome]++
		}
		whole := len(one.Targets) > 0 && !slices.ContainsFunc(one.Targets, func(v Verdict) bool { return v.Outcome != Met })
		if whole && one.Counted {
			met++
		}
		one.Sentence = both(func(p *phrases) string {
			_, texts := p.grouped(r, worst[:2], []int{k})
			switch list := slices.Concat(texts...); {
			case whole:
				return p.sentence([]string{p.allMet})
			case len(list) > 0:
				return p.sentence(list)
			case one.Outcome == Withheld:
				return p.sentence([]string{p.noneShown})
			}
			return p.sentence([]string{p.noneMissed})
		})
	}
	r.Headline = both(func(p *phrases) string {
		switch fine := told[Met] + told[Near]; {
		case r.Numbers != nil:
			return p.numbersOf(d, r.Numbers)
		case counted == 0:
			return p.none
		case told[Withheld] == counted:
			return p.nothing
		case told[Missed] == counted:
			return p.allMiss
		case met == counted:
			return fmt.Sprintf(p.everyMet, met, counted, p.meets[min(met, 2)-1])
		default:
			return fmt.Sprintf(p.notMissed, fine, counted, p.misses[min(max(fine, 1), 2)-1])
		}
	})
	r.Detail = both(func(p *phrases) string {
		var list []string
		if m := shown.Movement; d.Movement != "" && m != d.Movement && p.movements[m] != "" {
			list = append(list, p.sentence([]string{fmt.Sprintf(p.another, p.movements[m])}))
		}
		if len(left) > 0 {
			list = append(list, p.sentence([]string{fmt.Sprintf(p.uncounted, p.which(left))}))
		}
		said, texts := p.grouped(r, []Outcome{Missed, Near, Withheld}, all)
		for k, s := range said {
			if len(s.in) < len(all) {
				texts[k][0] = p.which(s.in) + p.colon + texts[k][0]
			}
			list = append(list, p.sentence(texts[k]))
		}
		return strings.Join(list, p.gap)
	})
	if r.wants(FromSide, quality.Sagittal, shown) {
		r.Advice = both(func(p *phrases) string { return p.fromSide })
	} else if r.wants(FromFront, quality.Frontal, shown) {
		r.Advice = both(func(p *phrases) string { return p.fromFront })
	}
}

// wants reports whether a measure of a target that shows from the view of the exercise is withheld because of another one, or seen
// with care.
func (r *Result) wants(view View, plane quality.Plane, shown *study.Study) bool {
	return r.Exercise.View == view && slices.ContainsFunc(shown.Measures, func(m study.Measure) bool {
		rule := m.Rule()
		return rule.Plane() == plane && (m.Trust == study.Care || m.Trust == study.Withheld && slices.Contains(m.Why, quality.CodeOutOfPlane)) &&
			slices.ContainsFunc(r.Exercise.Targets, func(t Target) bool { return t.Measure == m.Type })
	})
}

// numbersOf says the result of a test.
func (p *phrases) numbersOf(d *Definition, numbers []Number) string {
	var list []string
	for _, n := range numbers {
		text := p.amount(n.Unit, n.Uncertainty.X, n.Value.X)
		if n.AtLeast {
			text = fmt.Sprintf(p.numbers["atLeast"], text)
		}
		if text = p.sentence([]string{fmt.Sprintf(cmp.Or(p.numbers[n.Name], p.numbers[string(d.Test)]), text, p.lang.Of(string(n.Side)))}); !n.Value.Present {
			text = n.Why.In(p.lang)
		}
		list = append(list, text)
	}
	return strings.Join(slices.Compact(list), p.gap)
}
