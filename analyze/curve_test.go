package analyze_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/bodymotion/motion/analyze"
)

func TestNormalize(t *testing.T) {
	times, values := series(2, func(t float64) float64 { return 10 * t })
	c := analyze.Normalize(times, values, 0.51, 1.53)
	for p, v := range c {
		if want := 10 * (0.51 + 1.02*float64(p)/100); !v.Present || math.Abs(v.X-want) > 1e-9 {
			t.Fatalf("%d %%: %v, want %v", p, v, want)
		}
	}
	if whole := analyze.Normalize(times, values, 0, 2); len(whole) != 101 || !whole[0].Present || !whole[100].Present || whole[100].X != 20 {
		t.Errorf("from the first to the last frame: %v", whole)
	}
	// A gap of two frames is bridged, one of a second is not, and nothing is made up outside the recording.
	for i := 20; i < 22; i++ {
		values[i].Present = false
	}
	for i := 35; i < 50; i++ {
		values[i].Present = false
	}
	c = analyze.Normalize(times, values, 0, 4)
	if !c[17].Present || c[34].Present || !c[45].Present || c[51].Present {
		t.Errorf("%v", c)
	}
	for _, c := range []analyze.Curve{analyze.Normalize(times[1:], values, 0, 1), analyze.Normalize(times, values, 1, 1), analyze.Normalize(nil, nil, 0, 1)} {
		if len(c) != 101 || c[50].Present {
			t.Errorf("%v", c)
		}
	}
	if _, ok := c.Difference(analyze.Curve{}); ok {
		t.Error("a difference to nothing")
	}
}

func ExampleMeanCurve() {
	times := []float64{0, 1, 2, 3, 4}
	knee := []analyze.Value{{X: 10, Present: true}, {X: 60, Present: true}, {X: 12, Present: true}, {X: 66, Present: true}, {X: 10, Present: true}}
	strides := []analyze.Curve{analyze.Normalize(times, knee, 0, 2), analyze.Normalize(times, knee, 2, 4)}
	band := analyze.MeanCurve(strides)
	fmt.Printf("at 50 %%: %.0f ± %.1f of %d\n", band.Mean[50].X, band.StandardDeviation[50].X, band.Count)
	// Output: at 50 %: 63 ± 4.2 of 2
}
