package chart

import (
	"cmp"
	"fmt"
	"html"
	"image"
	"io"
	"strings"

	"github.com/bodymotion/motion/analyze"
)

// Series is the result of one analysis of one recording. All series of a chart have the same unit, and either all or none have times.
type Series struct {
	Name        string               // in the legend; "" means the Result's Side or Name, if the title does not say it
	Result      analyze.Result       // its Type, Side, Values, Unit and Movie are drawn
	Times       []float64            // seconds, increasing, one for each value; nil numbers the frames from 0
	Repetitions []analyze.Repetition // numbered above the chart; incomplete and shallow ones are yellow
	Dashed      bool                 // the other recording of a comparison, in the colour of the series before it

	// Band is a mean repetition or stride: if it has a Mean, this is drawn over 0 to 100 % of the cycle, with one standard deviation on
	// either side, instead of the Values, Movie and Times of the recording. Either all series of a chart have one, or none.
	Band *analyze.Band
}

// Options describe the look of a chart. Zero fields select the defaults.
type Options struct {
	Width, Height int    // pixels, 160 to 8192 and 100 to 8192; 0 means 800 and 400
	Title         string // above the chart; "" means what all series show, such as "Knee flexion", or none
	Dark          bool   // light lines on almost black
}

// Image draws 1 to 6 series, in the given order, as an opaque picture of opt.Width × opt.Height pixels.
//
// Invalid arguments are a keypoint.ErrInvalid that names the series or the option, also numbers outside
// −10¹² to 10¹², texts of more than 200 characters, and a size too small for title, legend and text. The
// font has Latin, Greek and Cyrillic; other characters are an error too. In a browser it is an errors.ErrUnsupported.
func Image(series []Series, opt Options) (image.Image, error) {
	f, err := arrange(series, opt)
	if err != nil {
		return nil, err
	}
	texts := []string{f.title, series[0].unit()}
	for _, k := range f.keys {
		texts = append(texts, k.text)
	}
	return f.written(texts, "WriteSVG")
}

// written returns the picture if the font has the texts; instead takes any.
func (f *figure) written(texts []string, instead string) (image.Image, error) {
	for _, t := range texts {
		if c, missing := f.face.Lacks(t); missing {
			return nil, invalid("the text %q has the character %q, which the font lacks; %s takes it", t, c, instead)
		}
	}
	return f.picture()
}

// WriteSVG writes the chart of Image as an SVG file of opt.Width × opt.Height CSS pixels, with text of any script. Errors of the
// arguments are those of Image, and nothing is written; a nil w is one of them. Errors of the writer are returned unchanged.
func WriteSVG(w io.Writer, series []Series, opt Options) error {
	f, err := arrange(series, opt)
	if err == nil && w == nil {
		err = invalid("the writer is nil")
	}
	if err == nil {
		_, err = io.WriteString(w, f.file())
	}
	return err
}

// Inline returns the chart as an svg element of the class chart for a page that shows title and legend itself. Its plot is 300 by
// 82 units, its text 9.5; the page styles the classes span, flag, no, grid, area, ln, dashed and level, and those of the colours:
// left, right, mid for values without a side. Lines of the left bear circles and lines of the right squares, of the class mk, which
// tell them apart in grey. The title is for readers of the screen. Errors are those of Image.
func Inline(series []Series, title string) (string, error) {
	if err := check(series, title); err != nil {
		return "", err
	}
	f := &figure{scale: 1, left: 30, right: 17, top: 5, bottom: 16, width: 300, height: 82}
	if rows := counted(series); rows > 0 {
		f.top = 17 + float64(rows-1)*rowHeight
	}
	f.values(series)
	f.time(series)
	f.trace(series)
	for _, l := range f.lines {
		f.mark(l)
	}
	return f.inline(title), nil
}

// inline returns the figure as an svg element for a page.
func (f *figure) inline(title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="%s" role="img" aria-label="%s">`, f.viewBox(), html.EscapeString(title))
	f.body(&b)
	return b.String() + "</svg>"
}

// unit returns the unit of the series: "°", "px".
func (s *Series) unit() string { return cmp.Or(s.Result.Unit, s.Result.Type.Unit()) }

// banded reports whether the series is a mean cycle.
func (s *Series) banded() bool { return s.Band != nil && s.Band.Mean != nil }

func (s *Series) values() []analyze.Value {
	if s.banded() {
		return s.Band.Mean
	}
	return s.Result.Values
}

// deviation returns the standard deviation at a point of the mean cycle, or the uncertainty of an angle. It is absent if neither is known.
func (s *Series) deviation(point int) analyze.Value {
	list := s.Result.Uncertainty
	switch {
	case s.banded():
		list = s.Band.StandardDeviation
	case s.unit() != "°":
		list = nil
	}
	if point >= len(list) {
		return analyze.Value{}
	}
	return list[point]
}

// x returns the position of a frame, or a point of the mean cycle, on the x axis.
func (s *Series) x(frame int) float64 {
	switch {
	case s.banded():
		return 100 * float64(frame) / float64(max(len(s.Band.Mean)-1, 1))
	case s.Times == nil:
		return float64(frame)
	}
	return s.Times[frame]
}

// number is what is drawn as one line: the value, or the x or y of a point.
type number struct {
	axis string // "x" or "y" of points, else ""
	of   func(analyze.Value) float64
}

// lines returns the numbers that are drawn.
func (s *Series) lines() []number {
	x, y := func(v analyze.Value) float64 { return v.X }, func(v analyze.Value) float64 { return v.Y }
	if s.Result.Type.Pair() {
		return []number{{"x", x}, {"y", y}}
	}
	return []number{{"", x}}
}

// statistic returns the name and the value of the statistic of the recording; level tells whether it is a
// place on the axis. ok is false if there is none.
func (s *Series) statistic() (name string, v analyze.Value, level, ok bool) {
	m := s.Result.Movie
	if m == nil || !m.Value.Present || s.banded() {
		return "", analyze.Value{}, false, false
	}
	name = string(m.Statistic)
	if m.Target != "" && m.Target != "all" {
		name = fmt.Sprintf("%s (%s)", name, m.Target)
	}
	return name, m.Value, m.Statistic != analyze.Range && m.Statistic != analyze.StandardDeviation, true
}
