// Pure analyses, compares and draws keypoints of its own.
package main

import (
	"fmt"
	"image"
	"log"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

func main() {
	var f keypoint.Frame
	for p, at := range map[keypoint.Part]keypoint.Point{
		keypoint.LeftShoulder: {100, 20}, keypoint.RightShoulder: {60, 20},
		keypoint.LeftHip: {95, 100}, keypoint.RightHip: {65, 100},
		keypoint.LeftKnee: {150, 120}, keypoint.LeftAnkle: {120, 200},
	} {
		f.Set(p, at, 0.9)
	}
	seq := keypoint.Sequence{Frames: []keypoint.Frame{f}, Size: image.Pt(200, 220)}
	rules, err := analyze.ParseRules([]byte(`{"analysisType": "vectorAngle", "points": ["leftHip", "leftKnee", "leftAnkle"]}`))
	if err != nil {
		log.Fatal(err)
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		log.Fatal(err)
	}
	same, err := compare.Diff(seq, seq, compare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := draw.Render(image.NewRGBA(image.Rectangle{Max: seq.Size}), &f, nil, draw.Options{}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("knee %.1f degrees, likeness %.0f\n", results[0].Values[0].X, same.Score.Overall)
}
