package report

import (
	"cmp"
	"fmt"

	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/say"
)

// mostColumns is how many repetitions the table of targets has room for.
const mostColumns = 4

// outcomes are those of targets, the worst first, with their signs.
var (
	outcomes = []exercise.Outcome{exercise.Missed, exercise.Near, exercise.Met, exercise.Withheld}
	signs    = map[exercise.Outcome]string{exercise.Missed: "✗", exercise.Near: "≈", exercise.Met: "✓"}
)

// targetTable returns what became of each target in each repetition; of many repetitions, in how many.
func (p *page) targetTable() (t table) {
	e := p.r.Exercise
	if e == nil {
		return t
	}
	t = table{Title: p.in(texts.Say("targets")), Note: text.Lower(cmp.Or(p.in(e.Exercise.Title), e.Exercise.Name)), Head: []string{p.in(texts.Say("target"))}}
	n := len(e.Repetitions)
	if n == 0 {
		return t
	}
	for k := range e.Repetitions {
		if n <= mostColumns {
			t.Head = append(t.Head, fmt.Sprint(k+1))
		}
	}
	if n > mostColumns {
		t.Head = append(t.Head, "")
	} else {
		t.Note += " · " + p.in(texts.Say("signs"))
	}
	for k, v := range e.Repetitions[0].Targets {
		r := row{Name: p.in(e.Exercise.Describe(v.Target, v.Unit).Title()), Dot: string(v.Side)}
		counts := map[exercise.Outcome]int{}
		for _, one := range e.Repetitions {
			if k >= len(one.Targets) {
				continue
			}
			v := one.Targets[k]
			if counts[v.Outcome]++; n <= mostColumns {
				r.Cells = append(r.Cells, p.verdictCell(v))
			}
		}
		switch all := counts[exercise.Withheld] == n; {
		case all:
			r.Cells = []cell{{Text: p.outcome(counts, k), Class: "why", Span: len(t.Head) - 1}}
		case n > mostColumns:
			r.Cells = []cell{{Text: p.outcome(counts, k), Class: "b"}}
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// verdictCell writes a value with the sign of its outcome, and what is estimated with a tilde.
func (p *page) verdictCell(v exercise.Verdict) cell {
	if v.Outcome == exercise.Withheld {
		return cell{Text: dash}
	}
	measure := string(p.r.Exercise.Exercise.Targets[v.Target].Measure)
	value := bare(say.Measured(measure, v.Value.X, 0, v.Unit))
	return cell{Text: either(v.Estimated, "~", "") + value + " " + signs[v.Outcome], Class: cmp.Or(sideClass[v.Side], "b")}
}

// outcome says in how many repetitions a target was met, or why in none it can be told.
func (p *page) outcome(counts map[exercise.Outcome]int, target int) string {
	var list []say.Text
	for _, o := range outcomes {
		n, word := counts[o], texts.Say("outcome."+string(o))
		if o == exercise.Withheld && n == len(p.r.Exercise.Repetitions) {
			if why := p.r.Exercise.Repetitions[0].Targets[target].Why; len(why) > 0 {
				return p.in(say.Why(why[0], p.facing()))
			}
		}
		if n == len(p.r.Exercise.Repetitions) {
			return p.in(word)
		}
		if n > 0 {
			list = append(list, texts.Say("times", n, word))
		}
	}
	return p.in(say.Phrase(list...))
}
