package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/draw/internal/text"
)

// lead is what the report says first: a title, which may name a number, sentences and at most four numbers.
type lead struct {
	Title, Text string
	Number      cell
	After       string // the number
	Tiles       []tile
	sentences   // of Text
}

// tile is a number with its name.
type tile struct {
	Name  string
	Value cell
}

func (l *lead) say(format string, args ...any) { l.add(true, fmt.Sprintf(format, args...)) }

func (l *lead) show(name, value string) { l.Tiles = append(l.Tiles, tile{name, cell{Text: value}}) }

// lead chooses what the report says first.
func (p *page) lead() (l lead) {
	r := p.r
	switch {
	case r.Comparison != nil:
		p.leadComparison(&l)
	case len(r.Jumps) > 0:
		p.leadJumps(&l)
	case r.Gait != nil && len(r.Gait.Events) > 0:
		p.leadGait(&l)
	case p.main != nil:
		p.leadRepetitions(&l)
	default:
		p.leadValues(&l)
	}
	p.sayExercise(&l)
	for _, t := range r.Trend {
		l.add(t.Change != nil && t.Sentence != nil, t.Sentence[p.W.Lang])
	}
	l.add(r.NoSteps, p.W.noSteps)
	l.add(r.NoJumps, p.W.noJumps)
	l.Text = strings.Join(l.sentences, p.W.space)
	return l
}

// leadRepetitions says how far the repetitions go: by the readings of the lead, or in lengths by their depths.
func (p *page) leadRepetitions(l *lead) {
	main, of, name := p.main, p.main.Result.Repetitions, p.nameOf(p.main, true)
	angle := main.unit == "°"
	far := func(k int) float64 {
		switch v := main.values[p.farthest(main, of.List[k])].X; {
		case !angle:
			return of.List[k].Depth
		case of.Direction == analyze.Falls && !p.flexes():
			return -v
		default:
			return v
		}
	}
	value := func(k int) cell {
		if angle {
			return p.reading(main, p.farthest(main, of.List[k]))
		}
		return cell{Text: p.quantity(of.List[k].Depth, main.unit)}
	}
	var told []int // which are not withheld, the farthest first
	marked := map[string][]string{}
	for k, one := range of.List {
		if !angle || main.trust(p.farthest(main, one)) != study.Withheld {
			told = append(told, k)
		}
		marked[p.mark(one)] = append(marked[p.mark(one)], fmt.Sprint(k+1))
	}
	slices.SortStableFunc(told, func(a, b int) int { return cmp.Compare(far(b), far(a)) })
	if l.Title = fmt.Sprintf(p.W.repetitionsMany, len(of.List)); len(of.List) == 1 {
		l.Title = p.W.repetitionsOne
	}
	if l.show(p.W.Repetitions, fmt.Sprint(len(of.List))); !angle {
		l.say(p.W.counted, text.Lower(name))
		name = fmt.Sprintf(p.W.meanDepth, name)
	}
	for _, mark := range []string{p.W.shallow, p.W.incomplete} {
		if list := marked[mark]; list != nil {
			l.say(p.W.marked, mark, p.W.listOf(list))
		}
	}
	if n := len(told); n > 0 {
		deep, shallow := told[0], told[n-1]
		if angle {
			l.Title, l.After, l.Number = name, text.Lower(l.Title), value(deep)
		}
		l.Tiles = append(l.Tiles, tile{name, value(deep)})
		switch spread := far(deep) - far(shallow); {
		case n == 1:
		case spread < 0.1*math.Abs(far(deep)):
			l.say(p.W.repetitionsEqual, p.quantity(spread, main.unit))
		default:
			l.say(p.W.repetitionsSpread, deep+1, value(deep), shallow+1, value(shallow))
		}
	}
	if of.Depth.Count > 0 {
		l.say(p.W.repetitionsTempo, seconds(of.Duration.Mean), seconds(of.Out.Mean), seconds(of.Hold.Mean), seconds(of.Back.Mean))
		l.show(p.W.meanDuration, p.quantity(of.Duration.Mean, "s"))
	}
	p.saySides(l, main.group)
	if k := slices.IndexFunc(p.curves, func(c *curve) bool { return c.group != main.group && c.unit == "°" && c.good() }); k >= 0 {
		_, high, _ := p.curves[k].extent()
		l.Tiles = append(l.Tiles, tile{p.nameOf(p.curves[k], true), p.reading(p.curves[k], high)})
	}
}

// mark is the word for a repetition that is not as the others, "" for none.
func (p *page) mark(one analyze.Repetition) string {
	switch {
	case !one.Complete:
		return p.W.incomplete
	case one.Shallow:
		return p.W.shallow
	}
	return ""
}

// saySides compares the ranges of both sides, if both are good.
func (p *page) saySides(l *lead, g *group) {
	if len(g.sides) < 2 || !g.sides[0].good() || !g.sides[1].good() {
		return
	}
	left, right := p.quantity(g.sides[0].span().X, g.sides[0].unit), p.quantity(g.sides[1].span().X, g.sides[1].unit)
	if left == right {
		l.say(p.W.sidesEqual, text.Lower(g.name), left)
	} else {
		l.say(p.W.sidesDiffer, text.Lower(g.name), left, right)
	}
}

func (p *page) leadGait(l *lead) {
	g := p.r.Gait
	name := p.W.walking
	if g.Mode == gait.Running {
		name = p.W.running
	}
	l.Title = fmt.Sprintf(name, text.Fixed(g.Cadence.X, 0))
	if !g.Cadence.Present {
		l.Title = p.W.fewSteps
	}
	where := p.W.overground
	if g.Surface == gait.Treadmill {
		where = p.W.treadmill
	}
	l.say(where, len(g.Cycles))
	if s := g.StanceShare; len(g.Warnings) == 0 && s.Left.Count > 0 && s.Right.Count > 0 {
		l.say(p.W.stanceShares, percent(s.Left.Mean), percent(s.Right.Mean))
	}
	if len(g.Warnings) == 0 && g.StepTime.Symmetry.Present {
		l.say(p.W.stepSymmetry, text.Fixed(math.Abs(g.StepTime.Symmetry.X), 1)+" %")
	}
	if g.Cadence.Present {
		l.show(p.W.Cadence, fmt.Sprintf(p.W.perMinute, text.Fixed(g.Cadence.X, 0)))
	}
	if g.Speed.Present {
		l.show(p.W.Speed, p.quantity(g.Speed.X, g.Unit+"/s"))
	}
	if g.StrideTime.Both.Count > 0 {
		l.show(p.W.StrideTimeShort, p.quantity(g.StrideTime.Both.Mean, "s"))
	}
	if g.StrideLength.Both.Count > 0 {
		l.show(p.W.StrideLengthShort, p.quantity(g.StrideLength.Both.Mean, g.Unit))
	}
}

// highest returns the highest jump.
func highest(jumps []jump.Jump) jump.Jump {
	return slices.MaxFunc(jumps, func(a, b jump.Jump) int { return cmp.Compare(a.Height, b.Height) })
}

func (p *page) leadJumps(l *lead) {
	j := highest(p.r.Jumps)
	height := centimetres(analyze.Value{X: j.Height, Present: true})
	if n := len(p.r.Jumps); n == 1 {
		l.Title = fmt.Sprintf(p.W.jumpOne, height)
	} else {
		l.Title = fmt.Sprintf(p.W.jumpMany, n, height)
		l.show(p.W.Jumps, fmt.Sprint(n))
	}
	l.say(p.W.jumpFlight, seconds(j.FlightTime))
	l.show(p.W.HeightShort, height+" cm")
	l.show(p.W.FlightShort, p.quantity(j.FlightTime, "s"))
	if j.Rise.Present {
		l.say(p.W.jumpRise, centimetres(j.Rise))
		l.show(p.W.RiseShort, centimetres(j.Rise)+" cm")
	}
	if j.Drop.Present && j.Drop.X > trustedDrop {
		l.say(p.W.jumpDrop, centimetres(j.Drop))
	}
}

// trustedDrop is how much lower than at take-off, in metres, a person may land for the flight time to
// tell the height.
const trustedDrop = 0.03

// leadValues says the greatest values: those of the lead first.
func (p *page) leadValues(l *lead) {
	n, duration := 0, p.r.Sequence.Duration()
	for _, c := range p.curves {
		_, high, ok := c.extent()
		if !ok || c.trust(high) == study.Withheld {
			continue
		}
		name, value := p.nameOf(c, true), p.reading(c, high)
		if n++; n <= 4 {
			l.Tiles = append(l.Tiles, tile{name, value})
		}
		if p.leads(c) {
			l.Title, l.Number = name, value
		}
	}
	switch {
	case n == 0:
		l.Title = p.W.noValues
	case duration == 0:
		l.Title, l.Number = fmt.Sprintf(p.W.stillOnly, n), cell{}
	case l.Title == "":
		l.Title = fmt.Sprintf(p.W.valuesOnly, n, seconds(duration))
	}
	for k, g := range p.all {
		if k < 2 && duration > 0 {
			p.saySides(l, g)
		}
	}
	counted := func(s Series) bool { return s.Result.Repetitions != nil }
	l.add(slices.ContainsFunc(p.r.Series, counted), p.W.repetitionsNone)
}
