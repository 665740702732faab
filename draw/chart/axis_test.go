package chart

import "testing"

func TestStepOf(t *testing.T) {
	degrees := []float64{15, 30, 45, 90}
	for _, c := range []struct {
		least    float64
		degrees  []float64
		want     float64
		decimals int
	}{
		{0.03, nil, 0.05, 2}, {0.1, nil, 0.1, 1}, {0.11, nil, 0.2, 1}, {1, nil, 1, 0}, {7, nil, 10, 0}, {12, nil, 20, 0},
		{9, degrees, 10, 0}, {12, degrees, 15, 0}, {45, degrees, 45, 0}, {46, degrees, 90, 0}, {91, degrees, 100, 0},
		{0, nil, 1, 0}, {-2, degrees, 1, 0},
	} {
		got := stepOf(c.least, c.degrees...)
		if got != c.want || decimals(got) != c.decimals {
			t.Errorf("stepOf(%v, %v) = %v with %d decimals, want %v with %d", c.least, c.degrees, got, decimals(got), c.want, c.decimals)
		}
	}
}
