package formats_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint/formats"
)

// compared is a comparison of two recordings of two frames, the second without angles.
func compared() compare.Result {
	r := compare.Result{
		Frames: make([]compare.Frame, 2), Score: &compare.Score{Overall: 0.5}, Shift: []float64{0, 0.1}, Path: [][2]int{{0, 0}, {1, 1}},
		Angles: []compare.Angle{
			{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Values: []analyze.Value{{X: -4.5, Present: true}, {}}},
			{Type: analyze.TrunkLean, Values: []analyze.Value{{X: 2, Present: true}, {}}},
		},
	}
	if err := r.Frames[0].UnmarshalJSON([]byte(`{"leftBigToe":{"distance":0.25,"direction":90}}`)); err != nil {
		panic(err)
	}
	return r
}

func TestComparisonColumns(t *testing.T) {
	const want = "frame,time [s],left big toe distance,left big toe direction [deg],left knee flexion difference [deg],trunk lean difference [deg],shift [s]\n" +
		"0,1,0.25,90,-4.5,2,0\n1,1.5,,,,,0.1\n"
	got := written(t, func(b *bytes.Buffer) error {
		return formats.WriteColumnsCSV(b, []float64{1, 1.5}, formats.ComparisonColumns(compared()))
	})
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestComparisonJSONL(t *testing.T) {
	const want = `{"path":[[0,0],[1,1]],"score":{"overall":0.5,"parts":{}},"timed":true}
{"time":1,"difference":{"leftBigToe":{"distance":0.25,"direction":90}},"angles":{"leftKneeFlexion":-4.5,"trunkLean":2},"shift":0}
{"time":1.5,"difference":{},"angles":{},"shift":0.1}
`
	got := written(t, func(b *bytes.Buffer) error { return formats.WriteComparisonJSONL(b, []float64{1, 1.5}, compared()) })
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	got = written(t, func(b *bytes.Buffer) error {
		return formats.WriteComparisonJSONL(b, nil, compare.Result{Frames: make([]compare.Frame, 1)})
	})
	if got != "{\"timed\":false}\n{\"difference\":{}}\n" {
		t.Errorf("images: %s", got)
	}
}

func TestResultsJSONL(t *testing.T) {
	results := []analyze.Result{
		{Type: analyze.TrunkLean, Name: "trunk lean", Unit: "°", Description: "lean", Coverage: 0.5, Values: []analyze.Value{{X: 8.75, Present: true}, {}}},
		{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Unit: "°", Values: []analyze.Value{{X: 1, Present: true}, {X: 2, Present: true}},
			Uncertainty: []analyze.Value{{X: 3, Present: true}, {}}, Movie: &analyze.Summary{MovieOption: analyze.MovieOption{Statistic: analyze.Max}, Value: analyze.Value{X: 2, Present: true}}},
	}
	const want = `{"results":[{"analysisType":"trunkLean","coverage":0.5,"description":"lean","name":"trunk lean","unit":"°"},` +
		`{"analysisType":"kneeFlexion","coverage":0,"description":"","movieOption":{"statisticsType":"max","value":2},"side":"left","unit":"°"}],"timed":true}
{"time":0.5,"values":[8.75,1],"uncertainty":[null,3]}
{"time":1,"values":[null,2],"uncertainty":[null,null]}
`
	got := written(t, func(b *bytes.Buffer) error { return formats.WriteResultsJSONL(b, []float64{0.5, 1}, results) })
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	got = written(t, func(b *bytes.Buffer) error { return formats.WriteResultsJSONL(b, nil, results[:1]) })
	if !strings.HasSuffix(got, "\"timed\":false}\n{\"values\":[8.75]}\n{\"values\":[null]}\n") {
		t.Errorf("without times and uncertainty: %s", got)
	}
	wrongs(t, func(string) error { return formats.WriteResultsJSONL(io.Discard, []float64{0}, results) }, map[string][2]string{"times": {"", "there are 2 values, want 1"}})
	results[1].Values = results[1].Values[:1]
	wrongs(t, func(string) error { return formats.WriteResultsJSONL(io.Discard, nil, results) }, map[string][2]string{"values": {"", "there are 1 values, want 2"}})
	wrongs(t, func(string) error { return formats.WriteComparisonJSONL(io.Discard, []float64{2, 1}, compared()) }, map[string][2]string{"order": {"", "want finite times that increase"}})
	wrongs(t, func(string) error { return formats.WriteComparisonJSONL(io.Discard, []float64{2}, compared()) }, map[string][2]string{"times": {"", "there are 1 times, want 2"}})
}
