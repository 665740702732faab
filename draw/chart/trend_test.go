package chart_test

import (
	"errors"
	"image"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/keypoint"
)

// sessions are those of the values, a week after each other; NaN is withheld.
func sessions(of ...float64) (list []chart.Session) {
	for k, v := range of {
		s := chart.Session{Time: time.Date(2026, 10, 1+7*k, 0, 0, 0, 0, time.UTC), Date: "day", Label: "front view"}
		if !math.IsNaN(v) {
			s.Value, s.Uncertainty, s.Label = analyze.Value{X: v, Present: true}, analyze.Value{X: 4, Present: true}, "value"
		}
		list = append(list, s)
	}
	return list
}

// TestTrend: values are joined, over what is withheld with dots; the band of the smallest real change and the errors
// are drawn at their places.
func TestTrend(t *testing.T) {
	left := chart.Trend{Side: analyze.LeftSide, Unit: "°", Least: 9, Sessions: sessions(80, 90, math.NaN(), 110)}
	right := chart.Trend{Side: analyze.RightSide, Unit: "°", Sessions: sessions(60, math.NaN(), math.NaN(), 70)}
	svg, err := chart.InlineTrend([]chart.Trend{left, right}, "Knee & hip")
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]int{
		`aria-label="Knee &amp; hip"`: 1, `class="area left level"`: 1, `class="area right`: 0, `<circle class="mk left"`: 3, `<circle class="mk left hollow"`: 1,
		`<rect class="mk right"`: 2, `<rect class="mk right hollow"`: 2, `class="lane"`: 1, ">front view<": 2, ">value<": 5,
		`<path class="ln left level"`: 2, `<path class="ln right level"`: 1, // the band and the line over what is withheld
	} {
		if n := strings.Count(svg, part); n != want {
			t.Errorf("%d × %s, want %d", n, part, want)
		}
	}
	if found := regexp.MustCompile("NaN|Inf").FindString(svg); found != "" {
		t.Errorf("the drawing has %s", found)
	}
	right.Sessions[3].Label = "左"
	for _, list := range [][]chart.Trend{{left}, {{Unit: "s", Sessions: sessions(math.NaN())}}, {{Unit: "s", Sessions: sessions(3)}}} {
		if _, err := chart.InlineTrend(list, ""); err != nil {
			t.Error(err)
		}
		if m, err := chart.TrendImage(list, chart.Options{Title: "Knee"}); err != nil || m.Bounds() != image.Rect(0, 0, 800, 400) {
			t.Error(err)
		}
	}
	later := chart.Trend{Side: analyze.RightSide, Unit: "m", Sessions: sessions(1)}
	for want, list := range map[string][]chart.Trend{
		"0 trends": nil, "in m and": {left, later}, "no sessions": {{}}, "of the side": {left, left}, "before session": {{Sessions: append(sessions(1, 2), sessions(3)...)}},
		"Least": {{Least: math.NaN(), Sessions: sessions(1)}}, "want numbers": {{Sessions: sessions(math.Inf(1))}}, "the font lacks": {right},
	} {
		_, err := chart.TrendImage(list, chart.Options{})
		if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
