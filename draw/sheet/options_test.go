package sheet

import (
	"slices"
	"testing"
)

func TestEven(t *testing.T) {
	for _, c := range []struct {
		frames, n int
		want      []int
	}{
		{0, 3, nil}, {5, 0, nil}, {-1, -1, nil}, {1, 1, []int{0}}, {10, 1, []int{4}}, {1, 4, []int{0}}, {3, 12, []int{0, 1, 2}},
		{10, 2, []int{0, 9}}, {11, 3, []int{0, 5, 10}}, {10, 4, []int{0, 3, 6, 9}}, {1800, 4, []int{0, 600, 1199, 1799}},
	} {
		if got := even(c.frames, c.n); !slices.Equal(got, c.want) {
			t.Errorf("even(%d, %d) = %v, want %v", c.frames, c.n, got, c.want)
		}
	}
}
