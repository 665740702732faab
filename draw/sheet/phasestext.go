package sheet

import (
	"cmp"
	_ "embed"
	"image/color"

	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

var (
	ink   = color.RGBA{0x12, 0x16, 0x1C, 255}
	quiet = color.RGBA{0x5A, 0x66, 0x75, 255}
	bar   = color.RGBA{0xEC, 0xEE, 0xF2, 255}
	sides = map[string]color.RGBA{"left": {0x00, 0x72, 0xB2, 255}, "right": {0xD5, 0x5E, 0x00, 255}}
)

//go:embed texts.json
var textsFile []byte

var texts = say.Open(textsFile)

// in returns a text in the language, or in English if the fonts lack its letters.
func (p *phases) in(t say.Text) string {
	if said := t.In(p.o.Language); p.o.Language != say.English {
		if _, missing := p.font(false).Lacks(said); !missing {
			return said
		}
	}
	return t.String()
}

// head writes what the picture shows, and the value at the turn.
func (p *phases) head() {
	says, every := texts.Say(p.kind, p.o.Number, len(p.o.List)), texts.Say("every", text.Fixed(p.step(), 2))
	if p.o.Title != "" {
		says = texts.Say("after", p.o.Title, says)
	}
	if p.row != nil {
		every = texts.Say("follow")
	}
	title := p.in(says)
	left, right := p.px(gutter), float64(p.o.Width)-p.px(margin)
	p.write(text.Cut(title, right-left-p.px(420), func(s string) float64 { return p.width(s, 20, true) }), 20, true, ink, left, p.px(36), 0)
	p.write(p.in(every), 13, false, quiet, left, p.px(60), 0)
	for _, side := range []string{"right", "left"} {
		name := p.in(say.Name(side).Title())
		p.write(name, 13, false, ink, right, p.px(48), 1)
		right -= p.width(name, 13, false) + p.px(14)
		p.dc.SetColor(sides[side])
		if side == "left" { // a circle and a square, which are apart in grey too
			p.dc.DrawCircle(right, p.px(44), p.px(5))
		} else {
			p.dc.DrawRectangle(right-p.px(5), p.px(39), p.px(10), p.px(10))
		}
		p.dc.Fill()
		right -= p.px(24)
	}
	m, turn := p.o.Measure, p.one.Turn.Frame
	if m == nil || turn < 0 || turn >= min(len(m.Values), len(m.Uncertainty)) || !m.Values[turn].Present ||
		m.Unit == "°" && (!m.Uncertainty[turn].Present || quality.TrustOf(m.Uncertainty[turn].X) == quality.TrustWithheld) {
		return
	}
	value := say.Measured(string(m.Type), m.Values[turn].X, m.Uncertainty[turn].X, m.Unit).Text()
	if m.Estimated {
		value = texts.Say("estimated", value)
	}
	p.write(p.in(value), 22, true, ink, right, p.px(38), 1)
	p.write(p.in(texts.Say("turn", say.Of(string(m.Side), string(m.Type)))), 13, false, quiet, right, p.px(60), 1)
}

// tempo draws the bar of the ways out, hold and back below the pictures.
func (p *phases) tempo(top float64) {
	left, width := float64(p.column(0)), float64(p.column(p.o.Pictures)-p.column(0))
	p.dc.SetColor(bar)
	p.dc.DrawRectangle(left, top, width-p.px(2), p.px(tempoHeight))
	p.dc.Fill()
	from := p.one.Start.Time
	ends := [3]float64{from + p.one.Out, from + p.one.Out + p.one.Hold, p.one.End.Time}
	p.tick(from, top)
	for k, name := range []string{"out", "hold", "back"} {
		to, lasts := ends[k], p.in(say.Amount{Value: ends[k] - from, Sigma: p.one.TimeUncertainty, Unit: "s"}.Text())
		name = p.in(say.Name("way." + cmp.Or(p.o.Phases[k], name)))
		p.tick(to, top)
		room := p.at(to) - p.at(from) - p.px(8)
		both := p.width(name, 12, true) + p.px(6) + p.width(lasts, 12, false)
		x, base := (p.at(from)+p.at(to))/2, top+p.px(tempoHeight/2+4)
		switch {
		case both <= room:
			p.write(name, 12, true, ink, x-both/2, base, 0)
			p.write(lasts, 12, false, quiet, x+both/2, base, 1)
		case p.width(name, 12, true) <= room:
			p.write(name, 12, true, ink, x, base, 0.5)
		}
		from = to
	}
}

// tick draws where a phase ends.
func (p *phases) tick(seconds, top float64) {
	p.dc.SetColor(ink)
	p.dc.SetLineWidth(p.px(1.5))
	p.dc.DrawLine(p.at(seconds), top, p.at(seconds), top+p.px(tempoHeight))
	p.dc.Stroke()
}

// foot says how to read the picture.
func (p *phases) foot(bottom float64, charted bool) {
	says := texts.Say("axis")
	switch {
	case p.row != nil:
		says = texts.Say("halfway." + p.kind)
	case charted:
		says = texts.Say("shaded")
	}
	p.write(p.in(says), 12, false, quiet, p.px(gutter), bottom-p.px(16), 0)
}

// font returns the regular or the bold one.
func (p *phases) font(bold bool) *text.Setter[draw.Path, draw.Font] {
	f := &p.regular
	if bold {
		f = &p.bold
	}
	if f.TTF == nil {
		f.TTF, f.More = map[bool][]byte{false: goregular.TTF, true: gomedium.TTF}[bold], p.o.Fonts
	}
	return f
}

func (p *phases) width(s string, em float64, bold bool) float64 {
	return p.font(bold).Width(s, em*p.unit)
}

// write writes a text of a size in units from x on; anchor is the share of its width that is left of x.
func (p *phases) write(s string, em float64, bold bool, c color.Color, x, base, anchor float64) {
	p.font(bold).Write(p.dc, s, x-anchor*p.width(s, em, bold), base, em*p.unit)
	p.dc.SetColor(c)
	p.dc.Fill()
}
