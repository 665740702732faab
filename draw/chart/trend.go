package chart

import (
	"cmp"
	"image"
	"slices"
	"time"
	"unicode/utf8"

	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// TrendOptions describe the look of a chart of trends. Zero fields select the defaults.
type TrendOptions struct {
	Options                 // Width and Height are at least 320 and 200
	Language say.Language   // of reasons and dates
	Zone     *time.Location // of the dates; nil: UTC
}

// InlineTrend returns one or two trends of different sides as Inline returns series: each value with its uncertainty, and
// the smallest real change as a band about the first one. What is estimated is hollow and bears a "~"; what is withheld is a
// hollow mark below, with the reason, and the line over it is dotted. The page also styles the classes key and lane.
func InlineTrend(trends []trend.Trend, opt TrendOptions) (string, error) {
	if err := checkTrends(trends, opt.Title); err != nil {
		return "", err
	}
	f := &figure{scale: 1, left: 30, right: 22, top: 8, bottom: 16, width: 295, height: 104}
	f.trends(trends, opt)
	return f.inline(opt.Title), nil
}

// TrendImage draws what InlineTrend does as Image draws series, with its errors.
func TrendImage(trends []trend.Trend, opt TrendOptions) (image.Image, error) {
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
	f.trends(trends, opt)
	texts := []string{f.title}
	for _, l := range f.labels {
		texts = append(texts, l.text)
	}
	for _, t := range f.times {
		texts = append(texts, t.text)
	}
	return f.written(texts, "InlineTrend")
}

// checkTrends reports what no trend.Of returns, and trends that do not fit together.
func checkTrends(trends []trend.Trend, title string) error {
	if err := checkText("Title", title); err != nil || len(trends) == 0 || len(trends) > 2 {
		return invalid("%d trends, want 1 or 2, and a title (%v)", len(trends), err)
	}
	for i, t := range trends {
		first := &trends[0]
		wrong := len(t.Sessions) == 0 || !(t.SmallestChange.X >= 0 && sound(t.SmallestChange.X)) ||
			i > 0 && (t.Side == first.Side || t.Unit != first.Unit && t.Unit != "" && first.Unit != "")
		for k, s := range t.Sessions {
			wrong = wrong || !sound(s.Value.X) || !(s.Uncertainty.X >= 0 && sound(s.Uncertainty.X)) || k > 0 && s.RecordedAt.Before(t.Sessions[k-1].RecordedAt)
		}
		if wrong {
			return invalid("trend %d has no sessions, or some out of order or without numbers, or is of the side or not in the unit of the first", i)
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
	laneRoom   = laneHeight + 4
	leastShare = 0.6  // of an equal distance, between recordings that are nearer in time
	barEnd     = 3.0  // half the width of the end of an error bar
	inset      = 14.0 // of the first and the last date
	besides    = 3.0  // from the place of a date to the mark of a side, if there are two
)

// trends lays out trends in a figure whose room is set.
func (f *figure) trends(trends []trend.Trend, opt TrendOptions) {
	withheld, r := false, empty()
	for _, t := range trends {
		band := t.SmallestChange.X
		for _, s := range t.Sessions {
			if withheld = withheld || !s.Value.Present; !s.Value.Present {
				continue
			}
			for _, d := range []float64{s.Uncertainty.X, band} {
				r.include(s.Value.X - d)
				r.include(s.Value.X + d)
			}
			band = 0
		}
	}
	if withheld {
		f.height -= laneRoom
		f.under, f.bottom = laneRoom, f.bottom+laneRoom
		f.lanes = []span{{x: -8, y: f.height + 4, width: f.width + 16, height: laneHeight}}
	}
	if r.low <= r.high {
		f.axis(r, cmp.Or(trends[0].Unit, trends[len(trends)-1].Unit))
	}
	places, ends := f.dates(trends, opt), -edge
	for i, t := range trends {
		f.bands(&t)
		f.trend(&t, places, besides*(2*float64(i)-float64(len(trends)-1)), i > 0)
	}
	for _, s := range trends[0].Sessions { // the reasons are those of the first trend, but where only the other has one
		for _, t := range trends {
			k := slices.IndexFunc(t.Sessions, func(o trend.Session) bool { return o.KeypointID == s.KeypointID && o.RecordedAt.Equal(s.RecordedAt) })
			if k >= 0 && !t.Sessions[k].Value.Present && f.reason(&t.Sessions[k], opt.Language, places[s.RecordedAt], &ends) {
				break
			}
		}
	}
}

// dates lays out the axis of dates and returns the place of each time.
func (f *figure) dates(trends []trend.Trend, opt TrendOptions) map[time.Time]float64 {
	undated := map[time.Time]bool{}
	var times []time.Time
	for _, t := range trends {
		for _, s := range t.Sessions {
			if _, known := undated[s.RecordedAt]; !known {
				times = append(times, s.RecordedAt)
			}
			undated[s.RecordedAt] = s.Undated
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	n := len(times)
	at, sum, whole := make([]float64, n), 0.0, times[n-1].Sub(times[0]).Seconds()
	for i := 1; i < n; i++ {
		sum += max(times[i].Sub(times[i-1]).Seconds()/whole, leastShare/float64(n-1))
		at[i] = sum
	}
	format := dateFormats[opt.Language][min(max(times[n-1].Year()-times[0].Year(), 0), 1)]
	places, free := map[time.Time]float64{}, -2*edge
	for i, t := range times {
		x := f.width / 2
		if n > 1 {
			x = inset + at[i]/sum*(f.width-2*inset)
		}
		places[t] = x
		name := t.In(cmp.Or(opt.Zone, time.UTC)).Format(format)
		if undated[t] {
			name += "?"
		}
		if half := digitWidth * float64(len(name)) / 2; x-half > free {
			f.times, free = append(f.times, mark{round(x), name}), x+half+2
		}
	}
	return places
}

// dateFormats are those of dates on an axis, in one year and in several.
var dateFormats = map[say.Language][2]string{"": {"2 Jan", "2 Jan 06"}, say.English: {"2 Jan", "2 Jan 06"}, say.Japanese: {"1/2", "06/1/2"}}

// bands lays out the smallest real change about the first value.
func (f *figure) bands(t *trend.Trend) {
	k := slices.IndexFunc(t.Sessions, func(s trend.Session) bool { return s.Value.Present })
	if k < 0 || t.SmallestChange.X == 0 {
		return
	}
	high, low := f.ys.at(t.Sessions[k].Value.X+t.SmallestChange.X), f.ys.at(t.Sessions[k].Value.X-t.SmallestChange.X)
	f.lines = append(f.lines, line{
		class: classOf(t.Side) + " level", runs: [][]keypoint.Point{{{0, high}, {f.width, high}}, {{0, low}, {f.width, low}}},
		areas: [][]keypoint.Point{{{0, high}, {f.width, high}, {f.width, low}, {0, low}}},
	})
}

func classOf(side analyze.Side) string { return cmp.Or(string(side), "mid") }

// trend lays out the sessions of one trend, beside the places of their dates by a shift, with the values above or below.
func (f *figure) trend(t *trend.Trend, places map[time.Time]float64, shift float64, below bool) {
	class, before, gap := classOf(t.Side), map[bool]int{true: -1, false: -1}, false
	for k, s := range t.Sessions {
		x := places[s.RecordedAt] + shift
		if !s.Value.Present {
			f.dots, gap = append(f.dots, dot{class, x, f.height + laneRoom - laneHeight/2, true}), true
			continue
		}
		y, high, low := f.ys.at(s.Value.X), f.ys.at(s.Value.X+s.Uncertainty.X), f.ys.at(s.Value.X-s.Uncertainty.X)
		if at := before[s.Estimated]; at >= 0 {
			last, look := t.Sessions[at], class
			if gap || s.Kind != last.Kind {
				look += " level"
			}
			f.lines = append(f.lines, line{class: look, runs: [][]keypoint.Point{{{places[last.RecordedAt] + shift, f.ys.at(last.Value.X)}, {x, y}}}})
		}
		if s.Uncertainty.X > 0 {
			f.lines = append(f.lines, line{class: class, runs: [][]keypoint.Point{
				{{x, high}, {x, low}}, {{x - barEnd, high}, {x + barEnd, high}}, {{x - barEnd, low}, {x + barEnd, low}},
			}})
		}
		f.dots = append(f.dots, dot{class, x, y, s.Estimated})
		if value := valueOf(&s, t.Unit); below {
			f.labels = append(f.labels, label{value, "key", "start", x + 5, y + 3})
		} else {
			f.labels = append(f.labels, label{value, "no", "middle", x, max(min(y-6, high-3), 1)})
		}
		before[s.Estimated], gap = k, false
	}
}

// valueOf writes a value, with a tilde if it is estimated.
func valueOf(s *trend.Session, unit string) string {
	value := say.Amount{Value: s.Value.X, Unit: unit}.Number()
	if unit == "°" {
		value += unit
	}
	if s.Estimated {
		return "~" + value
	}
	return value
}

// reason writes why a session is withheld beside its mark, if there is room, and reports whether there was a reason.
func (f *figure) reason(s *trend.Session, l say.Language, x float64, free *float64) bool {
	if len(s.Why) == 0 {
		return false
	}
	from := quality.Facing{}
	if s.View != nil {
		from = quality.FacingOf(*s.View)
	}
	reason := say.Why(s.Why[0], from).In(l)
	wide, anchor, start := 0.22*em*float64(len(reason)+utf8.RuneCountInString(reason)), "start", x+besides+6 // as UTF-8 has wide letters
	left := start
	if start+wide > f.width+8 {
		anchor, start = "end", x-besides-6
		left = start - wide
	}
	if left > *free {
		f.labels = append(f.labels, label{reason, "key", anchor, start, f.height + laneRoom - laneHeight/2 + 3})
		*free = left + wide + besides + 4
	}
	return true
}
