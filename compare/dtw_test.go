package compare_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// TestDTWAgainstDtaidistance: the way costs what an independent implementation says, on
// the fixtures of testdata/make_fixtures.py.
func TestDTWAgainstDtaidistance(t *testing.T) {
	data, err := os.ReadFile("testdata/dtw.json")
	if err != nil {
		t.Fatal(err)
	}
	var fixtures struct {
		Cases []struct {
			A, B          [][2]float64
			Penalty, Cost float64
			Window        int // frames
		}
	}
	if err := json.Unmarshal(data, &fixtures); err != nil {
		t.Fatal(err)
	}
	// A wrist moves, shoulder and hip stand a torso of 100 pixels apart: of three parts only
	// one has a distance, and 250 pixels are the full distance of 1.
	const pixels = 3 * 250
	person := func(wrist [][2]float64) keypoint.Sequence {
		s := keypoint.Sequence{}
		for i, at := range wrist {
			var f keypoint.Frame
			f.Set(keypoint.LeftShoulder, keypoint.Point{0, -100}, 1)
			f.Set(keypoint.LeftHip, keypoint.Point{0, 0}, 1)
			f.Set(keypoint.LeftWrist, keypoint.Point(at), 1)
			s.Frames = append(s.Frames, f)
			s.Times = append(s.Times, float64(i)/10)
		}
		return s
	}
	if len(fixtures.Cases) < 10 {
		t.Fatalf("%d cases", len(fixtures.Cases))
	}
	for i, c := range fixtures.Cases {
		opt := compare.Options{Alignment: compare.DTW, Penalty: c.Penalty / pixels}
		if c.Window > 0 {
			opt.Window = float64(c.Window)/10 + 0.01
		}
		r := diff(t, person(c.A), person(c.B), opt)
		cost := 0.0
		for k, step := range r.Path {
			a, b := c.A[step[0]], c.B[step[1]]
			cost += math.Hypot(a[0]-b[0], a[1]-b[1])
			if k > 0 && (step[0] == r.Path[k-1][0] || step[1] == r.Path[k-1][1]) {
				cost += c.Penalty
			}
		}
		if math.Abs(cost-c.Cost) > 1e-5*c.Cost {
			t.Errorf("case %d (penalty %v, window %d): the way costs %v pixels, want %v", i, c.Penalty, c.Window, cost, c.Cost)
		}
	}
}
