package hostile_test

import (
	"errors"
	"image"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// TestExchangeWithoutEnd: an exchange over all frames that an int can count takes along what there is, and only that.
func TestExchangeWithoutEnd(t *testing.T) {
	point := keypoint.Point{1, 2}
	var list correct.List
	for _, edit := range []correct.Edit{
		{Frame: 7, Part: keypoint.LeftKnee, Point: &point},
		{Frame: 5, Part: keypoint.LeftKnee, Exchange: true, Last: 1 << 40},
		{Frame: math.MaxInt - 1, Part: keypoint.LeftAnkle, Exchange: true, Last: math.MaxInt},
		{Frame: math.MinInt, Part: keypoint.LeftAnkle, Exchange: true, Last: math.MaxInt},
	} {
		var err error
		if list, err = list.With([]correct.Edit{edit}, time.Time{}, ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range list {
		if c.Point != nil && c.Part != keypoint.RightKnee {
			t.Errorf("the point is of %v after the exchange", c.Part)
		}
	}
	if len(list) != 4 {
		t.Errorf("%d corrections, want 4", len(list))
	}
}

// TestYUVSizes: a picture that no memory holds has no pixels.
func TestYUVSizes(t *testing.T) {
	for _, size := range []image.Point{{1 << 31, 5}, {math.MaxInt, math.MaxInt}, {-2, -2}, {0, 5}, {math.MinInt, 1}, {1 << 14, 1<<14 + 1}} {
		if got := draw.NewYUV(size).Bounds(); !got.Empty() {
			t.Errorf("%v: %v", size, got)
		}
	}
}

// TestNothing: what is about nothing says nothing, and what does not fit is invalid.
func TestNothing(t *testing.T) {
	bad := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), PersonChanges: []int{9}, Times: []float64{0, 1, 2}, Looks: []int{4}}
	var of exercise.Definition
	var u quality.Uncertainty
	if got := of.Describe(0, "deg"); got.String() != "" {
		t.Errorf("a target that is not there: %v", got)
	}
	for name, got := range map[string]int{
		"faces of nobody":    len(draw.Faces(keypoint.Sequence{Times: []float64{0}})),
		"faces of a bad one": len(draw.Faces(bad)),
		"measures":           len(trend.Summarize(keypoint.Sequence{}, study.Study{Measures: []study.Measure{{}}}, quality.Views{}).Measures[0].Numbers),
		"hidden parts":       int(u.Hidden(0) | quality.NewUncertainty(bad).Hidden(0) | quality.Hidden(bad)[0]),
		"a mark":             len(correct.Mark(9).String()),
		"an angle":           len(compare.Angle{}.Name()),
		"where from":         len(say.From(quality.Facing{Direction: "above"}).String()),
	} {
		if got != 0 {
			t.Errorf("%s: %d, want 0", name, got)
		}
	}
	if _, _, ok := u.Direction(0, quality.Frontal, keypoint.Selector{}, keypoint.Selector{}); ok {
		t.Error("the zero Uncertainty knows a direction")
	}
	short := compare.Result{Frames: make([]compare.Frame, 1), Angles: []compare.Angle{{Type: "kneeFlexion"}}}
	if got, err := short.MarshalJSON(); err != nil || !strings.Contains(string(got), `"angles":[{}]`) {
		t.Errorf("an angle without values: %s, %v", got, err)
	}
	if _, err := bad.Cut(keypoint.Span{Last: 1}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("times of other frames: %v", err)
	}
	if _, err := (analyze.Neutral{}).Find(bad); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("neutral pose: %v", err)
	}
	if got := bad.LookedAt(); len(got.Frames) != 2 || len(bad.People()) != 1 {
		t.Errorf("%d frames, people %v", len(got.Frames), bad.People())
	}
	for _, bytes := range []int64{math.MinInt64, -1, math.MaxInt64} {
		opt := formats.Options{Limits: formats.Limits{Bytes: bytes, Frames: int(bytes)}}
		for _, name := range formats.Names() {
			if _, err := formats.Read(strings.NewReader("{}"), name, opt); err == nil && name != "json" {
				t.Errorf("%s: {} is read", name)
			}
		}
		if _, err := formats.ReadOpenPose(fstest.MapFS{"a_keypoints.json": {Data: []byte(`{"people":[]}`)}}, opt); err != nil {
			t.Error(err)
		}
	}
}

// TestStrip: marks and measures of a strip that do not fit are invalid.
func TestStrip(t *testing.T) {
	series := chart.Series{Times: []float64{0, 1, 2}, Result: analyze.Result{Type: "kneeFlexion", Values: make([]analyze.Value, 3)}}
	for i := range series.Times {
		series.Result.Values[i] = analyze.Value{X: float64(i), Present: true}
	}
	good := chart.Strip{Width: 640, Height: 200, To: 2, Marks: []int{1}, Scale: 1}
	if _, err := good.Image(series); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(s *chart.Strip){
		"the second mark": func(s *chart.Strip) { s.Marks = []int{1, 7} },
		"no scale":        func(s *chart.Strip) { s.Scale = 0 },
		"a far left":      func(s *chart.Strip) { s.Left = math.MinInt },
		"no beginning":    func(s *chart.Strip) { s.From = math.Inf(-1) },
	} {
		bad := good
		spoil(&bad)
		if _, err := bad.Image(series); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
