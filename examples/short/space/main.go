// Space finds how far a knee bends, from two movies of the same movement: go run ./examples/short/space a.mp4 b.mp4
package main

import (
	"context"
	"flag"
	"fmt"
	"log"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

func main() {
	flag.Parse()
	est := must(pose.Balanced(pose.Options{}))
	defer est.Close()
	x := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}}
	var views []keypoint.Sequence
	for _, path := range flag.Args() {
		view, _, err := x.File(context.Background(), path)
		views = append(views, must(view, err))
	}
	seq := must(space.Join(views, space.Options{}))
	fmt.Printf("the cameras are %.0f degrees apart\n", seq.Space.Angle)
	for _, m := range must(study.Run(seq, must(quality.Assess(quality.Input{Sequence: seq})))).Measures {
		if m.Type == "kneeFlexion" && m.Peak != nil {
			fmt.Printf("the %s knee bends to %v at %.1f s\n", m.Side, m, m.Peak.Time)
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
