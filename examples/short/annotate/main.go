// Annotate counts squats by the right knee and draws them: go run ./examples/short/annotate squats.mp4 annotated.mp4
package main

import (
	"context"
	"flag"
	"fmt"
	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/keypoint"
	"log"
)

func main() {
	flag.Parse()
	est := must(pose.Balanced(pose.Options{}))
	defer est.Close()
	seq, _, err := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}}.File(context.Background(), flag.Arg(0))
	must(seq, err)
	knee := keypoint.PartSelectors(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
	angles := must(analyze.Run(seq, []analyze.Rule{{Type: analyze.VectorAngle, Points: knee}}))[0]
	squats := must(analyze.FindRepetitions(seq, angles, analyze.RepetitionOptions{Prominence: 30}))
	for i, squat := range squats.List {
		fmt.Printf("squat %d: the knee bends to %.0f degrees\n", i+1, squat.Turn.Value)
	}
	a := motion.Annotator{Decoder: ffmpeg.Decoder{}, Encoder: mp4.Encoder{}}
	a.Rules = append(draw.Sides(), draw.Angle(knee...).In(draw.Red, 2))
	fmt.Println("wrote", must(flag.Arg(1), a.File(context.Background(), flag.Arg(0), flag.Arg(1), seq)))
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
