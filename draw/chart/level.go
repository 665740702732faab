package chart

import (
	"image/color"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mark is a horizontal line and its label.
type mark struct {
	value  float64
	name   string // "" or with a trailing space
	number string
	color  color.Color
}

// marks returns the horizontal lines of all series.
func marks(series []Series, p palette) []mark {
	var list []mark
	for i := range series {
		levels, _ := series[i].levels()
		_, sign := series[i].unit()
		for _, l := range levels {
			name := l.Name
			if name != "" {
				name += " "
			}
			list = append(list, mark{l.Value, name, number(l.Value) + sign, p.series[i]})
		}
	}
	return list
}

// gutter draws horizontal lines across the chart and their labels on its right, moved
// apart where they would overlap.
type gutter struct {
	marks []mark
	text  text.Style
	width vg.Length // of the lines
	room  vg.Length // for the labels with their leaders
}

// lead returns the length of the leader from a line to its label.
func (g gutter) lead() vg.Length { return g.text.Font.Size * 1.2 }

// need returns the width that the labels need, at most a share of the given width.
func (g gutter) need(width vg.Length) vg.Length {
	if len(g.marks) == 0 {
		return 0
	}
	var widest vg.Length
	for _, m := range g.marks {
		widest = max(widest, g.text.Width(m.name+m.number))
	}
	return min(widest+g.lead()+4*px, width*0.36)
}

// Plot implements plot.Plotter.
func (g gutter) Plot(c draw.Canvas, plt *plot.Plot) {
	if len(g.marks) == 0 {
		return
	}
	_, toY := plt.Transforms(&c)
	places := make([]vg.Length, len(g.marks))
	for i, m := range g.marks {
		places[i] = toY(m.value)
		c.StrokeLines(draw.LineStyle{Color: m.color, Width: g.width, Dashes: []vg.Length{1.5 * px, 2.5 * px}},
			[]vg.Point{{X: c.Min.X, Y: places[i]}, {X: c.Max.X, Y: places[i]}})
	}
	height := 1.15 * g.text.Font.Size
	shown := int((c.Max.Y - c.Min.Y + height) / height)
	for _, s := range spread(places, height, c.Min.Y, c.Max.Y, shown) {
		m, y := g.marks[s.index], places[s.index]
		end := c.Max.X + g.lead()
		c.StrokeLines(draw.LineStyle{Color: m.color, Width: g.width},
			[]vg.Point{{X: c.Max.X, Y: y}, {X: c.Max.X + 0.25*g.lead(), Y: y}, {X: end - 0.25*g.lead(), Y: s.at}, {X: end, Y: s.at}})
		write(c, g.text, vg.Point{X: end + 2*px, Y: s.at - capHeight/2*g.text.Font.Size}, g.label(m))
	}
}

// label returns the text of a mark, cut to fit; the name is cut first.
func (g gutter) label(m mark) string {
	room := g.room - g.lead() - 4*px
	if g.text.Width(m.name+m.number) <= room {
		return m.name + m.number
	}
	if name := fit(g.text, m.name, room-g.text.Width(" "+m.number)); name != "…" {
		return name + " " + m.number
	}
	return fit(g.text, m.number, room)
}

// slot is the position of a label.
type slot struct {
	index int
	at    vg.Length
}

// spread moves places at least a distance apart, within low to high. It keeps their order
// and moves each as little as possible. If there are more places than fit, it keeps the
// first ones.
func spread(places []vg.Length, distance, low, high vg.Length, most int) []slot {
	slots := make([]slot, min(len(places), most))
	for i := range slots {
		slots[i] = slot{i, places[i]}
	}
	sort.SliceStable(slots, func(i, j int) bool { return slots[i].at < slots[j].at })
	// Groups of labels that touch, each with the mean of the wanted positions, measured from
	// its lowest label.
	type group struct {
		at vg.Length
		n  int
	}
	var groups []group
	for _, s := range slots {
		g := group{s.at, 1}
		for {
			g.at = min(max(g.at, low), high-vg.Length(g.n-1)*distance)
			if len(groups) == 0 {
				break
			}
			last := groups[len(groups)-1]
			if last.at+vg.Length(last.n)*distance <= g.at {
				break
			}
			groups = groups[:len(groups)-1]
			sum := last.at*vg.Length(last.n) + (g.at-vg.Length(last.n)*distance)*vg.Length(g.n)
			g = group{sum / vg.Length(last.n+g.n), last.n + g.n}
		}
		groups = append(groups, g)
	}
	i := 0
	for _, g := range groups {
		for k := range g.n {
			slots[i].at = g.at + vg.Length(k)*distance
			i++
		}
	}
	return slots
}
