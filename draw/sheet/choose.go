package sheet

import (
	"slices"

	"github.com/bodymotion/motion/analyze"
)

// Even returns n frames of a movie of so many, as evenly apart as whole numbers can be,
// the first and the last one among them; a single one is the middle one. It returns all
// frames where there are no more than n, and none where either number is below 1.
func Even(frames, n int) []int {
	if frames < 1 || n < 1 {
		return nil
	}
	if n == 1 {
		return []int{(frames - 1) / 2}
	}
	n = min(n, frames)
	chosen := make([]int, n)
	for i := range chosen {
		if n > 1 {
			chosen[i] = (2*i*(frames-1) + n - 1) / (2 * (n - 1)) // rounded
		}
	}
	return chosen
}

// Extremes returns the frames at which repetitions begin, turn and end, each once and in
// order of time.
func Extremes(cycles []analyze.Cycle) []int {
	var frames []int
	for _, c := range cycles {
		frames = append(frames, c.Start, c.Turn, c.End)
	}
	slices.Sort(frames)
	return slices.Compact(frames)
}
