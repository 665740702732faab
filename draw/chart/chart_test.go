package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/keypoint"
)

func values(x ...float64) []analyze.Value {
	var v []analyze.Value
	for _, x := range x {
		v = append(v, analyze.Value{X: x, Present: true})
	}
	return v
}

func angle(x ...float64) chart.Series {
	return chart.Series{Result: analyze.Result{Type: analyze.VectorAngle, Values: values(x...)}}
}

// with changes a series of three angles.
func with(change func(*chart.Series)) []chart.Series {
	s := angle(10, 20, 30)
	change(&s)
	return []chart.Series{s}
}

func TestBadInput(t *testing.T) {
	good := with(func(*chart.Series) {})
	nan, inf := math.NaN(), math.Inf(1)
	timed := angle(1, 2)
	timed.Times = []float64{0, 1}
	long := strings.Repeat("a", 201)
	one := analyze.Band{Mean: analyze.Curve{{X: 1, Present: true}}}
	for name, c := range map[string]struct {
		series []chart.Series
		opt    chart.Options
		want   string
	}{
		"no series":       {nil, chart.Options{}, "0 series"},
		"too many series": {slices.Repeat(good, 7), chart.Options{}, "7 series"},
		"no values":       {with(func(s *chart.Series) { s.Result.Values = nil }), chart.Options{}, "no frame has a value"},
		"nothing found":   {with(func(s *chart.Series) { s.Result.Values = make([]analyze.Value, 9) }), chart.Options{}, "no frame has a value"},
		"NaN":             {with(func(s *chart.Series) { s.Result.Values[1].X = nan }), chart.Options{}, "value of frame 1"},
		"infinite":        {with(func(s *chart.Series) { s.Result.Values[2].X = -inf }), chart.Options{}, "value of frame 2"},
		"NaN of a pair":   {with(func(s *chart.Series) { s.Result.Type = analyze.Coordinate; s.Result.Values[0].Y = nan }), chart.Options{}, "value of frame 0"},
		"huge":            {with(func(s *chart.Series) { s.Result.Values[0].X = 1e300 }), chart.Options{}, "value of frame 0"},
		"few times":       {with(func(s *chart.Series) { s.Times = []float64{0, 1} }), chart.Options{}, "2 times for 3 values"},
		"NaN time":        {with(func(s *chart.Series) { s.Times = []float64{0, nan, 2} }), chart.Options{}, "time of frame 1"},
		"equal times":     {with(func(s *chart.Series) { s.Times = []float64{0, 1, 1} }), chart.Options{}, "time of frame 2"},
		"some times":      {append(slices.Clone(good), timed), chart.Options{}, "only one has times"},
		"two units":       {append(slices.Clone(good), with(func(s *chart.Series) { s.Unit = "m" })...), chart.Options{}, "one unit"},
		"metres":          {append(slices.Clone(good), with(func(s *chart.Series) { s.Result.Type, s.Result.Unit = analyze.Speed, "m/s" })...), chart.Options{}, "in metres per second"},
		"unknown type":    {with(func(s *chart.Series) { s.Result.Type = "volume" }), chart.Options{}, `"volume"`},
		"no type":         {with(func(s *chart.Series) { s.Result.Type = "" }), chart.Options{}, "Unit"},
		"cycle outside":   {with(func(s *chart.Series) { s.Cycles = []analyze.Cycle{{Start: 0, Turn: 1, End: 3}} }), chart.Options{}, "cycle 0"},
		"cycle before":    {with(func(s *chart.Series) { s.Cycles = []analyze.Cycle{{Start: -1, Turn: 1, End: 2}} }), chart.Options{}, "cycle 0"},
		"cycle NaN":       {with(func(s *chart.Series) { s.Cycles = []analyze.Cycle{{End: 2, At: nan}} }), chart.Options{}, "cycle 0"},
		"one band":        {append(slices.Clone(good), strides("left", 0)), chart.Options{}, "only one has a Band"},
		"band of cycles":  {with(func(s *chart.Series) { s.Band = one; s.Cycles = []analyze.Cycle{{End: 2}} }), chart.Options{}, "a Band and 1 cycles"},
		"band of points":  {with(func(s *chart.Series) { s.Band = one; s.Result.Type = analyze.Coordinate }), chart.Options{}, "a Band and points"},
		"band NaN":        {with(func(s *chart.Series) { s.Band = analyze.Band{Mean: analyze.Curve{{X: nan, Present: true}}} }), chart.Options{}, "point 0 of the Band"},
		"band below 0":    {with(func(s *chart.Series) { s.Band = one; s.Band.StandardDeviation = analyze.Curve{{X: -1, Present: true}} }), chart.Options{}, "point 0 of the Band"},
		"level NaN":       {with(func(s *chart.Series) { s.Levels = []chart.Level{{Name: "mean", Value: nan}} }), chart.Options{}, `"mean"`},
		"level text":      {with(func(s *chart.Series) { s.Levels = []chart.Level{{Name: "平均"}} }), chart.Options{}, "font lacks"},
		"many levels":     {with(func(s *chart.Series) { s.Levels = make([]chart.Level, 21) }), chart.Options{}, "21 levels"},
		"statistic NaN":   {with(func(s *chart.Series) { s.Result.Movie = &analyze.Summary{Value: values(nan)[0]} }), chart.Options{}, "level"},
		"extreme NaN": {with(func(s *chart.Series) {
			s.Result.Movie = &analyze.Summary{Value: values(1)[0], Time: analyze.Value{X: nan, Present: true}}
		}), chart.Options{}, "extreme"},
		"name":              {with(func(s *chart.Series) { s.Name = "a\nb" }), chart.Options{}, `'\n'`},
		"invalid UTF-8":     {with(func(s *chart.Series) { s.Name = "a\xffb" }), chart.Options{}, "Name"},
		"long title":        {good, chart.Options{Title: long}, "201 characters"},
		"negative width":    {good, chart.Options{Width: -1}, "-1×400"},
		"narrow":            {good, chart.Options{Width: 159}, "159×400"},
		"huge height":       {good, chart.Options{Height: 8193}, "800×8193"},
		"theme":             {good, chart.Options{Theme: "sepia"}, "sepia"},
		"line width":        {good, chart.Options{LineWidth: -1}, "LineWidth"},
		"line width NaN":    {good, chart.Options{LineWidth: nan}, "LineWidth"},
		"font size":         {good, chart.Options{FontSize: 5}, "FontSize"},
		"font size NaN":     {good, chart.Options{FontSize: nan}, "FontSize"},
		"font without room": {good, chart.Options{Width: 200, Height: 120, FontSize: 60}, "no room"},
	} {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			for verb, err := range map[string]error{
				"Image":    second(chart.Image(c.series, c.opt)),
				"WritePNG": chart.WritePNG(&buf, c.series, c.opt),
				"WriteSVG": chart.WriteSVG(&buf, c.series, c.opt),
			} {
				if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: error %v, want a keypoint.ErrInvalid with %q", verb, err, c.want)
				}
			}
			if buf.Len() > 0 {
				t.Errorf("%d bytes were written before the error", buf.Len())
			}
		})
	}
}

func second(_ any, err error) error { return err }

// TestOdd: unusual but valid input is drawn without a panic and without NaN in the output.
func TestOdd(t *testing.T) {
	flat := angle(90, 90, 90)
	far := angle(1e12, -1e12)
	near := angle(1e12, 1e12-1e-3)
	tiny := angle(0, 1e-300)
	quick := angle(1, 2, 3)
	quick.Times = []float64{1e12 - 2e-4, 1e12 - 1e-4, 1e12}
	instant := angle(5, 7)
	instant.Cycles = []analyze.Cycle{{From: 5, At: 5, To: 5}}
	empty := chart.Series{Name: "empty", Result: analyze.Result{Type: analyze.VectorAngle}}
	escaped := angle(1, 2)
	escaped.Name = `<b> & "style="`
	absent := angle(3)
	absent.Result.Movie = &analyze.Summary{MovieOption: analyze.MovieOption{Statistic: analyze.Mean}}
	for name, series := range map[string][]chart.Series{
		"flat": {flat}, "far": {far}, "near": {near}, "tiny": {tiny}, "quick": {quick}, "instant": {instant},
		"beside an empty one": {flat, empty}, "escaped": {escaped}, "absent statistic": {absent},
	} {
		for _, opt := range []chart.Options{{}, {Width: 160, Height: 100}, {Width: 160, Height: 3000}, {Width: 3000, Height: 100}} {
			var pic, svg bytes.Buffer
			if err := chart.WritePNG(&pic, series, opt); err != nil {
				if opt.Width == 160 && strings.Contains(err.Error(), "no room") {
					continue
				}
				t.Errorf("%s: %v", name, err)
				continue
			}
			if m, err := png.Decode(&pic); err != nil || opt.Width > 0 && (m.Bounds().Dx() != opt.Width || m.Bounds().Dy() != opt.Height) {
				t.Errorf("%s: picture %v, error %v", name, m.Bounds(), err)
			}
			if err := chart.WriteSVG(&svg, series, opt); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if s := svg.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
				t.Errorf("%s: the SVG has a number that is none", name)
			}
			for dec := xml.NewDecoder(&svg); ; {
				if _, err := dec.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Errorf("%s: %v", name, err)
					break
				}
			}
		}
	}
}

// TestSame: repeated and concurrent drawing gives the same bytes and leaves the arguments
// unchanged.
func TestSame(t *testing.T) {
	series := compared(t)
	before := compared(t)
	draw := func() []byte {
		var buf bytes.Buffer
		if err := chart.WritePNG(&buf, series, chart.Options{}); err != nil {
			t.Error(err)
		}
		if err := chart.WriteSVG(&buf, series, chart.Options{}); err != nil {
			t.Error(err)
		}
		return buf.Bytes()
	}
	want := draw()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if !bytes.Equal(draw(), want) {
				t.Error("a second drawing has other bytes")
			}
		})
	}
	wg.Wait()
	for i := range series {
		if !slices.Equal(series[i].Result.Values, before[i].Result.Values) || !slices.Equal(series[i].Levels, before[i].Levels) {
			t.Errorf("series %d was changed", i)
		}
	}
}

// TestWriter: errors of the writer are returned.
func TestWriter(t *testing.T) {
	broken := errors.New("broken")
	for name, write := range map[string]func(io.Writer, []chart.Series, chart.Options) error{"PNG": chart.WritePNG, "SVG": chart.WriteSVG} {
		if err := write(failing{broken}, []chart.Series{angle(1, 2)}, chart.Options{}); !errors.Is(err, broken) {
			t.Errorf("%s: error %v, want that of the writer", name, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestNilWriter: a nil writer is an error, not a panic.
func TestNilWriter(t *testing.T) {
	good := with(func(*chart.Series) {})
	for name, write := range map[string]func(io.Writer, []chart.Series, chart.Options) error{"PNG": chart.WritePNG, "SVG": chart.WriteSVG} {
		if err := write(nil, good, chart.Options{}); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
