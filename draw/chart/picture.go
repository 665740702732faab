//go:build !js

package chart

import (
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/fogleman/gg"

	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint"
)

// canvas is a picture of a figure that is being drawn.
type canvas struct {
	*gg.Context
	*figure
	palette
	colors map[string]color.NRGBA // of the series, by the name of their class
}

func (f *figure) picture() (image.Image, error) {
	s := f.scale
	c := &canvas{gg.NewContext(int(math.Round((f.left+f.width+f.right)*s)), int(math.Round((f.top+f.height+f.bottom)*s))), f, f.palette(), map[string]color.NRGBA{}}
	for k, of := range c.series {
		c.colors[slots[k]] = of
	}
	c.SetColor(c.ground)
	c.Clear()
	c.SetLineCapRound()
	c.SetLineJoinRound()
	c.legend()
	c.back()
	c.axes()
	c.curves()
	c.points()
	for _, l := range f.labels {
		c.write(c.face, l.text, c.text, l.x, l.y, map[string]float64{"middle": 0.5, "end": 1}[l.anchor])
	}
	return c.Image(), nil
}

// x returns the pixel of a place in the figure.
func (c *canvas) x(v float64) float64 { return (c.left + v) * c.scale }

func (c *canvas) y(v float64) float64 { return (c.top + v) * c.scale }

func (c *canvas) trace(points []keypoint.Point) {
	c.NewSubPath()
	for _, q := range points {
		c.LineTo(c.x(q[0]), c.y(q[1]))
	}
}

func (c *canvas) write(face *text.Face, t string, of color.Color, at, base, anchor float64) {
	c.SetColor(of)
	face.Write(c, t, c.x(at), c.y(base), anchor)
	c.Fill()
}

// stroke draws the path as the lines of a class look.
func (c *canvas) stroke(class string) {
	name, look, _ := strings.Cut(class, " ")
	c.SetColor(c.colors[name])
	c.SetDash()
	switch look {
	case "dashed":
		c.SetLineWidth(dashedWidth * c.scale)
		c.SetDash(4*c.scale, 3*c.scale)
	case "level":
		c.SetLineWidth(levelWidth * c.scale)
		c.SetDash(0.3*c.scale, 2.8*c.scale)
	default:
		c.SetLineWidth(lineWidth * c.scale)
	}
	c.Stroke()
}

func (c *canvas) legend() {
	if c.title != "" {
		c.write(c.bold, c.title, c.ink, edge-c.left, edge+0.8*titleEm-c.top, 0)
	}
	for _, k := range c.keys {
		at := k.x
		if k.class != "" {
			c.trace([]keypoint.Point{{at, k.y}, {at + keyLength, k.y}})
			c.stroke(k.class)
			at += keyLength + 5
		}
		c.write(c.face, k.text, c.text, at, k.y+3.3, 0)
	}
	c.SetDash() // the last key may have set one
}

// back draws what lies behind the curves: lanes and spans.
func (c *canvas) back() {
	for _, a := range c.lanes {
		c.SetColor(c.span)
		c.DrawRoundedRectangle(c.x(a.x), c.y(a.y), a.width*c.scale, a.height*c.scale, 4*c.scale)
		c.Fill()
	}
	for _, a := range c.spans {
		c.SetColor(c.span)
		if a.flag {
			c.SetColor(c.flag)
		}
		c.DrawRoundedRectangle(c.x(a.x), c.y(a.y), a.width*c.scale, a.height*c.scale, min(4, a.width/2)*c.scale)
		c.Fill()
		c.write(c.face, a.number, c.text, a.x+a.width/2, a.y+11, 0.5)
	}
}

// axes draws the grid, the times and the marks.
func (c *canvas) axes() {
	c.SetLineWidth(gridWidth * c.scale)
	for _, t := range c.ticks {
		c.SetColor(c.grid)
		c.DrawLine(c.x(0), c.y(t.at), c.x(c.width), c.y(t.at))
		c.Stroke()
		c.write(c.face, t.text, c.faint, -5, t.at+3, 1)
	}
	for _, t := range c.times {
		c.write(c.face, t.text, c.faint, t.at, c.height+c.under+13, 0.5)
	}
	for _, at := range c.marks {
		c.SetColor(c.faint)
		c.SetDash(2*c.scale, 3*c.scale)
		c.DrawLine(c.x(at), c.y(-c.top), c.x(at), c.y(c.height))
		c.Stroke()
	}
	c.SetDash()
}

// curves draws the lines above their areas. A value alone is a dot.
func (c *canvas) curves() {
	for _, l := range c.lines {
		name, _, _ := strings.Cut(l.class, " ")
		of := c.colors[name]
		of.A = uint8(math.Round(255 * areaOpacity))
		c.SetColor(of)
		for _, a := range l.areas {
			c.trace(a)
			c.ClosePath()
		}
		c.Fill()
	}
	for _, l := range c.lines {
		for _, run := range l.runs {
			if len(run) > 1 {
				c.trace(run)
			}
		}
		c.stroke(l.class)
		for _, run := range l.runs {
			if len(run) == 1 {
				c.DrawCircle(c.x(run[0][0]), c.y(run[0][1]), dotWidth/2*c.scale)
			}
		}
		c.Fill()
	}
	c.SetDash()
}

// points draws the dots, those of the right side as squares.
func (c *canvas) points() {
	c.SetLineWidth(lineWidth * c.scale)
	for _, d := range c.dots {
		if d.class == "right" {
			c.DrawRectangle(c.x(d.x-2.8), c.y(d.y-2.8), 5.6*c.scale, 5.6*c.scale)
		} else {
			c.DrawCircle(c.x(d.x), c.y(d.y), 3*c.scale)
		}
		c.SetColor(c.colors[d.class])
		if d.hollow {
			c.SetColor(c.ground)
		}
		c.FillPreserve()
		c.SetColor(c.colors[d.class])
		c.Stroke()
	}
}
