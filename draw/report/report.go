package report

import (
	"fmt"
	"image"
	"io"
	"slices"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// Report is what a report shows. Only Sequence is required.
type Report struct {
	Language say.Language // "" means English

	Title    string    // the name of the recording; "" means that it has none
	Text     string    // what its owner wrote about it
	Uploaded time.Time // the zero time is left out, and all of it beside Recorded
	Made     time.Time // when the report was made; the zero time is left out
	Person   int       // the number of the person, if the recording has several; 0 is left out

	Subject  Subject        // who is seen
	Recorded time.Time      // when it was filmed; the zero time is left out
	Zone     *time.Location // of the dates; nil for UTC, which is told beside them
	Examiner string         // who wrote the report; "" is left out
	Notes    []Note         // without, the report has lines to write on
	Sketches []Sketch       // drawn by hand; the first frames of at most six are shown whole

	Sequence  keypoint.Sequence
	Quality   quality.Report // zero: not judged
	Corrected int            // points that were corrected by hand
	Outdated  bool           // some of these were corrected after the numbers were computed

	// Part is the frames that were analysed, which Series, Gait and Jumps are of; zero: all.
	Part keypoint.Span

	Study      *study.Study     // of Part, for the verdict and what is withheld; nil: Analyze finds it, or without
	Neutral    *analyze.Neutral // the seconds of standing against which angles are given; nil: as they are
	Series     []Series
	Gait       *gait.Gait // nil: none
	Jumps      []jump.Jump
	NoSteps    bool             // say that there is no gait, which was asked for
	NoJumps    bool             // say that there are no jumps, which were asked for
	Comparison *Comparison      // nil: not compared
	Exercise   *exercise.Result // nil: not judged
	Trend      []trend.Trend    // at most one of each side, of one measure; nil: no other recordings are known

	Settings Settings

	Movie string // the URL of a movie of the same origin, which is shown on screens only; "": none

	whole bool // Series are those of Study

	// Pictures are upright pictures of the frames that Frames returns, of any scale; those that are missing are drawn without background.
	Pictures map[int]image.Image
}

// Series is a value over the frames of Report.Sequence.
type Series struct {
	Rule   analyze.Rule // what Result is the result of
	Result analyze.Result
}

// Comparison is how far another recording differs from Report.Sequence, which is the source.
type Comparison struct {
	Title   string // the name of the target; "" means that it has none
	Target  keypoint.Sequence
	Options compare.Options
	Result  compare.Result // of compare.Diff; its Angles are shown
}

// Settings are how the keypoints were made, for the small print. What is zero is left out.
type Settings struct {
	Version                        string         // of the program that made the report
	Keypoints, Analysis, Comparing int64          // the numbers of the records
	Rate                           float64        // pictures per second in which the person was looked for, if not in all
	CaptureRate                    float64        // pictures per second of the camera, if not those of the movie
	Cleaning                       *clean.Options // nil: not told; the zero Options: raw keypoints
}

// Write writes the report. A sequence without frames or without anybody, an unknown language, and results of another sequence
// are a keypoint.ErrInvalid, and nothing is written. Errors of the writer are returned unchanged.
func (r *Report) Write(w io.Writer) error {
	if err := r.check(); err != nil {
		return err
	}
	data, err := newPage(r).render()
	if err == nil {
		_, err = io.WriteString(w, data)
	}
	return err
}

func (r *Report) check() error {
	if err := r.Sequence.Validate(); err != nil {
		return err
	}
	n := r.Sequence.Len()
	switch {
	case n == 0:
		return fmt.Errorf("%w report: the recording has no frames", keypoint.ErrInvalid)
	case r.Sequence.Empty():
		return fmt.Errorf("%w report: nobody was found in the recording, so that there is nothing to show", keypoint.ErrInvalid)
	case r.Language != "" && !slices.Contains(say.Languages(), r.Language):
		return fmt.Errorf("%w language %q of a report, want %q or %q", keypoint.ErrInvalid, r.Language, say.English, say.Japanese)
	case r.Comparison != nil && len(r.Comparison.Result.Frames) != n:
		return fmt.Errorf("%w report: the comparison has %d frames, the recording %d", keypoint.ErrInvalid, len(r.Comparison.Result.Frames), n)
	}
	if _, err := r.Sequence.Cut(r.Part); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if r.Study != nil {
		for _, m := range r.Study.Measures {
			if len(m.Values) != n || len(m.Uncertainty) != n {
				return fmt.Errorf("study: %w report: %d values for %d frames", keypoint.ErrInvalid, len(m.Values), n)
			}
		}
	}
	if e := r.Exercise; e != nil {
		for _, one := range e.Repetitions {
			for _, v := range one.Targets {
				if v.Target < 0 || v.Target >= len(e.Exercise.Targets) {
					return fmt.Errorf("exercise: %w report: the target %d, of %d", keypoint.ErrInvalid, v.Target, len(e.Exercise.Targets))
				}
			}
		}
	}
	for k := range r.Series {
		for _, of := range r.Series[k].sides() {
			if len(of.Values) != n {
				return fmt.Errorf("series %d: %w report: %d values for %d frames", k, keypoint.ErrInvalid, len(of.Values), n)
			}
			if of.Repetitions == nil {
				continue
			}
			for _, one := range of.Repetitions.List {
				if one.Start.Frame < 0 || one.Turn.Frame < one.Start.Frame || one.End.Frame < one.Turn.Frame || one.End.Frame >= n {
					return fmt.Errorf("series %d: %w report: a repetition of frames %d to %d, of %d", k, keypoint.ErrInvalid, one.Start.Frame, one.End.Frame, n)
				}
			}
		}
	}
	return nil
}
