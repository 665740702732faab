package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/draw/internal/text"
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
	t = table{Title: p.W.Targets, Note: text.Lower(cmp.Or(e.Exercise.Title.In(p.W.Lang), e.Exercise.Name)), Head: []string{p.W.Target}}
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
		t.Note += " · " + p.W.signs
	}
	for k, v := range e.Repetitions[0].Targets {
		r := row{Name: text.Upper(e.Exercise.Describe(v.Target, v.Unit).In(p.W.Lang)), Dot: string(v.Side)}
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
	return cell{Text: either(v.Estimated, "~", "") + number(v.Value.X, v.Unit) + " " + signs[v.Outcome], Class: cmp.Or(sideClass[v.Side], "b")}
}

// outcome says in how many repetitions a target was met, or why in none it can be told.
func (p *page) outcome(counts map[exercise.Outcome]int, target int) string {
	var list []string
	for _, o := range outcomes {
		n, word := counts[o], p.W.outcomes[o]
		if o == exercise.Withheld && n == len(p.r.Exercise.Repetitions) {
			if why := p.r.Exercise.Repetitions[0].Targets[target].Why; len(why) > 0 {
				return p.why(string(why[0]))
			}
		}
		if n == len(p.r.Exercise.Repetitions) {
			return word
		}
		if n > 0 {
			list = append(list, fmt.Sprintf(p.W.times, n, word))
		}
	}
	return strings.Join(list, p.W.list)
}

// sayExercise begins the lead with the numbers of a test, or adds what became of the targets.
func (p *page) sayExercise(l *lead) {
	e := p.r.Exercise
	if p.first() {
		l.Tiles = nil // the page has more to show
	}
	if e == nil {
		return
	}
	headline := e.Headline.In(p.W.Lang)
	if e.Exercise.Test == "" {
		l.add(headline != "", headline)
	} else if headline != "" {
		l.Title, l.Number, l.After, l.Tiles = headline, cell{}, "", nil
		for _, n := range e.Numbers {
			if n.Value.Present && len(l.Tiles) < 4 {
				name := p.W.numbers[n.Name]
				if n.Side != "" {
					name += p.W.space + p.W.Lang.Of(string(n.Side))
				}
				l.Tiles = append(l.Tiles, tile{text.Upper(name), cell{Text: p.quantity(n.Value.X, n.Unit), PM: plusMinus(n.Uncertainty, n.Unit)}})
			}
		}
	}
	l.add(e.Detail.In(p.W.Lang) != "", e.Detail.In(p.W.Lang))
}
