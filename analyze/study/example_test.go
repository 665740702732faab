package study_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/testkit/rendered"
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
	movie, err := rendered.Read(data)
	if err != nil {
		log.Fatal(err)
	}
	return movie.Parts
}

// What a recording shows, and what it does not.
func ExampleRun() {
	shown, err := study.Run(squats(), quality.Report{}) // the report of motion.Extractor or of quality.Assess
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shown.Summary.Title)
	for _, m := range shown.Measures {
		if m.Type == analyze.KneeFlexion || m.Type == analyze.KneeValgus {
			fmt.Printf("%s: %s\n", m.Name, m)
		}
	}
	for i, squat := range shown.Repetitions.List {
		fmt.Printf("%s %d: %.1f s down, %.1f s up\n", shown.Movement, i+1, squat.Out, squat.Back)
	}

	// Output:
	// Good: 2 squats, left knee flexion 111° ± 9
	// left knee flexion: 111° ± 9
	// right knee flexion: 114° ± 9
	// left knee valgus: not from this view
	// right knee valgus: not from this view
	// squat 1: 1.1 s down, 0.8 s up
	// squat 2: 1.1 s down, 0.8 s up
}

// The first four seconds of a movie of 30 frames a second alone.
func ExampleRunPart() {
	shown, err := study.RunPart(squats(), quality.Report{}, keypoint.Span{First: 0, Last: 119}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(shown.Repetitions.List), "squat")

	// Output: 1 squat
}

// The measures that are sure enough, as results for a table; and the movements that can be told apart.
func ExampleStudy_Results() {
	shown, err := study.Run(squats(), quality.Report{})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range shown.Results()[:3] {
		fmt.Println(r.Name, len(r.Values))
	}
	m := shown.Measures[0]
	fmt.Println(m.Rule().Type == m.Type, shown.Movement.Known())
	fmt.Println(study.Movements())
	// Output:
	// left knee flexion 234
	// right knee flexion 234
	// left hip flexion 234
	// true true
	// [squat sitToStand lunge hinge pushUp curl raise jump walking running still]
}
