package trend_test

import (
	"fmt"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/trend"
)

// Whether a knee bends further after a fortnight. Recordings are summed up by trend.Summarize.
func ExampleOf() {
	first := day(1, trend.Number{Value: 80, Uncertainty: 7, Repetitions: 3, Variance: 4}, nil)
	last := day(15, trend.Number{Value: 102, Uncertainty: 7, Repetitions: 3, Variance: 6}, nil)
	t := trend.Of(trend.Request{Measure: analyze.KneeFlexion, Side: analyze.RightSide}, []trend.Recording{first, last})
	fmt.Println(t.Sentence)

	// Output: Right knee flexion: 22° more than in the first session; a change counts from 12°.
}
