package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// lead is what the report says first: a title and sentences of what was asked for, and at most four numbers.
type lead struct {
	Title     string // "": none
	Sentences sentences
	Tiles     []tile
}

// mostSentences is how many stand under the title: tables and charts show what is left out.
const mostSentences = 3

// tile is a number with its name.
type tile struct {
	Name  string
	Value cell
}

func (l *lead) show(name, value string) { l.Tiles = append(l.Tiles, tile{name, cell{Text: value}}) }

// amount shows an amount under the name of a text.
func (p *page) amount(l *lead, name say.Text, a say.Amount) {
	pm := plusMinus(a, a.Sigma > 0)
	a.Sigma = 0
	l.Tiles = append(l.Tiles, tile{p.in(name), cell{Text: a.In(p.lang), PM: pm}})
}

func (p *page) lead() (l lead) {
	r := p.r
	title, said := p.first()
	l.Title = p.in(title)
	for _, t := range r.Trend {
		if t.Change != nil {
			said = append(said, t.Sentence)
		}
	}
	add := func(holds bool, key string) {
		if holds {
			said = append(said, texts.Say(key))
		}
	}
	add(r.NoSteps, "gait.none")
	add(r.NoJumps, "jumps.none")
	counted := slices.ContainsFunc(r.Series, func(s Series) bool { return s.Result.Repetitions != nil })
	add(counted && p.main == nil && r.Comparison == nil, "repetitions.none")
	room := mostSentences
	for _, t := range said {
		if n := 1 + strings.Count(t.String(), ". "); len(t) > 0 && n <= room {
			l.Sentences, room = append(l.Sentences, p.in(t)), room-n
		}
	}
	switch {
	case r.Comparison != nil: // its table has a row for each repetition
	case len(r.Jumps) > 0:
		p.showJumps(&l)
	case r.Gait != nil && len(r.Gait.Events) > 0:
		p.showGait(&l)
	case p.main != nil:
		p.showRepetitions(&l)
	default:
		p.showValues(&l)
	}
	if p.course() { // the page has more to show
		l.Tiles = l.Tiles[:min(len(l.Tiles), 2)]
	}
	if e := r.Exercise; e != nil && len(e.Headline) > 0 {
		l.Tiles = nil
		p.showNumbers(&l)
	}
	return l
}

// first returns what to read first, with what belongs to it: the answer of a comparison, what became of an exercise, or what the
// recording shows, unless the report is of something else.
func (p *page) first() (title say.Text, more []say.Text) {
	c, e, s := p.r.Comparison, p.r.Exercise, p.r.Study
	switch {
	case c != nil:
		for _, w := range c.Result.Warnings {
			more = append(more, w.Sentence)
		}
		switch a := c.Result.Answer; {
		case a != nil && slices.ContainsFunc(more, func(t say.Text) bool { return t.String() == a.Text.String() }):
			title = a.Title
		case a != nil:
			title, more = a.Title, append(more, a.Text)
		case len(more) > 0:
			title, more = more[0], more[1:]
		}
	case e != nil && len(e.Headline) > 0:
		title, more = e.Headline, []say.Text{e.Detail}
	case s != nil && (p.r.whole || slices.ContainsFunc(p.curves, p.leads)):
		title, more = s.Summary.Title, []say.Text{say.Join(dot, append([]say.Text{s.Summary.Tempo.Title()}, s.Summary.Tells...)...)}
	}
	return title, more
}

// showRepetitions shows how far the repetitions go: by the readings of the lead, or in lengths by their depths.
func (p *page) showRepetitions(l *lead) {
	main, of, name := p.main, p.main.Result.Repetitions, p.nameOf(p.main, true)
	l.show(p.in(texts.Say("repetitions")), fmt.Sprint(len(of.List)))
	angle, best := main.unit == "°", -1
	far := func(k int) float64 {
		switch v := main.values[p.farthest(main, of.List[k])].X; {
		case !angle:
			return of.List[k].Depth
		case of.Direction == "falls" && !p.flexes():
			return -v
		default:
			return v
		}
	}
	for k, one := range of.List {
		told := !angle || main.trust(p.farthest(main, one)) != quality.TrustWithheld
		if told && (best < 0 || far(k) > far(best)) {
			best = k
		}
	}
	switch {
	case angle && p.leads(main) && main.measure.Peak != nil: // as the title says
		l.Tiles = append(l.Tiles, tile{name, p.reading(main, main.measure.Peak.Frame)})
	case best >= 0 && angle:
		l.Tiles = append(l.Tiles, tile{name, p.reading(main, p.farthest(main, of.List[best]))})
	case best >= 0 && main.measure == nil:
		p.amount(l, texts.Say("depth.of", name), main.of(of.List[best].Depth))
	case best >= 0 && main.measure.Range.Present:
		p.amount(l, texts.Say("depth.of", name), main.amount(of.List[best].Depth, main.measure.RangeUncertainty))
	}
	if of.Depth.Count > 0 {
		p.amount(l, texts.Say("duration"), say.Amount{Value: of.Duration.Mean, Sigma: of.Duration.Uncertainty, Unit: "s"})
	}
}

// mark is the word for a repetition that is not as the others, "" for none.
func (p *page) mark(one analyze.Repetition) string {
	switch {
	case !one.Complete:
		return p.in(texts.Say("mark.incomplete"))
	case one.Shallow:
		return p.in(texts.Say("mark.shallow"))
	}
	return ""
}

func (p *page) showGait(l *lead) {
	g := p.r.Gait
	if g.Cadence.Present {
		p.amount(l, texts.Say("cadence"), say.Amount{Value: g.Cadence.X, Sigma: g.CadenceUncertainty.X, Unit: "steps/min"})
	}
	if g.Speed.Present {
		p.amount(l, texts.Say("speed"), say.Measured("speed", g.Speed.X, g.SpeedUncertainty.X, g.Unit+"/s"))
	}
	if s := g.StrideTime.Both; s.Count > 0 {
		p.amount(l, texts.Say("stride"), say.Amount{Value: s.Mean, Sigma: s.Uncertainty, Unit: "s"})
	}
	if s := g.StrideLength.Both; s.Count > 0 {
		p.amount(l, texts.Say("stride.length"), say.Measured("strideLength", s.Mean, s.Uncertainty, g.Unit))
	}
}

func (p *page) showJumps(l *lead) {
	j := jump.Highest(p.r.Jumps)
	l.show(p.in(texts.Say("jumps")), fmt.Sprint(len(p.r.Jumps)))
	p.amount(l, texts.Say("number.height").Title(), say.Measured("height", j.Height, j.HeightUncertainty, "m"))
	p.amount(l, texts.Say("flight"), say.Amount{Value: j.FlightTime, Sigma: j.FlightTimeUncertainty, Unit: "s"})
	if j.Rise.Present {
		p.amount(l, texts.Say("number.rise").Title(), say.Measured("rise", j.Rise.X, j.RiseUncertainty.X, "m"))
	}
}

// showValues shows the greatest values: those of the lead first.
func (p *page) showValues(l *lead) {
	for _, c := range p.curves {
		_, high, ok := c.extent()
		if ok && c.trust(high) != quality.TrustWithheld && len(l.Tiles) < 4 {
			l.Tiles = append(l.Tiles, tile{p.nameOf(c, true), p.reading(c, high)})
		}
	}
}

func (p *page) showNumbers(l *lead) {
	for _, n := range p.r.Exercise.Numbers {
		if n.Value.Present && len(l.Tiles) < 4 {
			name := say.Of(string(n.Side), p.in(texts.Say("number."+n.Name))).Title()
			p.amount(l, name, say.Measured(n.Name, n.Value.X, n.Uncertainty.X, n.Unit))
		}
	}
}
