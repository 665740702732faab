package analyze_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// TestFeet: rules may name the parts of the feet; a frame without them has no value.
func TestFeet(t *testing.T) {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 0.1}}
	for i := range s.Frames {
		s.Frames[i].Set(keypoint.LeftKnee, keypoint.Point{100, 100}, 1)
		s.Frames[i].Set(keypoint.LeftAnkle, keypoint.Point{100, 200}, 1)
	}
	s.Frames[0].Set(keypoint.LeftBigToe, keypoint.Point{140, 200}, 1)
	s.Frames[0].Set(keypoint.LeftHeel, keypoint.Point{90, 220}, 1)
	rules, err := analyze.ParseRules([]byte(`[
		{"analysisType":"vectorAngle","points":["leftKnee","leftAnkle","leftBigToe"]},
		{"analysisType":"verticalDifference","points":["leftHeel",{"pointType":"midpoint","pointName":["leftHeel","leftBigToe"]}]},
		{"analysisType":"coordinate","points":[{"pointType":"verticalDown","pointName":["leftHeel","leftBigToe","rightHeel","rightSmallToe"]}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	results, err := analyze.Run(s, rules)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{90, 10, 90} {
		v := results[i].Values
		if !v[0].Present || math.Abs(v[0].X-want) > 1e-9 || v[1].Present {
			t.Errorf("rule %d: %+v, want %v and nothing", i, v, want)
		}
	}
	if d := results[0].Description; !strings.Contains(d, "leftBigToe") {
		t.Errorf("the description is %q", d)
	}
}
