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
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// sessions are those of the values, a week after each other; NaN is withheld.
func sessions(of ...float64) (list []trend.Session) {
	front := 3.0
	for k, v := range of {
		s := trend.Session{RecordedAt: time.Date(2026, 10, 1+7*k, 0, 0, 0, 0, time.UTC), Why: []quality.Code{quality.CodeOutOfPlane}, View: &front}
		if !math.IsNaN(v) {
			s.Value, s.Uncertainty = analyze.Value{X: v, Present: true}, analyze.Value{X: 4, Present: true}
		}
		list = append(list, s)
	}
	return list
}

func titled(title string) chart.TrendOptions {
	return chart.TrendOptions{Options: chart.Options{Title: title}}
}

// TestTrend: values are joined, over what is withheld with dots; the band of the smallest real change and the errors
// are drawn at their places.
func TestTrend(t *testing.T) {
	left := trend.Trend{Side: analyze.LeftSide, Unit: "°", SmallestChange: analyze.Value{X: 9, Present: true}, Sessions: sessions(80, 90, math.NaN(), 110)}
	right := trend.Trend{Side: analyze.RightSide, Unit: "°", Sessions: sessions(60, math.NaN(), math.NaN(), 70)}
	left.Sessions[3].Estimated = true
	svg, err := chart.InlineTrend([]trend.Trend{left, right}, titled("Knee & hip"))
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]int{
		`aria-label="Knee &amp; hip"`: 1, `class="area left level"`: 1, `class="area right`: 0, `<circle class="mk left"`: 2, `<circle class="mk left hollow"`: 2,
		`<rect class="mk right"`: 2, `<rect class="mk right hollow"`: 2, `class="lane"`: 1, ">not visible from the front<": 1, `class="no"`: 3, ">~110°<": 1, ">1 Oct<": 1, ">22 Oct<": 1,
		`<path class="ln left level"`: 1, `<path class="ln right level"`: 1, // the band; over what is withheld; none to what is estimated
	} {
		if n := strings.Count(svg, part); n != want {
			t.Errorf("%d × %s, want %d", n, part, want)
		}
	}
	if found := regexp.MustCompile("NaN|Inf").FindString(svg); found != "" {
		t.Errorf("the drawing has %s", found)
	}
	for _, list := range [][]trend.Trend{{left}, {{Unit: "s", Sessions: sessions(math.NaN())}}, {{Unit: "s", Sessions: sessions(3)}}} {
		if _, err := chart.InlineTrend(list, chart.TrendOptions{}); err != nil {
			t.Error(err)
		}
		if m, err := chart.TrendImage(list, titled("Knee")); err != nil || m.Bounds() != image.Rect(0, 0, 800, 400) {
			t.Error(err)
		}
	}
	later := trend.Trend{Side: analyze.RightSide, Unit: "m", Sessions: sessions(1)}
	for want, list := range map[string][]trend.Trend{
		"0 trends": nil, "trend 1 has": {left, later}, "trend 0 has": {{}}, "of the side": {left, left}, "out of order": {{Sessions: append(sessions(1, 2), sessions(3)...)}},
		"or is": {{SmallestChange: analyze.Value{X: math.NaN()}, Sessions: sessions(1)}}, "without numbers": {{Sessions: sessions(math.Inf(1))}}, "the font lacks": {right},
	} {
		label := ""
		if strings.HasPrefix(want, "the font") {
			label = "左"
		}
		_, err := chart.TrendImage(list, titled(label))
		if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
