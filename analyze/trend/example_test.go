package trend_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Whether a knee bends further after a fortnight. Recordings are summed up by trend.Summarize.
func ExampleOf() {
	first := day(1, trend.Number{Value: 80, Uncertainty: 7, Repetitions: 3, Variance: 4}, nil)
	last := day(15, trend.Number{Value: 102, Uncertainty: 7, Repetitions: 3, Variance: 6}, nil)
	t := trend.Of(trend.Request{Measure: analyze.KneeFlexion, Side: analyze.RightSide}, []trend.Recording{first, last})
	fmt.Println(t.Sentence)

	// Output: Right knee flexion: 22° more than in the first session; a change counts from 12°.
}

// A trend as a table.
func ExampleWriteCSV() {
	first := day(1, trend.Number{Value: 80, Uncertainty: 7, Repetitions: 3, Variance: 4}, nil)
	last := day(15, trend.Number{Value: 102, Uncertainty: 7, Repetitions: 3, Variance: 6}, nil)
	t := trend.Of(trend.Request{Measure: analyze.KneeFlexion, Side: analyze.RightSide}, []trend.Recording{first, last})
	if err := trend.WriteCSV(os.Stdout, t); err != nil {
		log.Fatal(err)
	}

	// Output:
	// recorded at,undated,keypoint record,side,knee flexion peak [deg],uncertainty [deg],trust,why,kind,view [deg],repetitions,real change
	// 2026-10-01T12:00:00Z,false,1,right,80,7,good,,picture,90,3,false
	// 2026-10-15T12:00:00Z,false,15,right,102,7,good,,picture,90,3,true
}

// A recording is summed up once, when it is measured; the trend needs nothing else of it.
func ExampleSummarize() {
	seq := squats()
	judged, err := quality.Assess(quality.Input{Sequence: seq})
	if err != nil {
		log.Fatal(err)
	}
	shown, err := study.Run(seq, judged)
	if err != nil {
		log.Fatal(err)
	}
	var sessions []trend.Recording
	for day := range 2 {
		sessions = append(sessions, trend.Recording{RecordedAt: time.Date(2026, 10, 1+14*day, 12, 0, 0, 0, time.UTC), Summary: trend.Summarize(seq, shown, judged.Views)})
	}
	t := trend.Of(trend.Request{Measure: analyze.KneeFlexion, Side: analyze.LeftSide, Statistic: trend.Statistics()[0]}, sessions)
	fmt.Println(t.Statistic, t.CountsFrom())
	fmt.Println(t.Sentence)

	// Output:
	// peak 20°
	// Left knee flexion: as much as in the first session, no real change: a change counts from 20°.
}

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
