package chart

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/fogleman/gg"

	"github.com/bodymotion/motion/keypoint"
)

// Widths of lines in units, and the opacity of areas.
const (
	gridWidth, lineWidth, dashedWidth, levelWidth, dotWidth = 0.8, 1.6, 1.3, 1.2, 3.0
	areaOpacity                                             = 0.16
)

// palette holds the colours of a chart.
type palette struct {
	ground, ink, text, faint, grid, span, flag color.NRGBA
	series                                     [maxSeries]color.NRGBA // in the order of slots
}

func hex(rgb uint32) color.NRGBA {
	return color.NRGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255}
}

func css(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// palette returns the colours. Those of the series are from Okabe and Ito (2008), made darker or lighter
// where the contrast is too low.
func (f *figure) palette() palette {
	if f.dark {
		return palette{
			ground: hex(0x16191D), ink: hex(0xF1F3F5), text: hex(0xC3C9D1), faint: hex(0x9AA3AE), grid: hex(0x2F353C), span: hex(0x21262C), flag: hex(0x453B16),
			series: [maxSeries]color.NRGBA{hex(0x56B4E9), hex(0xE69F00), hex(0x00B586), hex(0xFFF087), hex(0xB44B96), hex(0xF2F2F2)},
		}
	}
	return palette{
		ground: hex(0xFFFFFF), ink: hex(0x12161C), text: hex(0x414B58), faint: hex(0x5A6675), grid: hex(0xE2E5EA), span: hex(0xF3F4F5), flag: hex(0xFAF0CA),
		series: [maxSeries]color.NRGBA{hex(0x0072B2), hex(0xD55E00), hex(0x009E73), hex(0x78005A), hex(0x000000), hex(0x873C1E)},
	}
}

// picture draws the chart in pixels.
func (f *figure) picture() image.Image {
	p, s := f.palette(), f.scale
	dc := gg.NewContext(int(math.Round((f.left+f.width+f.right)*s)), int(math.Round((f.top+f.height+f.bottom)*s)))
	x := func(v float64) float64 { return (f.left + v) * s }
	y := func(v float64) float64 { return (f.top + v) * s }
	trace := func(points []keypoint.Point) {
		dc.NewSubPath()
		for _, q := range points {
			dc.LineTo(x(q[0]), y(q[1]))
		}
	}
	write := func(t string, c color.Color, at, base, anchor float64) {
		dc.SetColor(c)
		dc.DrawStringAnchored(t, x(at), y(base), anchor, 0)
	}
	colors := map[string]color.NRGBA{}
	for k, c := range p.series {
		colors[slots[k]] = c
	}
	stroke := func(class string) {
		name, look, _ := strings.Cut(class, " ")
		dc.SetColor(colors[name])
		dc.SetDash()
		switch look {
		case "dashed":
			dc.SetLineWidth(dashedWidth * s)
			dc.SetDash(4*s, 3*s)
		case "level":
			dc.SetLineWidth(levelWidth * s)
			dc.SetDash(0.3*s, 2.8*s)
		default:
			dc.SetLineWidth(lineWidth * s)
		}
		dc.Stroke()
	}
	dc.SetColor(p.ground)
	dc.Clear()
	dc.SetLineCapRound()
	dc.SetLineJoinRound()
	if f.title != "" {
		dc.SetFontFace(f.bold)
		write(f.title, p.ink, edge-f.left, edge+0.8*titleEm-f.top, 0)
	}
	dc.SetFontFace(f.face)
	for _, k := range f.keys {
		at := k.x
		if k.class != "" {
			trace([]keypoint.Point{{at, k.y}, {at + keyLength, k.y}})
			stroke(k.class)
			at += keyLength + 5
		}
		write(k.text, p.text, at, k.y+3.3, 0)
	}
	for _, a := range f.spans {
		dc.SetColor(p.span)
		if a.flag {
			dc.SetColor(p.flag)
		}
		dc.DrawRoundedRectangle(x(a.x), y(a.y), a.width*s, a.height*s, min(4, a.width/2)*s)
		dc.Fill()
		write(a.number, p.text, a.x+a.width/2, a.y+11, 0.5)
	}
	dc.SetDash() // the last key may have set one
	dc.SetLineWidth(gridWidth * s)
	for _, t := range f.ticks {
		dc.SetColor(p.grid)
		dc.DrawLine(x(0), y(t.at), x(f.width), y(t.at))
		dc.Stroke()
		write(t.text, p.faint, -5, t.at+3, 1)
	}
	for _, t := range f.times {
		write(t.text, p.faint, t.at, f.height+13, 0.5)
	}
	for _, l := range f.lines {
		name, _, _ := strings.Cut(l.class, " ")
		c := colors[name]
		c.A = uint8(math.Round(255 * areaOpacity))
		dc.SetColor(c)
		for _, a := range l.areas {
			trace(a)
			dc.ClosePath()
		}
		dc.Fill()
	}
	for _, l := range f.lines {
		for _, run := range l.runs {
			if len(run) > 1 {
				trace(run)
			}
		}
		stroke(l.class)
		for _, run := range l.runs {
			if len(run) == 1 {
				dc.DrawCircle(x(run[0][0]), y(run[0][1]), dotWidth/2*s)
			}
		}
		dc.Fill()
	}
	return dc.Image()
}
