package chart

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint"
)

// figure is a chart that is laid out, in units of which text has 9.5. Its origin is the upper left corner of the plot.
type figure struct {
	scale                    float64 // pixels of a unit
	left, right, top, bottom float64 // room around the plot
	width, height            float64 // of the plot
	dark                     bool
	face, bold               *text.Face // in pixels

	title  string
	keys   []key
	spans  []span
	lanes  []span  // of what is withheld
	under  float64 // room between the plot and the texts of the axis of time
	ticks  []mark  // on the axis of values, from below
	times  []mark  // on the axis of time
	lines  []line
	dots   []dot
	labels []label
	marks  []float64 // of a Strip: upright lines
	xs, ys scale
}

// key is an entry of the legend; without a class it is a note.
type key struct {
	class, text string
	x, y        float64
}

// span is a repetition.
type span struct {
	x, y, width, height float64
	number              string
	flag                bool
}

// mark is a place on an axis with its text.
type mark struct {
	at   float64
	text string
}

// line is a line in pieces, and the areas of one standard deviation around them.
type line struct {
	class string // of its colour, and "dashed" or "level"
	runs  [][]keypoint.Point
	areas [][]keypoint.Point
}

const (
	em, titleEm = 9.5, 12.0
	digitWidth  = 5.29 // all digits of Go Regular are 1139/2048 em wide
	rowHeight   = 14.0 // of the legend, and of the numbers of repetitions
	edge        = 8.0
	keyLength   = 16.0 // of the line before the name of an entry
)

// scale maps the range of an axis to its length.
type scale struct{ low, high, length float64 }

func (s scale) at(v float64) float64 { return (v - s.low) / (s.high - s.low) * s.length }

// widen makes a range wide enough for different marks.
func (s *scale) widen() {
	if least := max(math.Abs(s.low), math.Abs(s.high), 1) * 1e-6; s.high-s.low < least {
		s.low, s.high = s.low-least/2, s.high+least/2
	}
}

func (s *scale) include(v float64) { s.low, s.high = min(s.low, v), max(s.high, v) }

// empty is the range of nothing.
func empty() scale { return scale{low: math.Inf(1), high: math.Inf(-1)} }

// arrange validates the arguments and lays out a chart with title and legend.
func arrange(series []Series, opt Options) (*figure, error) {
	opt.Width, opt.Height = cmp.Or(opt.Width, 800), cmp.Or(opt.Height, 400)
	if opt.Width < minWidth || opt.Height < minHeight || opt.Width > maxSide || opt.Height > maxSide {
		return nil, invalid("Width and Height are %d×%d pixels, want %d×%d to %d×%d", opt.Width, opt.Height, minWidth, minHeight, maxSide, maxSide)
	}
	if err := check(series, opt.Title); err != nil {
		return nil, err
	}
	series, title := named(series, opt.Title)
	f := &figure{scale: max(1.25, float64(opt.Height)/320), dark: opt.Dark, top: edge, bottom: 16 + edge/2}
	f.face, f.bold = text.NewFace(goregular.TTF, em*f.scale), text.NewFace(gomedium.TTF, titleEm*f.scale)
	width, height := float64(opt.Width)/f.scale, float64(opt.Height)/f.scale
	if title != "" {
		f.title = f.bold.Cut(title, (width-2*edge)*f.scale)
		f.top += 1.5 * titleEm
	}
	f.legend(series, width-2*edge)
	if f.top += rowHeight * float64(counted(series)); counted(series) == 0 {
		f.top += em / 2
	}
	if f.height = height - f.top - f.bottom; f.height >= 2*em {
		f.values(series)
		widest := 0.0
		for _, t := range f.ticks {
			widest = max(widest, f.wide(t.text))
		}
		f.left, f.right = widest+edge+5, 2*edge
		f.width = width - f.left - f.right
	}
	if f.width < 4*em {
		return nil, invalid("%d×%d pixels leave no room beside title, legend and labels", opt.Width, opt.Height)
	}
	f.time(series)
	f.trace(series)
	for i := range f.keys {
		f.keys[i].x += edge - f.left
		f.keys[i].y -= f.top
	}
	return f, nil
}

// wide returns the width of a text in units.
func (f *figure) wide(s string) float64 { return f.face.Width(s) / f.scale }

// legend lays out the names of the series and their statistics in rows of a width below the title.
func (f *figure) legend(series []Series, width float64) {
	colors := classes(series)
	x, y := 0.0, f.top+rowHeight/2
	add := func(class, name string) {
		lead := 0.0
		if class != "" {
			lead = keyLength + 5
		}
		name = f.face.Cut(name, (width-lead)*f.scale)
		w := lead + f.wide(name)
		if x > 0 && x+w > width {
			x, y = 0, y+rowHeight
		}
		f.keys = append(f.keys, key{class, name, x, y})
		x += w + 1.4*em
	}
	for i := range series {
		s := &series[i]
		for k, one := range s.lines() {
			if name := strings.TrimSpace(s.Name + " " + one.axis); name != "" {
				add(s.class(colors[i], k), name)
			}
			name, v, level, ok := s.statistic()
			class := ""
			if level {
				class = colors[i] + " level"
			}
			if ok {
				add(class, strings.TrimSpace(name+" "+one.axis)+" "+quantity(one.of(v), s.unit()))
			}
		}
	}
	if len(f.keys) > 0 {
		f.top = y + rowHeight/2 + 3
	}
}

// quantity writes a value with three significant digits and its unit.
func quantity(v float64, unit string) string {
	digits := 1
	if v != 0 {
		digits += int(math.Floor(math.Log10(math.Abs(v))))
	}
	if unit != "°" {
		unit = " " + unit
	}
	return text.Fixed(v, min(max(3-digits, 0), 3)) + unit
}

// counted returns the number of series with repetitions.
func counted(series []Series) (n int) {
	for i := range series {
		n += min(len(series[i].Repetitions), 1)
	}
	return n
}

func (f *figure) values(series []Series) {
	r := empty()
	for i := range series {
		s := &series[i]
		for _, one := range s.lines() {
			for k, v := range s.values() {
				if v.Present {
					d := s.deviation(k)
					r.include(one.of(v) - d.X)
					r.include(one.of(v) + d.X)
				}
			}
			if _, v, level, _ := s.statistic(); level {
				r.include(one.of(v))
			}
		}
	}
	f.axis(r, series[0].unit())
}

func (f *figure) axis(r scale, unit string) {
	var degrees []float64
	if unit == "°" {
		degrees = []float64{15, 20, 30, 45, 60, 90}
	}
	if r.low != r.high {
		r.widen()
	}
	step := stepOf((r.high-r.low)/max(math.Floor(f.height/20), 1), degrees...)
	places := decimals(step)
	first := math.Floor(r.low/step + 1e-9)
	last := max(first+1, math.Ceil(r.high/step-1e-9))
	f.ys = scale{last * step, first * step, f.height}
	for k := first; k <= last; k++ {
		t := text.Fixed(k*step, places)
		if unit == "°" {
			t += unit
		} else if k == last {
			t += " " + unit
		}
		f.ticks = append(f.ticks, mark{round(f.ys.at(k * step)), t})
	}
}

// time lays out the axis of time, frames, or the share of a cycle.
func (f *figure) time(series []Series) {
	r := empty()
	for i := range series {
		if n := len(series[i].values()); n > 0 {
			r.include(series[i].x(0))
			r.include(series[i].x(n - 1))
		}
	}
	if r.widen(); r.high-r.low < 1e-5 {
		r.low, r.high = r.low-0.5, r.high+0.5
	}
	f.xs = scale{r.low, r.high, f.width}
	if series[0].banded() {
		for share := 0.0; share <= 100; share += 25 {
			f.times = append(f.times, mark{round(f.xs.at(share)), text.Fixed(share, 0) + " %"})
		}
		return
	}
	least := (r.high - r.low) / max(math.Floor(f.width/max(50, 1.5*digitWidth*float64(len(text.Fixed(r.high, 0))))), 1)
	before, after := "", " s"
	if series[0].Times == nil {
		least, before, after = max(least, 1), "frame ", ""
	}
	step := stepOf(least)
	for k := math.Ceil(r.low/step - 1e-9); k*step <= r.high+step*1e-9; k++ {
		t := text.Fixed(k*step, decimals(step))
		if len(f.times) == 0 {
			t = before + t + after
		}
		f.times = append(f.times, mark{round(f.xs.at(k * step)), t})
	}
}

// trace lays out the repetitions and the lines. Several series with repetitions have them in rows above the plot.
func (f *figure) trace(series []Series) {
	rows, row := counted(series), 0
	colors := classes(series)
	for i := range series {
		s := &series[i]
		for k, one := range s.Repetitions {
			x := round(f.xs.at(s.x(one.Start.Frame)))
			at := span{x, -16, round(f.xs.at(s.x(one.End.Frame))) - x, f.height + 16, strconv.Itoa(k + 1), !one.Complete || one.Shallow}
			if rows > 1 {
				at.y, at.height = -rowHeight*float64(row+1), rowHeight-1
			}
			f.spans = append(f.spans, at)
		}
		row += min(len(s.Repetitions), 1)
		for k, one := range s.lines() {
			f.lines = append(f.lines, f.line(s, s.class(colors[i], k), one.of))
			if _, v, level, _ := s.statistic(); level {
				y := f.ys.at(one.of(v))
				f.lines = append(f.lines, line{class: colors[i] + " level", runs: [][]keypoint.Point{{{0, y}, {f.width, y}}}})
			}
		}
	}
}

// line lays out the line of a series, with a gap where values are absent or start again after a turn.
func (f *figure) line(s *Series, class string, one func(analyze.Value) float64) line {
	l := line{class: class}
	var run, high, low []keypoint.Point
	endArea := func() {
		if len(high) > 1 {
			slices.Reverse(low)
			l.areas = append(l.areas, append(high, low...))
		}
		high, low = nil, nil
	}
	endRun := func() {
		if len(run) > 0 {
			l.runs = append(l.runs, f.thin(run))
		}
		run = nil
	}
	values := s.values()
	for i, v := range values {
		d, x := s.deviation(i), f.xs.at(s.x(i))
		if !v.Present || !d.Present {
			endArea()
		} else {
			high, low = append(high, keypoint.Point{x, f.ys.at(v.X + d.X)}), append(low, keypoint.Point{x, f.ys.at(v.X - d.X)})
		}
		if !v.Present || len(run) > 0 && s.Result.Type.Cyclic() && math.Abs(one(v)-one(values[i-1])) > 180 {
			endRun()
		}
		if v.Present {
			run = append(run, keypoint.Point{x, f.ys.at(one(v))})
		}
	}
	endArea()
	endRun()
	return l
}

// marks is how many marks a line of a side bears.
const marks = 5

// mark puts marks onto a line of one side, at places of its own.
func (f *figure) mark(l line) {
	offset := map[string]float64{"left": 0.3, "right": 0.7}[l.class]
	for k := 0.0; k < marks && offset > 0; k++ {
		x := f.width * (k + offset) / marks
		for _, run := range l.runs {
			for i, p := range run[1:] {
				if q := run[i]; q[0] <= x && x < p[0] {
					f.dots = append(f.dots, dot{l.class, x, q[1] + (p[1]-q[1])*(x-q[0])/(p[0]-q[0]), l.class == "right"})
				}
			}
		}
	}
}

// thin keeps the first, the lowest, the highest and the last point in each column of pixels, which looks the same.
func (f *figure) thin(run []keypoint.Point) []keypoint.Point {
	column := func(p keypoint.Point) float64 { return math.Floor(p[0] * f.scale) }
	if width := column(run[len(run)-1]) - column(run[0]) + 1; float64(len(run)) <= 4*width {
		return run
	}
	var kept []keypoint.Point
	for from := 0; from < len(run); {
		low, high, to := from, from, from
		for ; to < len(run) && column(run[to]) == column(run[from]); to++ {
			if run[to][1] < run[low][1] {
				low = to
			}
			if run[to][1] > run[high][1] {
				high = to
			}
		}
		keep := []int{from, low, high, to - 1}
		slices.Sort(keep)
		for _, i := range slices.Compact(keep) {
			kept = append(kept, run[i])
		}
		from = to
	}
	return kept
}

// round rounds to a tenth of a unit, as SVG has it.
func round(v float64) float64 { return math.Round(v*10)/10 + 0 } // −0 + 0 is 0
