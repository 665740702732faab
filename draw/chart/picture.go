//go:build !js

package chart

import (
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/fogleman/gg"

	"github.com/bodymotion/motion/keypoint"
)

// picture draws the chart in pixels.
func (f *figure) picture() (image.Image, error) {
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
	for _, a := range f.lanes {
		dc.SetColor(p.span)
		dc.DrawRoundedRectangle(x(a.x), y(a.y), a.width*s, a.height*s, 4*s)
		dc.Fill()
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
		write(t.text, p.faint, t.at, f.height+f.under+13, 0.5)
	}
	for _, at := range f.marks {
		dc.SetColor(p.faint)
		dc.SetDash(2*s, 3*s)
		dc.DrawLine(x(at), y(-f.top), x(at), y(f.height))
		dc.Stroke()
	}
	dc.SetDash()
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
	dc.SetDash()
	dc.SetLineWidth(lineWidth * s)
	for _, d := range f.dots {
		if d.class == "right" {
			dc.DrawRectangle(x(d.x-2.8), y(d.y-2.8), 5.6*s, 5.6*s)
		} else {
			dc.DrawCircle(x(d.x), y(d.y), 3*s)
		}
		dc.SetColor(colors[d.class])
		if d.hollow {
			dc.SetColor(p.ground)
		}
		dc.FillPreserve()
		dc.SetColor(colors[d.class])
		dc.Stroke()
	}
	for _, l := range f.labels {
		write(l.text, p.text, l.x, l.y, map[string]float64{"middle": 0.5, "end": 1}[l.anchor])
	}
	return dc.Image(), nil
}
