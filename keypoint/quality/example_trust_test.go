package quality_test

import (
	"fmt"
	"log"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// How far off numbers may be in torso lengths as well as in degrees.
func ExampleGoodTo() {
	for _, unit := range []string{"°", "torso", "m"} {
		fmt.Println(unit, quality.Degree(unit), quality.GoodTo(unit))
	}
	// Output:
	// ° 1 10
	// torso 0.01 0.1
	// m 0 0
}

// From where the camera sees somebody, and which angles show from there.
func ExampleFacingOf() {
	for _, view := range []float64{10, 50, 88, 170} {
		f := quality.FacingOf(view)
		fmt.Println(view, f, f.Known(), quality.Sagittal.Fits(view), quality.Frontal.Fits(view))
	}
	// Output:
	// 10 {10 front} true false true
	// 50 {50 oblique} true false false
	// 88 {88 side} true true false
	// 170 {170 back} true false true
}

// What a recording is good for, said from the warnings.
func ExampleVerdictOf() {
	gone := quality.Warning{Code: quality.CodeLost, From: 0, To: 39}
	fmt.Println(quality.VerdictOf(nil, 100))
	fmt.Println(quality.VerdictOf([]quality.Warning{gone}, 1000))
	fmt.Println(quality.VerdictOf([]quality.Warning{gone}, 100))
	// Output:
	// good
	// usable
	// poor
}

// From where a recording sees the person, frame by frame.
func ExampleViews() {
	report, err := quality.Assess(quality.Input{Sequence: standing(90).made()})
	if err != nil {
		log.Fatal(err)
	}
	view, ok := report.View(0)
	fmt.Printf("%.0f° %t, %v\n", view, ok, report.Views.Facing())
	fmt.Println(report.Fits(quality.Sagittal, 0))
	fmt.Println(report.Fits(quality.Frontal, 0))
	// Output:
	// 94° true, {94 side}
	// true true
	// false true
}

// The uncertainty of what is not an angle of three points: a distance, a direction, a coordinate, all of one frame.
func ExampleUncertainty() {
	u := quality.NewUncertainty(standing(90).made())
	hip, ankle := keypoint.PartSelector(keypoint.RightHip), keypoint.PartSelector(keypoint.RightAnkle)
	distance, _ := u.Distance(30, hip, ankle)
	coordinate, _ := u.Point(30, hip)
	fmt.Printf("torso %.0f px, distance ± %.1f px, coordinate ± %.1f px\n", u.Torso(30), distance, coordinate)
	lean, _, _ := u.Direction(30, quality.Sagittal, ankle, hip)
	leaning, spread := u.Vertical(30)
	fmt.Printf("direction ± %.0f°, vertical %.0f° ± %.0f\n", lean, leaning, spread)
	// Output:
	// torso 120 px, distance ± 9.6 px, coordinate ± 6.4 px
	// direction ± 5°, vertical 0° ± 0
}

// An angle computed from places in space, whose errors change it by 4 degrees.
func ExampleUncertainty_InSpace() {
	u := quality.NewUncertainty(standing(90).made())
	knee := keypoint.PartSelectors(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
	sigma, _ := u.InSpace(30, quality.Sagittal, knee, 4, func(int) (float64, bool) { return 12, true })
	fmt.Printf("± %.0f°\n", sigma)
	// Output: ± 8°
}
