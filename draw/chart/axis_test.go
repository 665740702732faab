package axis_test

import (
	"testing"

	"github.com/bodymotion/motion/draw/internal/axis"
)

func TestStep(t *testing.T) {
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
		got := axis.Step(c.least, c.degrees...)
		if got != c.want || axis.Decimals(got) != c.decimals {
			t.Errorf("Step(%v, %v) = %v with %d decimals, want %v with %d", c.least, c.degrees, got, axis.Decimals(got), c.want, c.decimals)
		}
	}
}
