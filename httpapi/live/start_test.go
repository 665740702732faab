package live_test

import (
	"context"
	"image"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/keypoint"
)

// TestWrongStart: everything that is wrong in the first message is named, and the connection ends.
func TestWrongStart(t *testing.T) {
	knee := `{"analysisType": "kneeFlexion", "side": "left"`
	many := "[" + strings.Repeat(knee+"}, ", 32) + knee + "}]"
	for _, c := range []struct{ message, pointer, detail string }{
		{``, "", "not a JSON document: the document ends too early"},
		{`{"rule": [}`, "", ""},
		{`[]`, "", "is an array, want an object"},
		{`{"rules": []}`, "/rules", "is not a known property (did you mean rule?): known are rule, choose, feet, clean, scale, floor, origin, exercise"},
		{`{"rule": 5}`, "/rule", ""},
		{`{"rule": [{"analysisType": "knee", "points": ["nose"]}]}`, "/rule/0/analysisType", ""},
		{`{"rule": [{"analysisType": "vectorAngle", "points": ["nose"]}]}`, "/rule/0/points", ""},
		{`{"rule": [` + knee + `, "statistics": true}]}`, "/rule/0/statistics", "is for whole recordings"},
		{`{"rule": ` + knee + `, "symmetry": true}}`, "/rule/symmetry", ""},
		{`{"rule": [` + knee + `}, ` + knee + `, "movieOption": {"statisticsType": "min", "targetValue": "all"}}]}`, "/rule/1/movieOption", ""},
		{`{"rule": [` + knee + `, "repetitions": {"prominence": -1}}]}`, "/rule/0/repetitions/prominence", ""},
		{`{"rule": ` + many + `}`, "/rule", "has 33 rules, want at most 32"},
		{`{"clean": {"outliers": {}}}`, "/clean", ""},
		{`{"clean": {"smooth": {"method": "butterworth"}}}`, "/clean", ""},
		{`{"clean": {"smooth": 3}}`, "/clean/smooth", ""},
		{`{"choose": "largest"}`, "/choose", ""},
		{`{"choose": {"policy": "tallest"}}`, "/choose/policy", ""},
		{`{"choose": {"policy": "track", "track": 1}}`, "/choose/policy", "is track, which is for recordings"},
		{`{"choose": {"policy": "nearest"}}`, "/choose/point", ""},
		{`{"choose": {"policy": "nearest", "point": [1]}}`, "/choose/point", ""},
		{`{"choose": {"policy": "nearest", "point": [1, 1e7]}}`, "/choose/point", ""},
		{`{"choose": {"policy": "largest", "seconds": 1}}`, "/choose/seconds", ""},
		{`{"choose": {"policy": "mostMovement", "seconds": -1}}`, "/choose/seconds", ""},
		{`{"choose": {"policy": "mostMovement", "seconds": 11}}`, "/choose/seconds", "is 11, want at most 10 for live pictures"},
		{`{"choose": {"stay": 1}}`, "/choose/stay", ""},
		{`{"choose": {"stays": true}}`, "/choose/stays", ""},
		{`{"feet": "yes"}`, "/feet", "is a string, want true or false"},
		{`{"scale": 2}`, "/scale", ""},
		{`{"scale": {}}`, "/scale", ""},
		{`{"scale": {"bodyHeight": 1.8}}`, "/scale/bodyHeight", "is for recordings; want length or metresPerPixel"},
		{`{"scale": {"metresPerPixel": 0}}`, "/scale/metresPerPixel", ""},
		{`{"scale": {"metresPerPixel": 1e9}}`, "/scale", ""},
		{`{"scale": {"length": 1, "from": [0, 0]}}`, "/scale", ""},
		{`{"floor": "auto"}`, "/floor", "is auto, which is for recordings; want an angle in degrees, or two points [[x, y], [x, y]]"},
		{`{"floor": "flat"}`, "/floor", ""},
		{`{"floor": 91}`, "/floor", ""},
		{`{"floor": [[1, 2]]}`, "/floor", ""},
		{`{"floor": [[1, 2], [1, 2]]}`, "/floor", ""},
		{`{"origin": [1]}`, "/origin", ""},
		{`{"origin": [1, 1e9]}`, "/origin", ""},
		{`{"exercise": "squats"}`, "/exercise",
			`is "squats" (did you mean squat?), want one of ` + strings.Join(exercise.Names(), ", ")},
		{`{"exercise": {"name": "a", "counts": "good", "targets": [{"measure": "kneeFlexion", "min": 1}]}}`, "/exercise/counts", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			client := dial(t, serve(t, handler(t, inferencetest.Estimator{}, live.Options{})), "a")
			client.text(c.message)
			m := client.read()
			if m.Type != "problem" || len(m.Errors) != 1 || m.Errors[0].Pointer != c.pointer || c.detail != "" && m.Errors[0].Detail != c.detail || !strings.Contains(m.Detail, m.Errors[0].Detail) {
				t.Errorf("%s gives %+v, want %s %s", c.message, m, c.pointer, c.detail)
			}
			client.closed(websocket.StatusPolicyViolation, "the start message is wrong")
		})
	}
	mistakes, _ := live.Start(inferencetest.Estimator{}, []byte(`{"rule": `+strings.Repeat(" ", 256<<10)+`[]}`))
	if !slices.Equal(mistakes, []string{"the start message is longer than 256 KiB"}) {
		t.Errorf("a long message: %q", mistakes)
	}
	mistakes, _ = live.Start(inferencetest.Estimator{}, []byte(`{"feet": 1, "floor": 91, "choose": {"policy": 3}}`))
	if len(mistakes) != 2 {
		t.Errorf("two mistakes: %q", mistakes)
	}
}

// alone is an Estimator that cannot tell people apart.
type alone struct{ inference.Estimator }

// TestNoFinder: choosing by movement needs an Estimator that finds everybody.
func TestNoFinder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dial(t, serve(t, handler(t, alone{inferencetest.Estimator{}}, live.Options{})), "a")
		client.text(`{"choose": {"policy": "mostMovement"}}`)
		if m := client.read(); len(m.Errors) != 1 || m.Errors[0].Pointer != "/choose/policy" {
			t.Errorf("%+v", m)
		}
		client.closed(websocket.StatusPolicyViolation, "the start message is wrong")
	})
}

// TestStart: what the first message asks for is done.
func TestStart(t *testing.T) {
	file := photo(t, size)
	first := func(t *testing.T, est inference.Estimator, start_ string) message {
		client := start(t, serve(t, handler(t, est, live.Options{})), "a", start_)
		client.picture(0, file)
		return client.read()
	}
	height := `"rule": {"analysisType": "euclideanDistance", "points": ["nose", "leftAnkle"]}`
	for _, c := range []struct {
		message string
		right   func(message) bool
	}{
		{`{}`, func(m message) bool { return len(m.Values) == 0 && len(m.Keypoint) == int(keypoint.NumBody) }},
		{`{"rule": null, "feet": true}`, func(m message) bool { return len(m.Keypoint) == int(keypoint.NumParts) }},
		{`{` + height + `}`, func(m message) bool { return m.Values[0] == 95.3362 && m.Repetitions[0] == nil }},
		{`{` + height + `, "scale": {"metresPerPixel": 0.01}}`, func(m message) bool { return m.Values[0] == 0.9534 }},
		{`{"rule": {"analysisType": "coordinate", "points": ["nose"]}, "origin": [80, 15], "floor": 90}`, func(m message) bool {
			at, ok := m.Values[0].([]any)
			return ok && at[0] == 0.0 && at[1] == 0.0
		}},
		{`{"choose": {"policy": "nearest", "point": [0, 0]}, "clean": false}`, func(m message) bool { return len(m.Keypoint) == int(keypoint.NumBody) }},
		{`{"choose": {"policy": "mostMovement", "seconds": 1, "stay": true}}`, func(m message) bool { return len(m.Keypoint) == 0 }},
	} {
		synctest.Test(t, func(t *testing.T) {
			if m := first(t, inferencetest.Estimator{Feet: true}, c.message); m.Type != "update" || !c.right(m) {
				t.Errorf("%s gives %+v", c.message, m)
			}
		})
	}
}

// TestFilled: parts that bridge a short gap are told.
func TestFilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := start(t, serve(t, handler(t, blinking{inferencetest.Estimator{}}, live.Options{})), "a", none)
		file := photo(t, size)
		for i, want := range []int{0, 1} {
			client.picture(uint64(i)*33_000, file)
			if m := client.read(); len(m.Filled) != want || len(m.Keypoint) != int(keypoint.NumBody) {
				t.Errorf("%+v", m)
			}
		}
	})
}

// blinking sees the nose only at first.
type blinking struct{ inference.Estimator }

func (b blinking) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	f, err := b.Estimator.Estimate(ctx, img, hint)
	if hint.Region.Followed {
		f.Unset(keypoint.Nose)
	}
	return f, err
}

// FuzzStart: a first message that is accepted starts a session; any other has mistakes.
func FuzzStart(f *testing.F) {
	for _, s := range []string{none, `{"rule": {"analysisType": "kneeFlexion", "side": "left"}, "choose": {"policy": "nearest", "point": [1, 2], "stay": true}}`, `{"scale": {"metresPerPixel": 0.1}, "floor": 3, "origin": [1, 2], "clean": {"gaps": {"max": 0.1}}}`, `{"exercise": "squat"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if mistakes, err := live.Start(inferencetest.Estimator{}, data); err != nil || slices.Contains(mistakes, "") {
			t.Errorf("%v, %q", err, mistakes)
		}
	})
}
