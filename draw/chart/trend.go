package chart

import (
	"cmp"
	"fmt"
	"html"
	"image"
	"slices"
	"strings"
	"time"

	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint"
)

// Trend is one number of a person over recordings.
type Trend struct {
	Side     analyze.Side
	Unit     string
	Least    float64 // the smallest real change, drawn as a band about the first value; 0: no band
	Sessions []Session
}

// Session is a recording of a Trend.
type Session struct {
	Time        time.Time
	Date        string        // below the axis
	Value       analyze.Value // absent: withheld, a hollow mark
	Uncertainty analyze.Value
	Estimated   bool   // or of another kind than the one before: the line to it is dotted
	Label       string // the value in words, or why there is none
}

// InlineTrend returns trends, at most one of each side, as Inline returns series. Between two values lies a line, which
// is dotted over what is withheld. The page also styles the classes bar and lane.
func InlineTrend(trends []Trend, title string) (string, error) {
	if err := checkTrends(trends, title); err != nil {
		return "", err
	}
	f := &figure{scale: 1, left: 30, right: 22, top: 8, bottom: 16, width: 295, height: 82}
	f.trends(trends)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="%s" role="img" aria-label="%s">`, f.viewBox(), html.EscapeString(title))
	f.body(&b)
	return b.String() + "</svg>", nil
}

// TrendImage draws trends as Image draws series, with their errors.
func TrendImage(trends []Trend, opt Options) (image.Image, error) {
	opt.Width, opt.Height = cmp.Or(opt.Width, 800), cmp.Or(opt.Height, 400)
	if opt.Width < 2*minWidth || opt.Height < 2*minHeight || opt.Width > maxSide || opt.Height > maxSide {
		return nil, invalid("Width and Height are %d×%d pixels, want %d×%d to %d×%d", opt.Width, opt.Height, 2*minWidth, 2*minHeight, maxSide, maxSide)
	}
	if err := checkTrends(trends, opt.Title); err != nil {
		return nil, err
	}
	f := &figure{scale: max(1.25, float64(opt.Height)/320), dark: opt.Dark, left: 45, right: 35, top: edge + 2*titleEm, bottom: 16 + edge/2}
	f.face, f.bold = text.NewFace(goregular.TTF, em*f.scale), text.NewFace(gomedium.TTF, titleEm*f.scale)
	f.width, f.height = float64(opt.Width)/f.scale-f.left-f.right, float64(opt.Height)/f.scale-f.top-f.bottom
	f.title = f.bold.Cut(opt.Title, float64(opt.Width)-2*edge*f.scale)
	f.trends(trends)
	for _, t := range append([]label{{text: f.title}}, f.labels...) {
		if c, missing := f.face.Lacks(t.text); missing {
			return nil, invalid("the text %q has the character %q, which the font lacks; InlineTrend takes it", t.text, c)
		}
	}
	return f.picture()
}

func checkTrends(trends []Trend, title string) error {
	if err := checkText("Title", title); err != nil {
		return invalid("%w", err)
	}
	if n := len(trends); n == 0 || n > 2 {
		return invalid("%d trends, want 1 or 2", n)
	}
	for i, t := range trends {
		switch {
		case len(t.Sessions) == 0:
			return invalid("trend %d has no sessions", i)
		case t.Unit != trends[0].Unit:
			return invalid("trend %d is in %s and trend 0 in %s, want one unit", i, t.Unit, trends[0].Unit)
		case i > 0 && t.Side == trends[0].Side:
			return invalid("both trends are of the side %q", t.Side)
		case !(t.Least >= 0 && sound(t.Least)):
			return invalid("Least of trend %d is %v", i, t.Least)
		}
		for k, s := range t.Sessions {
			if s.Value.Present && !sound(s.Value.X) || s.Uncertainty.Present && !(s.Uncertainty.X >= 0 && sound(s.Uncertainty.X)) {
				return invalid("session %d of trend %d is %v ± %v, want numbers from %g to %g", k, i, s.Value.X, s.Uncertainty.X, -maxNumber, maxNumber)
			}
			if k > 0 && s.Time.Before(t.Sessions[k-1].Time) {
				return invalid("session %d of trend %d is before session %d", k, i, k-1)
			}
			if err := join(checkText("Label", s.Label), checkText("Date", s.Date)); err != nil {
				return invalid("session %d of trend %d: %w", k, i, err)
			}
		}
	}
	return nil
}

// join returns the first error.
func join(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// dot is a mark of a side: a circle, or for the right a square.
type dot struct {
	class  string // of its colour
	x, y   float64
	hollow bool
}

// label is a text at a place.
type label struct {
	text, class, anchor string
	x, y                float64
}

const (
	laneHeight = 13.0
	leastShare = 0.6 // of an equal distance between recordings that are nearer in time
	barEnd     = 3.0
)

// trends lays out trends in a figure whose room is set.
func (f *figure) trends(trends []Trend) {
	withheld := false
	r := empty()
	for _, t := range trends {
		first := true
		for _, s := range t.Sessions {
			if withheld = withheld || !s.Value.Present; !s.Value.Present {
				continue
			}
			r.include(s.Value.X - s.Uncertainty.X)
			r.include(s.Value.X + s.Uncertainty.X)
			if first {
				r.include(s.Value.X - t.Least)
				r.include(s.Value.X + t.Least)
			}
			first = false
		}
	}
	if withheld {
		f.height -= laneHeight + 4
		f.bottom += laneHeight + 4
	}
	if r.high < r.low {
		r = scale{low: 0, high: 1}
	} else {
		f.axis(r, trends[0].Unit)
	}
	at := f.dates(trends, withheld)
	if withheld {
		f.lanes = append(f.lanes, span{x: -8, y: f.height + 4, width: f.width + 16, height: laneHeight})
	}
	ends := map[float64]float64{} // of the texts in the lane, by their x
	for i, t := range trends {
		f.trend(&t, at, 3*(2*float64(i)-float64(len(trends)-1)), i, ends)
	}
}

// dates lays out the axis of dates and returns the place of each time.
func (f *figure) dates(trends []Trend, lane bool) map[time.Time]float64 {
	names := map[time.Time]string{}
	var times []time.Time
	for _, t := range trends {
		for _, s := range t.Sessions {
			if _, known := names[s.Time]; !known {
				times = append(times, s.Time)
			}
			names[s.Time] = s.Date
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	n := len(times)
	at, sum := make([]float64, n), 0.0
	for i := 1; i < n; i++ {
		whole := times[n-1].Sub(times[0]).Seconds()
		sum += max(times[i].Sub(times[i-1]).Seconds()/whole, leastShare/float64(n-1))
		at[i] = sum
	}
	places := map[time.Time]float64{}
	free := -edge
	for i, t := range times {
		x := f.width / 2
		if n > 1 {
			x = at[i] / sum * f.width
		}
		places[t] = x
		if wide := digitWidth * float64(len([]rune(names[t]))); x-wide/2 > free {
			m := mark{round(x), names[t]}
			f.times, free = append(f.times, m), x+wide/2+2
		}
	}
	if lane {
		f.under = laneHeight + 4
	}
	return places
}

// trend lays out one trend, beside the places of the dates by a shift.
func (f *figure) trend(t *Trend, at map[time.Time]float64, shift float64, row int, ends map[float64]float64) {
	class := cmp.Or(string(t.Side), "mid")
	before, gap := -1, false
	for k, s := range t.Sessions {
		x := at[s.Time] + shift
		if !s.Value.Present {
			y := f.height + 4 + laneHeight/2
			f.dots = append(f.dots, dot{class, x, y, true})
			f.reason(s, at[s.Time], x, y, ends)
			gap = true
			continue
		}
		y := f.ys.at(s.Value.X)
		if before < 0 && t.Least > 0 {
			high, low := f.ys.at(s.Value.X+t.Least), f.ys.at(s.Value.X-t.Least)
			f.lines = append(f.lines, line{class: class + " level", runs: [][]keypoint.Point{{{0, high}, {f.width, high}}, {{0, low}, {f.width, low}}},
				areas: [][]keypoint.Point{{{0, high}, {f.width, high}, {f.width, low}, {0, low}}}})
		}
		if before >= 0 {
			last, look := t.Sessions[before], class
			if gap || s.Estimated != last.Estimated {
				look += " level"
			}
			f.lines = append(f.lines, line{class: look, runs: [][]keypoint.Point{{{at[last.Time] + shift, f.ys.at(last.Value.X)}, {x, y}}}})
		}
		top := y - 5
		if d := s.Uncertainty; d.Present && d.X > 0 {
			high, low := f.ys.at(s.Value.X+d.X), f.ys.at(s.Value.X-d.X)
			top = min(top, high-2)
			f.lines = append(f.lines, line{class: class, runs: [][]keypoint.Point{
				{{x, high}, {x, low}}, {{x - barEnd, high}, {x + barEnd, high}}, {{x - barEnd, low}, {x + barEnd, low}}}})
		}
		f.dots = append(f.dots, dot{class, x, y, s.Estimated})
		if row == 0 {
			f.labels = append(f.labels, label{s.Label, "no", "middle", x, max(top-1, -1)})
		} else {
			f.labels = append(f.labels, label{s.Label, "no", "middle", x, min(f.ys.at(s.Value.X-s.Uncertainty.X)+em, f.height-1)})
		}
		before, gap = k, false
	}
}

// reason writes why a session is withheld beside its mark, if there is room.
func (f *figure) reason(s Session, at, x, y float64, ends map[float64]float64) {
	if _, said := ends[at]; said || s.Label == "" {
		return
	}
	wide, from, anchor := digitWidth*0.95*float64(len([]rune(s.Label))), x+7, "start"
	if from+wide > f.width+8 {
		from, anchor = x-7, "end"
	}
	left, right := from, from+wide
	if anchor == "end" {
		left, right = from-wide, from
	}
	for start, end := range ends {
		if left < end && start-6 < right {
			return
		}
	}
	ends[at] = max(right, x+6)
	f.labels = append(f.labels, label{s.Label, "key", anchor, from, y + 3.2})
}
