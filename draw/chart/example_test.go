package chart_test

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/keypoint/quality"
)

// knee is the angle of a knee in five pictures, in one of which it is not seen.
func knee() chart.Series {
	return chart.Series{
		Name:  "left knee",
		Times: []float64{0, 0.5, 1, 1.5, 2},
		Result: analyze.Result{
			Type: analyze.VectorAngle,
			Values: []analyze.Value{
				{X: 171, Present: true}, {X: 120, Present: true}, {X: 84, Present: true}, {}, {X: 168, Present: true},
			},
		},
		Repetitions: []analyze.Repetition{{Turn: analyze.Moment{Frame: 2}, End: analyze.Moment{Frame: 4}, Complete: true}},
	}
}

func ExampleImage() {
	m, err := chart.Image([]chart.Series{knee()}, chart.Options{Dark: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Bounds().Size(), m.At(0, 0))
	// Output: (800,400) {22 25 29 255}
}

func ExampleWriteSVG() {
	var file bytes.Buffer
	if err := chart.WriteSVG(&file, []chart.Series{knee()}, chart.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"left knee", "0.0 s", "90°", "1"} {
		fmt.Println(strings.Contains(file.String(), ">"+text+"<"))
	}
	// Output:
	// true
	// true
	// true
	// true
}

// All series of a chart have the same unit.
func ExampleImage_error() {
	speed := chart.Series{Result: analyze.Result{Type: analyze.Speed, Values: make([]analyze.Value, 5)}, Times: knee().Times}
	_, err := chart.Image([]chart.Series{knee(), speed}, chart.Options{})
	fmt.Println(err)
	// Output: invalid chart: series 1 is in px/s and series 0 in °, want one unit
}

// The strides of both sides over the gait cycle, as mean ± standard deviation.
func ExampleWriteSVG_band() {
	band := func(peak float64) *analyze.Band {
		var strides []analyze.Curve
		for _, more := range []float64{-2, 0, 2} {
			times, values := []float64{0, 0.4, 0.8, 1.2}, []analyze.Value{
				{X: 5, Present: true}, {X: 12 + more, Present: true}, {X: peak + more, Present: true}, {X: 5, Present: true},
			}
			strides = append(strides, analyze.Normalize(times, values, 0, 1.2))
		}
		mean := analyze.MeanCurve(strides)
		return &mean
	}
	both := []chart.Series{
		{Result: analyze.Result{Type: analyze.KneeFlexion, Name: "left knee flexion", Side: analyze.LeftSide}, Band: band(62)},
		{Result: analyze.Result{Type: analyze.KneeFlexion, Name: "right knee flexion", Side: analyze.RightSide}, Band: band(55)},
	}
	var file bytes.Buffer
	if err := chart.WriteSVG(&file, both, chart.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"Knee flexion", "50 %", "left, mean ± standard deviation of 3"} {
		fmt.Println(strings.Contains(file.String(), ">"+text+"<"))
	}
	// Output:
	// true
	// true
	// true
}

// A chart inside a page that has a title and a legend of its own.
func ExampleInline() {
	svg, err := chart.Inline([]chart.Series{knee()}, "Left knee")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(svg[:18], strings.Contains(svg, "Left knee"))
	// Output: <svg class="chart" true
}

// The knee flexion of two sessions, as a picture and as SVG for a page.
func ExampleInlineTrend() {
	var sessions []trend.Recording
	for day, peak := range map[int]float64{1: 80, 15: 102} {
		sessions = append(sessions, trend.Recording{RecordedAt: time.Date(2026, 10, day, 12, 0, 0, 0, time.UTC), Summary: trend.Summary{
			Kind: "picture", Repetitions: 3, Measures: []trend.Measure{{
				Type: analyze.KneeFlexion, Side: analyze.RightSide, Unit: "°", Trust: quality.TrustGood,
				Numbers: map[trend.Statistic]trend.Number{"peak": {Value: peak, Uncertainty: 7, Repetitions: 3, Variance: 4}},
			}},
		}})
	}
	knee := []trend.Trend{trend.Of(trend.Request{Measure: analyze.KneeFlexion, Side: analyze.RightSide}, sessions)}
	svg, err := chart.InlineTrend(knee, chart.TrendOptions{})
	fmt.Println(strings.Contains(svg, "102"), err)
	m, err := chart.TrendImage(knee, chart.TrendOptions{})
	fmt.Println(m.Bounds().Size(), err)
	// Output:
	// true <nil>
	// (800,400) <nil>
}
