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
	"github.com/bodymotion/motion/draw/internal/text"
)

// lead is what the report says first: a title, sentences and at most four numbers.
type lead struct {
	Title, Text string
	Tiles       []entry
	sentences   // of Text
}

func (l *lead) say(format string, args ...any) { l.add(true, fmt.Sprintf(format, args...)) }

func (l *lead) show(name, value string) { l.Tiles = append(l.Tiles, entry{name, value}) }

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

func (p *page) leadRepetitions(l *lead) {
	main, of := p.main, p.main.Result.Repetitions
	switch n := len(of.List); {
	case of.Depth.Count < n:
		l.Title = fmt.Sprintf(p.W.repetitionsSome, n, n-of.Depth.Count)
	case n == 1:
		l.Title = p.W.repetitionsOne
	default:
		l.Title = fmt.Sprintf(p.W.repetitionsMany, n)
	}
	deep, shallow := deepest(of.List)
	most, least := of.List[deep].Depth, of.List[shallow].Depth
	l.say(p.W.counted, text.Lower(p.nameOf(main, true)))
	switch spread := quantity(most-least, main.unit); {
	case len(of.List) == 1:
	case most-least < 0.1*most:
		l.say(p.W.repetitionsEqual, spread)
	default:
		l.say(p.W.repetitionsSpread, deep+1, quantity(most, main.unit), shallow+1, quantity(least, main.unit))
	}
	if of.Depth.Count > 0 {
		l.say(p.W.repetitionsTempo, seconds(of.Duration.Mean), seconds(of.Out.Mean), seconds(of.Hold.Mean), seconds(of.Back.Mean))
	}
	p.saySides(l, main.group)
	l.show(p.W.Repetitions, fmt.Sprint(len(of.List)))
	l.show(p.W.deepest, quantity(most, main.unit))
	if len(of.List) > 1 {
		l.show(p.W.depthSpread, quantity(most-least, main.unit))
	}
	if of.Depth.Count > 0 {
		l.show(p.W.meanDuration, quantity(of.Duration.Mean, "s"))
	}
}

// saySides compares the ranges of both sides.
func (p *page) saySides(l *lead, g *group) {
	var ranges []string
	for _, c := range g.sides {
		if low, high, _, ok := extent(c.values); ok {
			ranges = append(ranges, quantity(high-low, c.unit))
		}
	}
	switch {
	case len(ranges) < 2:
	case ranges[0] == ranges[1]:
		l.say(p.W.sidesEqual, text.Lower(g.name), ranges[0])
	default:
		l.say(p.W.sidesDiffer, text.Lower(g.name), ranges[0], ranges[1])
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
	if s := g.StanceShare; s.Left.Count > 0 && s.Right.Count > 0 {
		l.say(p.W.stanceShares, percent(s.Left.Mean), percent(s.Right.Mean))
	}
	if g.StepTime.Symmetry.Present {
		l.say(p.W.stepSymmetry, text.Fixed(math.Abs(g.StepTime.Symmetry.X), 1)+" %")
	}
	if g.Cadence.Present {
		l.show(p.W.Cadence, fmt.Sprintf(p.W.perMinute, text.Fixed(g.Cadence.X, 0)))
	}
	if g.Speed.Present {
		l.show(p.W.Speed, quantity(g.Speed.X, g.Unit+"/s"))
	}
	if g.StrideTime.Both.Count > 0 {
		l.show(p.W.StrideTimeShort, quantity(g.StrideTime.Both.Mean, "s"))
	}
	if g.StrideLength.Both.Count > 0 {
		l.show(p.W.StrideLengthShort, quantity(g.StrideLength.Both.Mean, g.Unit))
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
	l.show(p.W.FlightShort, quantity(j.FlightTime, "s"))
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

func (p *page) leadValues(l *lead) {
	n, still, groups := 0, p.r.Sequence.Len() == 1, p.largestGroups()
	for _, g := range groups {
		for _, c := range g.sides {
			low, high, mean, ok := extent(c.values)
			if ok {
				n++
			}
			switch {
			case !ok || n > 4:
			case still:
				l.show(p.nameOf(c, true), quantity(mean, c.unit))
			default:
				l.show(p.nameOf(c, true), fmt.Sprintf(p.W.fromTo, number(low, c.unit), quantity(high, c.unit)))
			}
		}
	}
	switch duration := p.r.Sequence.Duration(); {
	case n == 0:
		l.Title = p.W.noValues
	case duration == 0:
		l.Title = fmt.Sprintf(p.W.stillOnly, n)
	default:
		l.Title = fmt.Sprintf(p.W.valuesOnly, n, seconds(duration))
	}
	for k, g := range groups {
		if k < 2 && !still {
			p.saySides(l, g)
		}
	}
	counted := func(s Series) bool { return s.Result.Repetitions != nil }
	l.add(slices.ContainsFunc(p.r.Series, counted), p.W.repetitionsNone)
}
