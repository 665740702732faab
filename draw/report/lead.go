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
	l.add(r.NoSteps, p.W.noSteps)
	l.add(r.NoJumps, p.W.noJumps)
	l.Text = strings.Join(l.sentences, p.W.space)
	return l
}

// leadRepetitions says how far the repetitions go: by the readings of the lead, or in lengths by their depths.
func (p *page) leadRepetitions(l *lead) {
	main, of := p.main, p.main.Result.Repetitions
	l.Title = fmt.Sprintf(p.W.repetitionsMany, len(of.List))
	if len(of.List) == 1 {
		l.Title = p.W.repetitionsOne
	}
	l.show(p.W.Repetitions, fmt.Sprint(len(of.List)))
	name := p.nameOf(main, true)
	deep, shallow, told, most, least := 0, 0, 0, 0.0, 0.0
	pills := map[string][]string{}
	for k, one := range of.List {
		far, at := one.Depth, p.farthest(main, one)
		if main.unit == "°" {
			if main.trust(at) == study.Withheld {
				continue
			}
			if far = main.values[at].X; of.Direction == analyze.Falls && main.Result.Type.Points() > 0 {
				far = -far
			}
		}
		if told++; told == 1 || far > most {
			deep, most = k, far
		}
		if told == 1 || far < least {
			shallow, least = k, far
		}
		switch {
		case !one.Complete:
			pills[p.W.incomplete] = append(pills[p.W.incomplete], fmt.Sprint(k+1))
		case one.Shallow:
			pills[p.W.shallow] = append(pills[p.W.shallow], fmt.Sprint(k+1))
		}
	}
	value := func(k int) cell {
		if main.unit == "°" {
			return p.reading(main, p.farthest(main, of.List[k]))
		}
		return cell{Text: p.quantity(of.List[k].Depth, main.unit)}
	}
	if told > 0 && main.unit == "°" {
		l.Title, l.After, l.Number = name, text.Lower(l.Title), value(deep)
	} else {
		l.say(p.W.counted, text.Lower(name))
		name = fmt.Sprintf(p.W.meanDepth, name)
	}
	for _, pill := range []string{p.W.shallow, p.W.incomplete} {
		if list := pills[pill]; list != nil {
			l.say(p.W.marked, pill, p.W.listOf(list))
		}
	}
	if told > 0 {
		l.Tiles = append(l.Tiles, tile{name, value(deep)})
	}
	if spread := p.quantity(most-least, main.unit); told > 1 {
		if l.show(p.W.depthSpread, spread); most-least < 0.1*math.Abs(most) {
			l.say(p.W.repetitionsEqual, spread)
		} else {
			l.say(p.W.repetitionsSpread, deep+1, value(deep), shallow+1, value(shallow))
		}
	}
	if of.Depth.Count > 0 {
		l.say(p.W.repetitionsTempo, seconds(of.Duration.Mean), seconds(of.Out.Mean), seconds(of.Hold.Mean), seconds(of.Back.Mean))
		l.show(p.W.meanDuration, p.quantity(of.Duration.Mean, "s"))
	}
	p.saySides(l, main.group)
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
