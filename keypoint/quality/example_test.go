package quality_test

import (
	"fmt"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

func ExampleAssess() {
	seq := standing(90).made() // two seconds, seen from the side
	seq.Frames[20], seq.Frames[21], seq.Frames[22], seq.Frames[23] = keypoint.Frame{}, keypoint.Frame{}, keypoint.Frame{}, keypoint.Frame{}
	report, err := quality.Assess(quality.Input{Sequence: seq})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict)
	for _, w := range report.Warnings {
		fmt.Printf("%s: %v\n", w.Code, w)
	}
	// Output:
	// usable
	// hiddenSide: These parts are hidden: angles that need them are not measured (leftElbow, leftWrist, leftKnee, leftAnkle, frames 0 to 59).
	// lost: Nobody is found (frames 20 to 23).
}

func ExampleReport_OutOfPlane() {
	seq := standing(0).made() // seen from the front
	report, err := quality.Assess(quality.Input{Sequence: seq})
	if err != nil {
		fmt.Println(err)
		return
	}
	knee := keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
	for _, w := range report.OutOfPlane(quality.PlaneOf(knee...), 0, seq.Len()-1) {
		fmt.Println(w)
	}
	// Output:
	// This angle shows from the side (90°), and the person is seen at about 0° (frames 0 to 59).
}

func ExampleUncertainty_Angle() {
	front, side := standing(0), standing(90)
	front.pose, side.pose = squat, squat
	for _, r := range []recording{front, side} {
		u := quality.NewUncertainty(r.made())
		sigma, _, _ := u.Angle(30, quality.Sagittal, keypoint.PartSelector(keypoint.LeftHip), keypoint.PartSelector(keypoint.LeftKnee), keypoint.PartSelector(keypoint.LeftAnkle))
		fmt.Printf("±%.0f°\n", sigma)
	}
	// Output:
	// ±60°
	// ±8°
}

// From which uncertainty on a number is marked, and withheld.
func ExampleTrustOf() {
	for _, degrees := range []float64{9, 13, 24} {
		fmt.Println(degrees, quality.TrustOf(degrees))
	}

	// Output:
	// 9 good
	// 13 care
	// 24 withheld
}

// From the side, the body hides the far arm and leg: what a network finds there is a guess.
func ExampleHidden() {
	seq := standing(90).made()
	for p := range keypoint.Part(keypoint.NumParts) {
		if quality.Hidden(seq)[0].Has(p) {
			fmt.Println(p)
		}
	}
	// Output:
	// leftElbow
	// leftWrist
	// leftKnee
	// leftAnkle
}
