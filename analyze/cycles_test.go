package analyze_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// series samples f 30 times a second.
func series(seconds float64, f func(t float64) float64) (times []float64, values []analyze.Value) {
	for i := range int(seconds*30) + 1 {
		t := float64(i) / 30
		times = append(times, t)
		values = append(values, analyze.Value{X: f(t), Present: true})
	}
	return times, values
}

func TestCycles(t *testing.T) {
	squats := func(t float64) float64 { return 135 + 45*math.Cos(2*math.Pi*t/2) + 2*math.Sin(40*t) }
	times, values := series(8, squats)
	values[17].Present = false
	down, err := analyze.Cycles(times, values, analyze.CycleOptions{})
	if err != nil || len(down) != 4 {
		t.Fatalf("%d repetitions (%v): %+v", len(down), err, down)
	}
	for k, c := range down {
		for name, d := range map[string]float64{
			"start": times[c.Start] - 2*float64(k), "turn": times[c.Turn] - 2*float64(k) - 1, "end": times[c.End] - 2*float64(k+1),
			"duration": c.Duration - 2,
		} {
			if math.Abs(d) > 0.2 {
				t.Errorf("repetition %d: %s is off by %.2f s", k, name, d)
			}
		}
		if c.At > 95 || c.From < 175 || c.To < 175 || c.At != values[c.Turn].X {
			t.Errorf("repetition %d: from %.0f over %.0f to %.0f", k, c.From, c.At, c.To)
		}
	}
	up, err := analyze.Cycles(times, values, analyze.CycleOptions{Upwards: true})
	if err != nil || len(up) != 3 {
		t.Errorf("%d upward repetitions (%v)", len(up), err)
	}
	if none, err := analyze.Cycles(times, values, analyze.CycleOptions{Prominence: 200}); err != nil || len(none) != 0 {
		t.Errorf("%d repetitions of 200 degrees (%v)", len(none), err)
	}
	if none, err := analyze.Cycles(times, values, analyze.CycleOptions{MinDuration: 3}); err != nil || len(none) != 0 {
		t.Errorf("%d repetitions of 3 seconds (%v)", len(none), err)
	}
	flat, still := series(2, func(float64) float64 { return 90 })
	if none, err := analyze.Cycles(flat, still, analyze.CycleOptions{}); err != nil || len(none) != 0 {
		t.Errorf("%d repetitions of nothing (%v)", len(none), err)
	}
	if none, err := analyze.Cycles(nil, values[:1], analyze.CycleOptions{}); err != nil || none != nil {
		t.Errorf("a picture: %v, %v", none, err)
	}
	if _, err := analyze.Cycles(nil, values, analyze.CycleOptions{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("no times: %v", err)
	}
	if _, err := analyze.Cycles(times[1:], values, analyze.CycleOptions{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("fewer times than values: %v", err)
	}
	if _, err := analyze.Cycles(times, values, analyze.CycleOptions{Prominence: math.NaN()}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("a prominence that is no number: %v", err)
	}
}

// TestCyclesProperties: repetitions follow one another, turn at their lowest value and
// differ by the prominence.
func TestCyclesProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var times []float64
		var values []analyze.Value
		for i := range rapid.IntRange(0, 60).Draw(t, "frames") {
			times = append(times, float64(i))
			values = append(values, analyze.Value{X: rapid.Float64Range(0, 100).Draw(t, "x"), Present: rapid.Float64Range(0, 1).Draw(t, "present") > 0.2})
		}
		prominence := rapid.Float64Range(1, 60).Draw(t, "prominence")
		cycles, err := analyze.Cycles(times, values, analyze.CycleOptions{Prominence: prominence})
		if err != nil {
			t.Fatal(err)
		}
		for k, c := range cycles {
			if !(c.Start < c.Turn && c.Turn < c.End) || k > 0 && c.Start < cycles[k-1].End {
				t.Fatalf("%+v", cycles)
			}
			if c.From-c.At < prominence || c.To-c.At < prominence {
				t.Fatalf("%+v does not come back by %v", c, prominence)
			}
			for i := c.Start; i <= c.End; i++ {
				if values[i].Present && values[i].X < c.At {
					t.Fatalf("%+v: frame %d is lower", c, i)
				}
			}
		}
	})
}

// reference returns the keypoints that another tool found in a movie.
func reference(t *testing.T, movie string) (seq keypoint.Sequence) {
	t.Helper()
	b, err := os.ReadFile(testkit.Data(t, "videos/"+movie+"/reference_keypoints.json"))
	if err != nil {
		t.Fatal(err)
	}
	var ref struct {
		Frames []struct {
			T         float64
			Keypoints map[string][]float64
		}
	}
	if err := json.Unmarshal(b, &ref); err != nil {
		t.Fatal(err)
	}
	seq = keypoint.Sequence{}
	for _, r := range ref.Frames {
		var f keypoint.Frame
		for name, xy := range r.Keypoints {
			if p, err := keypoint.ParsePart(name); err == nil {
				f.Set(p, keypoint.Point{xy[0], xy[1]}, 1)
			}
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, r.T)
	}
	return seq
}

// TestSquatCycles counts the squats of a movie by the keypoints of another tool.
func TestSquatCycles(t *testing.T) {
	seq := reference(t, "tfjs_squats")
	rules, err := analyze.ParseRules([]byte(`{"analysisType":"vectorAngle","points":["leftHip","leftKnee","leftAnkle"]}`))
	if err != nil {
		t.Fatal(err)
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		t.Fatal(err)
	}
	cycles, err := analyze.Cycles(seq.Times, results[0].Values, analyze.CycleOptions{})
	if err != nil || len(cycles) != 3 {
		t.Fatalf("%d squats (%v): %+v", len(cycles), err, cycles)
	}
	for k, want := range []int{9, 33, 59} {
		if d := cycles[k].Turn - want; d < -1 || d > 1 {
			t.Errorf("squat %d turns at frame %d, want %d", k, cycles[k].Turn, want)
		}
	}
}

func ExampleCycles() {
	var times []float64
	var angle []analyze.Value
	for i, x := range []float64{178, 150, 95, 140, 176, 130, 88, 135, 177} {
		times = append(times, float64(i)*0.25)
		angle = append(angle, analyze.Value{X: x, Present: true})
	}
	squats, err := analyze.Cycles(times, angle, analyze.CycleOptions{})
	if err != nil {
		panic(err)
	}
	for _, s := range squats {
		fmt.Printf("down to %.0f in %.0f s\n", s.At, s.Duration)
	}
	// Output:
	// down to 95 in 1 s
	// down to 88 in 1 s
}
