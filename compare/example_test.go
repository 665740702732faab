package compare_test

import (
	"fmt"
	"log"
	"os"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// A trainer who faces the right and a pupil who faces the left: with Mirror, their sides are compared as one sees them.
func ExampleOpposite() {
	trainer, pupil := squatting(31, 2, 100, 20), squatting(31, 2, 90, 20)
	for i := range pupil.Frames { // the pupil faces the other way
		for _, p := range pupil.Frames[i].Present().List() {
			at, _ := pupil.Frames[i].At(p)
			pupil.Frames[i].Set(p, keypoint.Point{640 - at[0], at[1]}, 1)
		}
	}
	opt := compare.Options{Mirror: compare.Opposite(trainer, pupil)}
	fmt.Println(opt.Mirror, opt.Validate())
	fmt.Println(compare.Options{Alignment: "best"}.Validate())
	// Output:
	// true <nil>
	// invalid comparison: /alignment: invalid alignment: "best", want "linear", "dtw" or "offset"
}

// A comparison line by line, as other programs read it.
func ExampleWriteJSONL() {
	arm := func(x float64) keypoint.Sequence {
		var f keypoint.Frame
		f.Set(keypoint.LeftShoulder, keypoint.Point{100, 100}, 1)
		f.Set(keypoint.LeftHip, keypoint.Point{100, 200}, 1)
		f.Set(keypoint.LeftWrist, keypoint.Point{x, 200}, 1)
		return keypoint.Sequence{Frames: []keypoint.Frame{f}}
	}
	r, err := compare.Diff(arm(150), arm(162.5), compare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Frames[0].Present().List())
	if err := compare.WriteJSONL(os.Stdout, nil, r); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [leftShoulder leftWrist leftHip]
	// {"score":{"overall":0.8915,"parts":{"leftHip":1,"leftShoulder":1,"leftWrist":0.783}},"timed":false}
	// {"difference":{"leftShoulder":{"distance":0,"direction":0},"leftWrist":{"distance":0.05,"direction":90},"leftHip":{"distance":0,"direction":0}}}
}
