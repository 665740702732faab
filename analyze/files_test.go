package analyze_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// filed is a movie of three frames, one of them empty.
func filed() keypoint.Sequence {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 3), Times: []float64{0, 0.04, 0.08}}
	s.Frames[0].Set(keypoint.Nose, keypoint.Point{317.4, 88.12}, 0.91)
	s.Frames[0].Set(keypoint.LeftShoulder, keypoint.Point{340, 130.5}, 0.8)
	s.Frames[2].Set(keypoint.LeftShoulder, keypoint.Point{341, 130}, 0.75)
	return s
}

func TestWriteCSV(t *testing.T) {
	rules, err := analyze.ParseRules([]byte(`[
		{"analysisType":"coordinate","points":["nose"]},
		{"analysisType":"verticalDifference","points":["leftShoulder",{"pointType":"midpoint","pointName":["nose","leftShoulder"]}]},
		{"analysisType":"speed","points":["nose"]},
		{"analysisType":"coordinate","points":["nose"]}]`))
	if err != nil {
		t.Fatal(err)
	}
	results, err := analyze.Run(filed(), rules)
	if err != nil {
		t.Fatal(err)
	}
	const names = "frame,time [s],nose coordinate x [px],nose coordinate y [px]," +
		"vertical difference left shoulder - midpoint of nose and left shoulder [px]," +
		"nose speed [px/s],nose coordinate 2 x [px],nose coordinate 2 y [px]\n"
	for _, c := range []struct {
		times   []float64
		results []analyze.Result
		want    string
	}{
		{filed().Times, results, names + "0,0,317.4,88.12,21.189999999999998,,317.4,88.12\n1,0.04,,,,,,\n2,0.08,,,,,,\n"},
		{nil, results, names + "0,,317.4,88.12,21.189999999999998,,317.4,88.12\n1,,,,,,,\n2,,,,,,,\n"},
		{nil, nil, "frame,time [s]\n"},
	} {
		var b bytes.Buffer
		if err := analyze.WriteCSV(&b, c.times, c.results); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, b.String()); d != "" {
			t.Error(d)
		}
	}
}

var one = []analyze.Value{{X: 1, Present: true}}

// TestFilesRefused: no file has values that are not one a frame or not finite, names twice, or times that
// do not increase.
func TestFilesRefused(t *testing.T) {
	broken := errors.New("broken")
	fails := failing{broken}
	for name, c := range map[string]struct {
		times   []float64
		results []analyze.Result
		want    string
	}{
		"time":       {[]float64{0}, []analyze.Result{{Name: "time", Values: one}}, `"time" of a column is taken`},
		"taken":      {[]float64{0}, []analyze.Result{{Name: "a", Values: one}, {Name: "a", Values: one}, {Name: "a 2", Values: one}}, "is taken"},
		"too few":    {[]float64{0, 1}, []analyze.Result{{Name: "a", Values: one}}, "there are 1 values, want 2"},
		"NaN":        {[]float64{0}, []analyze.Result{{Name: "a", Values: []analyze.Value{{X: math.NaN(), Present: true}}}}, "a is NaN in frame 0"},
		"still":      {[]float64{1, 1}, nil, "time is 1 s in frame 1"},
		"no instant": {[]float64{math.Inf(1)}, nil, "time is +Inf s in frame 0"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, err := range []error{
				analyze.WriteCSV(io.Discard, c.times, c.results), analyze.WriteMOT(io.Discard, "a", c.times, c.results),
			} {
				if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(strings.ReplaceAll(err.Error(), "a_2", "a 2"), c.want) {
					t.Errorf("%v, want %q in it", err, c.want)
				}
			}
		})
	}
	for name, err := range map[string]error{
		"no times":  analyze.WriteMOT(io.Discard, "a", nil, nil),
		"two lines": analyze.WriteMOT(io.Discard, "a\nb", []float64{}, nil),
		"spaces":    analyze.WriteMOT(io.Discard, "a", []float64{0}, []analyze.Result{{Name: "a b", Values: one}, {Name: "a_b", Values: one}}),
	} {
		if !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	results := []analyze.Result{{Name: "a", Values: one}}
	for _, err := range []error{
		analyze.WriteCSV(fails, []float64{0}, results), analyze.WriteMOT(fails, "a", []float64{0}, results), analyze.WriteJSONL(fails, []float64{0}, results),
	} {
		if !errors.Is(err, broken) {
			t.Errorf("the writer's error comes back as %v", err)
		}
	}
}

// failing fails to write.
type failing struct{ err error }

func (w failing) Write([]byte) (int, error) { return 0, w.err }

func TestWriteJSONL(t *testing.T) {
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
	var b bytes.Buffer
	if err := analyze.WriteJSONL(&b, []float64{0.5, 1}, results); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
	b.Reset()
	if err := analyze.WriteJSONL(&b, nil, results[:1]); err != nil || !strings.HasSuffix(b.String(), "\"timed\":false}\n{\"values\":[8.75]}\n{\"values\":[null]}\n") {
		t.Errorf("without times and uncertainty: %s (%v)", b.String(), err)
	}
	if err := analyze.WriteJSONL(io.Discard, []float64{0}, results); !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), "there are 2 values, want 1") {
		t.Errorf("too few times: %v", err)
	}
	results[1].Values = results[1].Values[:1]
	if err := analyze.WriteJSONL(io.Discard, nil, results); !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), "there are 1 values, want 2") {
		t.Errorf("too few values: %v", err)
	}
}

func ExampleWriteCSV() {
	seq := filed()
	results, err := analyze.Run(seq, []analyze.Rule{{Type: analyze.EuclideanDistance, Points: keypoint.PartSelectors(keypoint.LeftShoulder, keypoint.Nose)}})
	if err == nil {
		results[0].Name = "reach"
		err = analyze.WriteCSV(os.Stdout, seq.Times[:1], []analyze.Result{{Name: "reach", Unit: "px", Values: results[0].Values[:1]}})
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// frame,time [s],reach [px]
	// 0,0,48.0294118223407
}

func ExampleWriteMOT() {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 0.04}}
	seq.Frames[0].Set(keypoint.RightHip, keypoint.Point{300, 200}, 1)
	seq.Frames[0].Set(keypoint.RightKnee, keypoint.Point{300, 300}, 1)
	seq.Frames[0].Set(keypoint.RightAnkle, keypoint.Point{200, 300}, 1)
	results, err := analyze.Run(seq, []analyze.Rule{{Type: analyze.JointFlexion, Points: keypoint.PartSelectors(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	results[0].Name = "knee_angle_r" // as the models of OpenSim call it
	if err := analyze.WriteMOT(os.Stdout, "squat", seq.Times, results); err != nil {
		fmt.Println(err)
	}
	// Output:
	// squat
	// version=1
	// nRows=2
	// nColumns=2
	// inDegrees=yes
	// endheader
	// time	knee_angle_r
	// 0	90
	// 0.04	NaN
}

func ExampleWriteJSONL() {
	results := []analyze.Result{{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Unit: "°", Values: []analyze.Value{{X: 8.75, Present: true}, {}}}}
	if err := analyze.WriteJSONL(os.Stdout, []float64{0, 0.04}, results); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"results":[{"analysisType":"kneeFlexion","coverage":0,"description":"","side":"left","unit":"°"}],"timed":true}
	// {"time":0,"values":[8.75]}
	// {"time":0.04,"values":[null]}
}
