package compare_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// compared is a comparison of two recordings of two frames, the second without angles.
func compared(t *testing.T) compare.Result {
	r := compare.Result{
		Frames: make([]compare.Frame, 2), Score: &compare.Score{Overall: 0.5}, Shift: []analyze.Value{{Present: true}, {X: 0.1, Present: true}}, Path: [][2]int{{0, 0}, {1, 1}},
		Angles: []compare.Angle{
			{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Values: []analyze.Value{{X: -4.5, Present: true}, {}}},
			{Type: analyze.TrunkLean, Values: []analyze.Value{{X: 2, Present: true}, {}}},
		},
	}
	if err := r.Frames[0].UnmarshalJSON([]byte(`{"leftBigToe":{"distance":0.25,"direction":90}}`)); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWriteCSV(t *testing.T) {
	const want = "frame,time [s],left big toe distance,left big toe direction [deg],left knee flexion difference [deg],trunk lean difference [deg],shift [s]\n" +
		"0,1,0.25,90,-4.5,2,0\n1,1.5,,,,,0.1\n"
	var b bytes.Buffer
	if err := compare.WriteCSV(&b, []float64{1, 1.5}, compared(t)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestWriteJSONL(t *testing.T) {
	const want = `{"path":[[0,0],[1,1]],"score":{"overall":0.5,"parts":{}},"timed":true}
{"time":1,"difference":{"leftBigToe":{"distance":0.25,"direction":90}},"angles":{"leftKneeFlexion":-4.5,"trunkLean":2},"shift":0}
{"time":1.5,"difference":{},"angles":{},"shift":0.1}
`
	var b bytes.Buffer
	if err := compare.WriteJSONL(&b, []float64{1, 1.5}, compared(t)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
	b.Reset()
	if err := compare.WriteJSONL(&b, nil, compare.Result{Frames: make([]compare.Frame, 1)}); err != nil || b.String() != "{\"timed\":false}\n{\"difference\":{}}\n" {
		t.Errorf("images: %s (%v)", b.String(), err)
	}
	for _, write := range []func(io.Writer, []float64, compare.Result) error{compare.WriteCSV, compare.WriteJSONL} {
		for want, times := range map[string][]float64{"want finite times that increase": {2, 1}, "there are 1 times, want 2": {2}} {
			if err := write(io.Discard, times, compared(t)); !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), want) {
				t.Errorf("times %v: %v, want %q in it", times, err, want)
			}
		}
	}
}
