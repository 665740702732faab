package rank_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/rank"
)

// TestTurns: squats of two seconds, 30 values a second, turn every second; small tremors do not count.
func TestTurns(t *testing.T) {
	var x []float64
	for i := range 241 {
		s := float64(i) / 30
		x = append(x, 135+45*math.Cos(2*math.Pi*s/2)+2*math.Sin(40*s))
	}
	turns := rank.Turns(x, 30)
	if len(turns) != 9 {
		t.Fatalf("%d turns: %v", len(turns), turns)
	}
	for k, i := range turns {
		if math.Abs(float64(i-30*k)) > 6 {
			t.Errorf("turn %d is at %d, want %d", k, i, 30*k)
		}
		if bottom := k%2 == 1; bottom && x[i] > 95 || !bottom && x[i] < 175 {
			t.Errorf("turn %d is %.0f", k, x[i])
		}
	}
	for name, x := range map[string][]float64{"nothing": nil, "one": {3}, "flat": {90, 90, 90}, "too little": x[:200]} {
		if got := rank.Turns(x, 200); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestTurnsProperties: turns alternate, are the extremes between their neighbours and differ by the prominence,
// and those of the numbers upside down are the same.
func TestTurnsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(0, 100), 0, 60).Draw(t, "x")
		prominence := rapid.Float64Range(1, 60).Draw(t, "prominence")
		turns := rank.Turns(x, prominence)
		for k := 1; k < len(turns); k++ {
			a, b := turns[k-1], turns[k]
			if a >= b || math.Abs(x[a]-x[b]) < prominence {
				t.Fatalf("%v at %v: %d and %d", x, turns, a, b)
			}
			low, high := slices.Min(x[a:b+1]), slices.Max(x[a:b+1])
			if low != min(x[a], x[b]) || high != max(x[a], x[b]) {
				t.Fatalf("%v at %v: the line from %d to %d leaves out %v or %v", x, turns, a, b, low, high)
			}
			if k > 1 && (x[b] > x[a]) == (x[a] > x[turns[k-2]]) {
				t.Fatalf("%v at %v goes on at %d", x, turns, a)
			}
		}
		down := make([]float64, len(x))
		for i, v := range x {
			down[i] = -v
		}
		if got := rank.Turns(down, prominence); !slices.Equal(got, turns) {
			t.Fatalf("%v: %v, and %v upside down", x, turns, got)
		}
	})
}
