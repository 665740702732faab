package clean_test

import (
	"fmt"
	"log"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// All steps of a recording. The nose is not found in one frame.
func ExampleDefault() {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 60), Times: make([]float64, 60)}
	for i := range seq.Frames {
		seq.Times[i] = float64(i) / 30
		if i != 20 {
			seq.Frames[i].Set(keypoint.Nose, keypoint.Point{float64(10 * i), 50}, 0.9)
		}
	}
	cleaned, report, err := clean.Run(seq, clean.Default())
	if err != nil {
		log.Fatal(err)
	}
	at, _ := cleaned.Frames[20].At(keypoint.Nose)
	fmt.Printf("%.0f %v\n", at, report.Changes[20][keypoint.Nose].Names())
	fmt.Printf("%+v\n", report.Counts())
	// Output:
	// [200 50] [filled smoothed]
	// {Swapped:0 Rejected:0 Filled:1 Smoothed:60 Skipped:0 Cutoff:8}
}

// Cleaning while a camera films: a Stream needs steps that do not look ahead.
func ExampleCausal() {
	stream, err := clean.NewStream(clean.Causal())
	if err != nil {
		log.Fatal(err)
	}
	for i := range 4 {
		var f keypoint.Frame
		if i != 2 {
			f.Set(keypoint.Nose, keypoint.Point{100, 50}, 0.9)
		}
		cleaned, changes, err := stream.Next(f, float64(i)/30)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(cleaned.Has(keypoint.Nose), changes[keypoint.Nose].Names())
	}
	stream.Reset() // somebody else comes: what was seen before does not count
	cleaned, _, err := stream.Next(keypoint.Frame{}, 0.2)
	fmt.Println(cleaned.Empty(), err)
	// Output:
	// true [smoothed]
	// true [smoothed]
	// true [filled]
	// true [smoothed]
	// true <nil>
}

// Options out of range are told with their places.
func ExampleOptions_Validate() {
	opt := clean.Default()
	opt.Gaps.Max = -2
	fmt.Println(opt.Validate())
	// Output: invalid cleaning options: /gaps: is -2, want 0 (default) or more seconds
}
