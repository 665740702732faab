// Package blandaltman draws how well values agree with the truth, after Bland and Altman (Lancet 1:307, 1986).
package blandaltman

import (
	"fmt"
	"html"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/internal/agree"
)

// Pair is a value and what it should have been.
type Pair struct {
	Person       string
	Value, Truth float64
	Uncertainty  float64 // one standard deviation of the value; 0: it is not told
}

// Panel is one plot.
type Panel struct {
	Title, Unit string
	Pairs       []Pair
	Agreement   agree.Agreement // of the pairs
}

// The colours of people, in turn, and the measures of a panel in pixels.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#8a6d00"}

const (
	wide, high           = 460, 320
	left, right, top, at = 64, 88, 40, 272 // of the plot itself; at is its bottom
	most                 = 2000            // dots of a panel: of more, each nth
)

// People returns the sums of each person's pairs.
func People(pairs []Pair) map[string]agree.Sums {
	people := map[string]agree.Sums{}
	for _, p := range pairs {
		s := people[p.Person]
		s.Add(p.Value, p.Truth, p.Uncertainty)
		people[p.Person] = s
	}
	return people
}

// WriteSVG draws plots, two beside each other: the difference from the truth over the mean of both, the bias, and the
// limits of agreement. People have colours.
func WriteSVG(w io.Writer, panels []Panel) error {
	rows := (len(panels) + 1) / 2
	p := &printer{w: w}
	p.print(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12" fill="#222">`+"\n", 2*wide, rows*high)
	p.print("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n")
	for i, one := range panels {
		p.print("<g transform=\"translate(%d %d)\">\n", i%2*wide, i/2*high)
		p.panel(one)
		p.print("</g>\n")
	}
	p.print("</svg>\n")
	return p.err
}

// printer prints until an error comes.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) print(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) panel(one Panel) {
	x, y := span{math.Inf(1), math.Inf(-1)}, span{min(one.Agreement.Limits.Low, 0), max(one.Agreement.Limits.High, 0)}
	for _, pair := range one.Pairs {
		x, y = x.with((pair.Value+pair.Truth)/2), y.with(pair.Value-pair.Truth)
	}
	x, y = x.wider(), y.wider()
	toX := func(v float64) float64 { return left + (wide-left-right)*x.share(v) }
	toY := func(v float64) float64 { return at - (at-top)*y.share(v) }
	p.print(`<text x="%d" y="24" font-weight="600">%s</text>`+"\n", left, html.EscapeString(one.Title))
	p.print(`<path d="M%d %dV%dH%d" fill="none" stroke="#777"/>`+"\n", left, top, at, wide-right)
	for _, v := range x.ticks() {
		p.print(`<text x="%.1f" y="%d" text-anchor="middle">%g</text>`+"\n", toX(v), at+18, v)
	}
	for _, v := range y.ticks() {
		p.print(`<text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n", left-8, toY(v)+4, v)
	}
	unit := html.EscapeString(one.Unit)
	p.print(`<text x="%d" y="%d" text-anchor="middle">mean of value and truth [%s]</text>`+"\n", (left+wide-right)/2, at+38, unit)
	p.print(`<text transform="translate(16 %d) rotate(-90)" text-anchor="middle">value − truth [%s]</text>`+"\n", (top+at)/2, unit)
	names := slices.Sorted(maps.Keys(People(one.Pairs)))
	step := (len(one.Pairs) + most - 1) / most
	for i, pair := range one.Pairs {
		if i%step == 0 {
			colour := colours[slices.Index(names, pair.Person)%len(colours)]
			p.print(`<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s" fill-opacity=".6"/>`+"\n", toX((pair.Value+pair.Truth)/2), toY(pair.Value-pair.Truth), colour)
		}
	}
	for _, line := range []struct {
		v          float64
		name, dash string
	}{{one.Agreement.Bias, "bias", ""}, {one.Agreement.Limits.High, "+1.96 s", "6 4"}, {one.Agreement.Limits.Low, "−1.96 s", "6 4"}} {
		p.print(`<path d="M%d %.1fH%d" stroke="#222" stroke-dasharray="%s"/>`+"\n", left, toY(line.v), wide-right, line.dash)
		p.print(`<text x="%d" y="%.1f">%s: %s</text>`+"\n", wide-right+4, toY(line.v)+4, line.name, strings.Replace(fmt.Sprintf("%.1f", line.v), "-", "−", 1))
	}
}

// span is what an axis shows.
type span struct{ low, high float64 }

func (s span) with(v float64) span { return span{min(s.low, v), max(s.high, v)} }

// wider returns the span with some room at its ends.
func (s span) wider() span {
	room := max(0.06*(s.high-s.low), 0.5)
	return span{s.low - room, s.high + room}
}

func (s span) share(v float64) float64 { return (v - s.low) / (s.high - s.low) }

// ticks returns three to eight round numbers of the span.
func (s span) ticks() (list []float64) {
	step := math.Pow(10, math.Floor(math.Log10(s.high-s.low)))
	for _, f := range []float64{1, 0.5, 0.2} {
		if (s.high-s.low)/(step*f) >= 3 {
			step *= f
			break
		}
	}
	for k := math.Ceil(s.low / step); k*step <= s.high; k++ {
		list = append(list, math.Round(k*step*1e6)/1e6)
	}
	return list
}
