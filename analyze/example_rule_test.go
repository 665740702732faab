package analyze_test

import (
	"fmt"
	"log"
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// What can be measured, for a menu: types with the number of points that they take, those that take a side, and their units.
func ExampleTypes() {
	for _, t := range []analyze.Type{analyze.Coordinate, analyze.RotationAngle, analyze.KneeFlexion} {
		fmt.Printf("%s: %d points, side %t, pair %t, cyclic %t, %q\n", t, t.Points(), t.Sided(), t.Pair(), t.Cyclic(), t.Unit())
	}
	fmt.Printf("%d types, %d of them named angles\n", len(analyze.Types()), len(analyze.Angles()))
	// Output:
	// coordinate: 1 points, side false, pair true, cyclic false, "px"
	// rotationAngle: 3 points, side false, pair false, cyclic true, "°"
	// kneeFlexion: 0 points, side true, pair false, cyclic false, "°"
	// 27 types, 13 of them named angles
}

// What a program that shows a rule asks: where its value stands in the picture, and from which view it is measured.
func ExampleRule_Place() {
	knee := analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.LeftSide}
	fmt.Println(knee.Place(), knee.Parts().List(), knee.Plane())

	wrong := analyze.Rule{Type: analyze.KneeFlexion}
	fmt.Println(wrong.Mistakes(true))
	// Output:
	// [leftKnee] [leftHip leftKnee leftAnkle] 1
	// /side: is "", want one of [left right]
}

// What a value means, in words.
func ExampleResult_Meaning() {
	results, err := analyze.Run(keypoint.Sequence{}, []analyze.Rule{{Type: analyze.KneeFlexion, Side: analyze.LeftSide}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(results[0].Name)
	fmt.Println(results[0].Meaning())
	// Output:
	// left knee flexion
	// Flexion of the knee in degrees, 0 for a straight leg, negative for hyperextension.
}

// Angles against how the person stands: the client says when that is, or it is found.
func ExampleNeutral_Find() {
	var seq keypoint.Sequence
	for i := range 150 { // three seconds of standing, and two of bending a knee
		t := float64(i) / 30
		sin, cos := math.Sincos(max(0, t-3))
		var f keypoint.Frame
		f.Set(keypoint.LeftShoulder, keypoint.Point{300, 200}, 1)
		f.Set(keypoint.RightShoulder, keypoint.Point{310, 200}, 1)
		f.Set(keypoint.LeftHip, keypoint.Point{300, 300}, 1)
		f.Set(keypoint.RightHip, keypoint.Point{310, 300}, 1)
		f.Set(keypoint.LeftKnee, keypoint.Point{300, 400}, 1)
		f.Set(keypoint.RightKnee, keypoint.Point{310, 400}, 1)
		f.Set(keypoint.RightAnkle, keypoint.Point{310, 500}, 1)
		f.Set(keypoint.LeftAnkle, keypoint.Point{300 - 100*sin, 400 + 100*cos}, 1)
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, t)
	}
	auto, err := analyze.ParseNeutral([]byte(`"auto"`))
	if err != nil {
		log.Fatal(err)
	}
	found, err := auto.Find(seq)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("standing from %.1f s to %.1f s\n", found.From, found.To)
	given, err := analyze.ParseNeutral([]byte(`{"from": 2, "to": 1}`))
	fmt.Println(given, err)
	// Output:
	// standing from 0.0 s to 3.6 s
	// <nil> /to: is 1, want more seconds than from, which is 2 and has to be 0 or more
}

// The depths of three squats, and a side against the other.
func ExampleSpreadOf() {
	left, right := []float64{92, 95, 98}, []float64{84, 90, 87}
	s := analyze.SpreadOf(left).WithUncertainty(6, 4)
	fmt.Printf("%.0f° from %d squats, which differ by %.0f°; the mean is known to %.1f°\n", s.Mean, s.Count, s.StandardDeviation, s.Uncertainty)
	both := analyze.TwoSidedOf(left, right)
	fmt.Printf("left %.0f°, right %.0f°, symmetry %.1f %%\n", both.Left.Mean, both.Right.Mean, both.Symmetry.X)
	// Output:
	// 95° from 3 squats, which differ by 3°; the mean is known to 5.3°
	// left 95°, right 87°, symmetry -2.8 %
}
