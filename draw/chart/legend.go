package chart

import (
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is an item of the legend; an entry without a colour is a note.
type entry struct {
	name   string
	color  color.Color
	dashed bool
}

// entries returns the legend, which is empty for a single line without a name.
func entries(series []Series, p palette) []entry {
	var list []entry
	for i := range series {
		s := &series[i]
		name := s.Name
		switch {
		case s.pair():
			if name != "" {
				name += " "
			}
			list = append(list, entry{name + "x", p.series[i], false}, entry{name + "y", p.series[i], true})
		case name != "":
			list = append(list, entry{name, p.series[i], false})
		}
		_, notes := s.levels()
		for _, n := range notes {
			list = append(list, entry{name: n})
		}
	}
	return list
}

// legend arranges entries in rows.
type legend struct {
	entries []entry
	text    text.Style
	line    vg.Length // width of the chart lines
}

func (l legend) em() vg.Length { return l.text.Font.Size }

// row is the height of one row.
func (l legend) row() vg.Length { return 1.4 * l.em() }

// placed is an entry with its distance from the left and its row from the top.
type placed struct {
	entry
	x   vg.Length
	row int
}

// place arranges the entries in rows of a width and returns the number of rows.
func (l legend) place(width vg.Length) (list []placed, rows int) {
	x := vg.Length(0)
	for _, e := range l.entries {
		lead := l.lead(e)
		e.name = fit(l.text, e.name, width-lead)
		w := lead + l.text.Width(e.name)
		if x > 0 && x+w > width {
			x = 0
			rows++
		}
		list = append(list, placed{e, x, rows})
		x += w + 1.4*l.em()
	}
	if len(list) > 0 {
		rows++
	}
	return list, rows
}

// lead is the width of the line sample before the name of an entry.
func (l legend) lead(e entry) vg.Length {
	if e.color == nil {
		return 0
	}
	return 2.6 * l.em()
}

// draw draws the legend from the top left corner of a canvas.
func (l legend) draw(c draw.Canvas) {
	list, _ := l.place(c.Max.X - c.Min.X)
	for _, p := range list {
		x, y := c.Min.X+p.x, c.Max.Y-vg.Length(p.row)*l.row()-0.5*l.row()
		if p.color != nil {
			sty := draw.LineStyle{Color: p.color, Width: l.line}
			if p.dashed {
				sty.Dashes = dashes(l.line)
			}
			c.StrokeLine2(sty, x, y, x+2.1*l.em(), y)
		}
		write(c, l.text, vg.Point{X: x + l.lead(p.entry), Y: y - capHeight/2*l.em()}, p.name)
	}
}
