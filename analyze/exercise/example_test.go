package exercise_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/study"
	filmed "github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// squats returns the keypoints of a movie of two squats, as motion.Extractor does.
func squats() keypoint.Sequence {
	f, err := os.Open("../../internal/testkit/testdata/rendered/squat_90_slow.json.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		log.Fatal(err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		log.Fatal(err)
	}
	movie, err := filmed.Read(data)
	if err != nil {
		log.Fatal(err)
	}
	return movie.Parts
}

// The targets of a shipped exercise.
func ExampleJudge() {
	seq := squats()
	shown, err := study.Run(seq, quality.Report{})
	if err != nil {
		log.Fatal(err)
	}
	squat, _ := exercise.Shipped("squat")
	r, err := exercise.Judge(squat, seq, shown)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Headline)
	for _, one := range r.Repetitions {
		fmt.Println(one.Sentence)
	}

	// Output:
	// 2 of 2 repetitions meet all targets that could be judged.
	// Trunk lean could not be judged against 45°.
	// Trunk lean could not be judged against 45°.
}

// A target of your own: the trunk stays within 30° of the vertical.
func ExampleParse() {
	d, err := exercise.Parse([]byte(`{
		"name": "upright", "title": {"en": "Upright squat", "ja": "上体を立てたスクワット"}, "movement": "squat",
		"lead": {"analysisType": "kneeFlexion"}, "phases": ["down", "hold", "up"], "view": "side",
		"targets": [{"measure": "trunkLean", "at": "throughout", "max": 30}], "sources": ["ours"]}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Describe(0, "°"))

	// Output:
	// trunk lean throughout, at most 30°
}

// The exercises that are shipped, and how many targets each has.
func ExampleNames() {
	for _, name := range exercise.Names() {
		d, _ := exercise.Shipped(name)
		fmt.Println(name, len(d.Targets))
	}

	// Output:
	// squat 4
	// lunge 2
	// hinge 3
	// pushUp 2
	// curl 4
	// shoulderRaise 2
	// singleLegStance 1
	// countermovementJump 1
	// fiveTimesSitToStand 1
	// chairStand30 1
}

// A definition made in Go, and the schema by which an editor checks those in JSON.
func ExampleDefinition_Check() {
	squat, _ := exercise.Shipped("squat")
	squat.View = "above"
	fmt.Println(squat.Check())
	fmt.Println(strings.Contains(string(exercise.Schema()), `"view"`))
	// Output:
	// /view: is "above", want one of side, front
	// true
}
