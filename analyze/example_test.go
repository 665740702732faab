package analyze_test

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// How deep somebody squats. The picture shows one leg alone.
func ExampleRunRepetitions() {
	var seq keypoint.Sequence
	for i := range 180 { // two squats in six seconds, seen from the side: hips and knees go back and forth over the ankle
		t := float64(i) / 30
		bend := bends(t, 0.5, 1, 0, 1, 80) + bends(t, 3, 1, 0, 1, 90)
		sin, cos := math.Sincos(bend * math.Pi / 180)
		var f keypoint.Frame
		f.Set(keypoint.LeftAnkle, keypoint.Point{300, 500}, 1)
		f.Set(keypoint.LeftKnee, keypoint.Point{300, 400}, 1)
		f.Set(keypoint.LeftHip, keypoint.Point{300 - 100*sin, 400 - 100*cos}, 1)
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, t)
	}
	rule := analyze.Rule{Type: analyze.JointFlexion, Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)}
	squats, err := analyze.RunRepetitions(seq, rule)
	if err != nil {
		panic(err)
	}
	for k, s := range squats.List {
		fmt.Printf("%d: %.0f°\n", k+1, s.Turn.Value)
	}
	// Output:
	// 1: 80°
	// 2: 90°
}

// What a part of a recording shows: the greatest distance between the hands in its second half.
func ExampleRunWith() {
	var seq keypoint.Sequence
	for i := range 60 {
		var f keypoint.Frame
		f.Set(keypoint.LeftWrist, keypoint.Point{300 + 100*math.Sin(float64(i)/10), 200}, 1)
		f.Set(keypoint.RightWrist, keypoint.Point{300, 200}, 1)
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(i)/30)
	}
	rule := analyze.Rule{Type: analyze.EuclideanDistance, Points: keypoint.PartSelectors(keypoint.LeftWrist, keypoint.RightWrist), Statistics: true}
	results, err := analyze.RunWith(seq, []analyze.Rule{rule}, analyze.Options{Part: &keypoint.Span{First: 30, Last: 59}})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.0f %s\n", results[0].Statistics[analyze.Max].X, results[0].Unit)
	// Output: 100 px
}
