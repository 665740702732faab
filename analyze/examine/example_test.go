package examine_test

import (
	"fmt"
	"log"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/examine"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Several questions about one recording. What cannot be answered is a warning.
func ExampleRequest_Run() {
	var seq keypoint.Sequence // a picture: it has no times
	seq.Frames = make([]keypoint.Frame, 1)
	seq.Frames[0].Set(keypoint.LeftHip, keypoint.Point{300, 200}, 1)
	seq.Frames[0].Set(keypoint.LeftKnee, keypoint.Point{400, 200}, 1)
	seq.Frames[0].Set(keypoint.LeftAnkle, keypoint.Point{400, 300}, 1)
	knee := analyze.Rule{Type: analyze.JointFlexion, Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)}
	r, err := examine.Request{Rules: []analyze.Rule{knee}, Jump: true}.Run(seq, quality.Report{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Results[0].Values[0].X)
	for _, w := range r.Warnings {
		fmt.Println(w.Code, w.Detail)
	}
	// Output:
	// 90
	// noTimes Gait and jumps need the times of the frames, which this record does not have.
}
