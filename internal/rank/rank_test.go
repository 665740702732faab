package rank_test

import (
	"math"
	"testing"

	"github.com/bodymotion/motion/internal/rank"
)

func Test(t *testing.T) {
	for _, c := range []struct {
		v             []float64
		median, upper float64
		low           float64 // the 5th percentile
	}{
		{nil, 0, 0, 0},
		{[]float64{3}, 3, 3, 3},
		{[]float64{4, 1}, 2.5, 4, 1.15},
		{[]float64{9, 1, 2}, 2, 2, 1.1},
		{[]float64{1e308, 1.5e308}, 1.25e308, 1.5e308, 1.0249999999999999e308},
	} {
		if m, u, p := rank.Median(c.v), rank.Upper(c.v), rank.Percentile(c.v, 0.05); m != c.median || u != c.upper || p != c.low {
			t.Errorf("%v: median %v, upper %v, 5th percentile %v", c.v, m, u, p)
		}
	}
}

func TestMoments(t *testing.T) {
	v, w := []float64{1, 2, 4, 9}, []float64{3, 5, 9, 19} // w = 2v + 1
	if m, c, d := rank.Mean(v), rank.Covariance(v, w), rank.Deviation(v); m != 4 || math.Abs(c-2*38./3) > 1e-14 || d != math.Sqrt(38./3) {
		t.Errorf("mean %v, covariance %v, deviation %v", m, c, d)
	}
	if m, d := rank.Mean(nil), rank.Deviation([]float64{1}); !math.IsNaN(m) || !math.IsNaN(d) {
		t.Errorf("of none %v, of one %v", m, d)
	}
	if d := rank.Deviation([]float64{1e9 + 1, 1e9 + 2, 1e9 + 3}); d != 1 {
		t.Errorf("of large numbers %v", d)
	}
}

// TestLine: what goes with other numbers does so on a line, and what does not has none.
func TestLine(t *testing.T) {
	x := []float64{1, 2, 3, 4}
	if at, ok := rank.Line(x, []float64{3, 5, 7, 9}); !ok || math.Abs(at(10)-21) > 1e-9 {
		t.Errorf("%v at 10, %v", at(10), ok)
	}
	for _, y := range [][]float64{{3, 9, 2, 7}, {9, 7, 5, 3}, {1, 1, 1, 1}} {
		if _, ok := rank.Line(x, y); ok {
			t.Errorf("%v go with %v", y, x)
		}
	}
	if _, ok := rank.Line([]float64{0.1 + 0.2, 0.3, 0.3}, []float64{2, 1, 1}); ok {
		t.Error("what rounding leaves goes with something")
	}
}
