package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
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
	one := &analyze.Band{Mean: analyze.Curve{{X: 1, Present: true}}}
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
		"two units":       {append(slices.Clone(good), with(func(s *chart.Series) { s.Result.Unit = "m" })...), chart.Options{}, "one unit"},
		"metres":          {append(slices.Clone(good), with(func(s *chart.Series) { s.Result.Type, s.Result.Unit = analyze.Speed, "m/s" })...), chart.Options{}, "in m/s"},
		"unknown type":    {with(func(s *chart.Series) { s.Result.Type = "volume" }), chart.Options{}, `"volume"`},
		"no type":         {with(func(s *chart.Series) { s.Result.Type = "" }), chart.Options{}, "Unit"},
		"cycle outside":   {with(func(s *chart.Series) { s.Repetitions = repetitions(0, 3) }), chart.Options{}, "repetition 0"},
		"cycle before":    {with(func(s *chart.Series) { s.Repetitions = repetitions(-1, 2) }), chart.Options{}, "repetition 0"},
		"cycle backwards": {with(func(s *chart.Series) { s.Repetitions = repetitions(2, 1) }), chart.Options{}, "repetition 0"},
		"one band":        {append(slices.Clone(good), strides("left", 0)), chart.Options{}, "only one has a Band"},
		"band of cycles":  {with(func(s *chart.Series) { s.Band = one; s.Repetitions = repetitions(0, 2) }), chart.Options{}, "a Band and 1 repetitions"},
		"band of points":  {with(func(s *chart.Series) { s.Band = one; s.Result.Type = analyze.Coordinate }), chart.Options{}, "a Band and points"},
		"band NaN":        {with(func(s *chart.Series) { s.Band = &analyze.Band{Mean: analyze.Curve{{X: nan, Present: true}}} }), chart.Options{}, "point 0 of the Band"},
		"band below 0": {with(func(s *chart.Series) {
			s.Band = &analyze.Band{Mean: one.Mean, StandardDeviation: analyze.Curve{{X: -1, Present: true}}}
		}), chart.Options{}, "point 0 of the Band"},
		"statistic NaN": {with(func(s *chart.Series) {
			s.Result.Movie = &analyze.Summary{MovieOption: analyze.MovieOption{Statistic: analyze.Max}, Value: values(nan)[0]}
		}), chart.Options{}, "max of the values"},
		"name":              {with(func(s *chart.Series) { s.Name = "a\nb" }), chart.Options{}, `'\n'`},
		"invalid UTF-8":     {with(func(s *chart.Series) { s.Name = "a\xffb" }), chart.Options{}, "Name"},
		"long title":        {good, chart.Options{Title: long}, "201 characters"},
		"negative width":    {good, chart.Options{Width: -1}, "-1×400"},
		"narrow":            {good, chart.Options{Width: 159}, "159×400"},
		"huge height":       {good, chart.Options{Height: 8193}, "800×8193"},
		"no room":           {slices.Repeat(with(func(s *chart.Series) { s.Name = long[:190] }), 6), chart.Options{Width: 200, Height: 120}, "no room"},
		"unit of two lines": {with(func(s *chart.Series) { s.Result.Unit = "a\nb" }), chart.Options{}, "Result.Unit"},
		"result's name":     {with(func(s *chart.Series) { s.Result.Name = "a\x00b" }), chart.Options{}, "Result.Name"},
	} {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			for verb, err := range map[string]error{
				"Image":    second(chart.Image(c.series, c.opt)),
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

func repetitions(start, end int) []analyze.Repetition {
	return []analyze.Repetition{{Start: analyze.Moment{Frame: start}, End: analyze.Moment{Frame: end}, Complete: true}}
}

// TestOdd: unusual but valid input is drawn without a panic and without NaN in the output.
func TestOdd(t *testing.T) {
	flat := angle(90, 90, 90)
	far := angle(1e12, -1e12)
	near := angle(1e12, 1e12-1e-3)
	tiny := angle(0, 1e-300)
	quick := angle(1, 2, 3)
	quick.Times = []float64{1e12 - 2e-4, 1e12 - 1e-4, 1e12}
	instant := angle(5, 7)
	instant.Repetitions = repetitions(0, 0)
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
			var svg bytes.Buffer
			m, err := chart.Image(series, opt)
			if err != nil {
				if opt.Width == 160 && strings.Contains(err.Error(), "no room") {
					continue
				}
				t.Errorf("%s: %v", name, err)
				continue
			}
			if opt.Width > 0 && (m.Bounds().Dx() != opt.Width || m.Bounds().Dy() != opt.Height) {
				t.Errorf("%s: picture %v", name, m.Bounds())
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
	series := compared()
	before := compared()
	draw := func() []byte {
		var buf bytes.Buffer
		m, err := chart.Image(series, chart.Options{})
		if err != nil {
			t.Error(err)
		}
		buf.Write(m.(*image.RGBA).Pix)
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
		if !slices.Equal(series[i].Result.Values, before[i].Result.Values) || series[i].Name != before[i].Name {
			t.Errorf("series %d was changed", i)
		}
	}
}

// TestWriter: errors of the writer are returned.
func TestWriter(t *testing.T) {
	broken := errors.New("broken")
	if err := chart.WriteSVG(failing{broken}, []chart.Series{angle(1, 2)}, chart.Options{}); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the writer", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestNilWriter: a nil writer is an error, not a panic.
func TestNilWriter(t *testing.T) {
	if err := chart.WriteSVG(nil, []chart.Series{angle(1, 2)}, chart.Options{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Error(err)
	}
}

// TestScripts: an SVG has text of any script, a picture refuses what its font lacks.
func TestScripts(t *testing.T) {
	series, opt := []chart.Series{angle(1, 2)}, chart.Options{Title: "スクワット", Width: 300}
	var svg bytes.Buffer
	if err := chart.WriteSVG(&svg, series, opt); err != nil || !strings.Contains(svg.String(), ">スクワット<") {
		t.Errorf("error %v", err)
	}
	if _, err := chart.Image(series, opt); !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), "font lacks") {
		t.Errorf("error %v, want one of the font", err)
	}
}

// TestInline: a chart within a page has no style of its own, and the classes of both sides; the other
// recording of a comparison is dashed.
func TestInline(t *testing.T) {
	both := knees()
	other := both[1]
	other.Dashed = true
	svg, err := chart.Inline([]chart.Series{both[1], other, both[0]}, "Knee & <hip>")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`viewBox="-30 -5 347 103"`, `aria-label="Knee &amp; &lt;hip&gt;"`, `class="ln left"`, `class="ln left dashed"`, `class="ln right"`} {
		if strings.Count(svg, want) != 1 {
			t.Errorf("the chart has %q %d times", want, strings.Count(svg, want))
		}
	}
	if strings.Contains(svg, "style") || strings.Contains(svg, "Knee flexion") {
		t.Error("the chart has a style or a title of its own")
	}
	if _, err := chart.Inline(nil, ""); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("no series: %v", err)
	}
}
