package trend_test

import (
	"fmt"
	"log"
	"os"

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

// A trend as a table.
func ExampleWriteCSV() {
	first := day(1, trend.Number{Value: 80, Uncertainty: 7, Repetitions: 3, Variance: 4}, nil)
	last := day(15, trend.Number{Value: 102, Uncertainty: 7, Repetitions: 3, Variance: 6}, nil)
	t := trend.Of(trend.Request{Measure: analyze.KneeFlexion, Side: analyze.RightSide}, []trend.Recording{first, last})
	if err := trend.WriteCSV(os.Stdout, t); err != nil {
		log.Fatal(err)
	}

	// Output:
	// recorded at,undated,keypoint record,side,knee flexion peak [deg],uncertainty [deg],trust,why,kind,view [deg],repetitions,real change
	// 2026-10-01T12:00:00Z,false,1,right,80,7,good,,picture,90,3,false
	// 2026-10-15T12:00:00Z,false,15,right,102,7,good,,picture,90,3,true
}
