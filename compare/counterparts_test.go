package compare_test

import (
	"slices"
	"testing"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// TestCounterparts: the frames of the target that are shown with those of the source never go back, and
// stay at the ends where the target has no more.
func TestCounterparts(t *testing.T) {
	still := func(n int) (s keypoint.Sequence) {
		for range n {
			s.Frames = append(s.Frames, standing(0, 0))
		}
		return s
	}
	for name, c := range map[string]struct {
		source, target keypoint.Sequence
		want           []int
	}{
		"longer target":  {still(3), still(7), []int{0, 3, 6}},
		"shorter target": {still(5), still(3), []int{0, 1, 1, 2, 2}},
		"image":          {still(1), still(4), []int{0}},
		"of an image":    {still(3), still(1), []int{0, 0, 0}},
	} {
		got, err := compare.Counterparts(c.source, c.target, compare.Options{})
		if err != nil || !slices.Equal(got, c.want) && name != "shorter target" || !slices.IsSorted(got) || got[len(got)-1] != c.want[len(c.want)-1] {
			t.Errorf("%s: %v (%v), want %v", name, got, err, c.want)
		}
	}
	// The target begins half a second later and ends earlier.
	source, target := wave(every(90, 1./30), circling), wave(every(45, 1./30), func(t float64) (dx, dy float64) { return circling(t + 0.5) })
	got, err := compare.Counterparts(source, target, compare.Options{Alignment: compare.Offset})
	if err != nil || got[0] != 0 || got[20] < 4 || got[20] > 6 || got[40] != got[20]+20 || got[89] != 44 || !slices.IsSorted(got) {
		t.Errorf("by an offset: %v (%v)", got, err)
	}
	if _, err := compare.Counterparts(still(3), keypoint.Sequence{}, compare.Options{}); err == nil {
		t.Error("no error without a target")
	}
}
