// Openpose counts the squats in what OpenPose has written, a folder of JSON with a file a frame. It needs no cgo:
//
//	CGO_ENABLED=0 go run ./examples/short/openpose -fps 30 FOLDER
package main

import (
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

func main() {
	rate := flag.Float64("fps", 30, "frames per second of the movie")
	flag.Parse()
	if err := run(flag.Arg(0), *rate); err != nil {
		log.Fatal(err)
	}
}

func run(folder string, rate float64) error {
	seq, err := formats.ReadOpenPose(os.DirFS(folder), formats.Options{Rate: rate})
	if err != nil {
		return err
	}
	knee := keypoint.PartSelectors(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
	angles, err := analyze.Run(seq, []analyze.Rule{{Type: analyze.VectorAngle, Points: knee}})
	if err != nil {
		return err
	}
	squats, err := analyze.FindRepetitions(seq, angles[0], analyze.RepetitionOptions{Prominence: 30})
	for i, squat := range squats.List {
		fmt.Printf("squat %d: %.1f s, the knee bends to %.0f degrees\n", i+1, squat.Duration, squat.Turn.Value)
	}
	return err
}
