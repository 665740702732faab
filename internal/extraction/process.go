// Package extraction is what becomes of keypoints once they are found: they are cleaned, calibrated and judged (Run), stored with
// those as they were found (Documents), joined in space and corrected by hand. Running keeps those that are being found. In a browser
// there is Run alone: nothing is stored there, and what stores would make its program a quarter of a megabyte larger.
package extraction

import (
	"errors"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Options say how keypoints are processed.
type Options struct {
	Clean       clean.Options
	CaptureRate float64 // frames per second of the camera, if not those of the movie; else 0
	Calibration keypoint.Calibration
	World       keypoint.World // without a Calibration: what that of somebody else in the movie has found

	// ScaleIfShown says that nobody asked for the scale of the Calibration, such as the height of a known person: a recording
	// that does not show it stays in pixels.
	ScaleIfShown bool
}

// ifShown calls work with the options, and again without their scale if nobody asked for it and the recording does not show it.
func (o Options) ifShown(work func(Options) error) error {
	err := work(o)
	if !o.ScaleIfShown || o.Calibration.Scale == nil || !errors.Is(err, keypoint.ErrInvalid) {
		return err
	}
	o.Calibration.Scale = nil
	return work(o)
}

// Result is what becomes of keypoints.
type Result struct {
	Sequence keypoint.Sequence
	Cleaning clean.Report // empty if there was nothing to clean or fill
	Quality  quality.Report
	Moved    bool // corrections have changed the World
	Summary  trend.Summary

	Calibration keypoint.Calibration // what Make and Join have used of that of the Options
}

// Run cleans keypoints, unless there is nothing to clean or fill or they are in space, for which each view was cleaned,
// calibrates them, and judges the result.
func Run(raw keypoint.Sequence, opt Options) (r Result, err error) {
	r.Sequence = raw
	if opt.CaptureRate != 0 {
		r.Sequence, err = raw.CapturedAt(opt.CaptureRate)
	}
	if err == nil && raw.Space == nil && (opt.Clean != (clean.Options{}) || raw.Looks != nil) {
		r.Sequence, r.Cleaning, err = clean.Run(r.Sequence, opt.Clean)
	}
	if err == nil {
		err = r.judge(opt)
	}
	return r, err
}

// correctBy corrects cleaned keypoints by hand, and judges them as judge does.
func correctBy(cleaned keypoint.Sequence, changes [][keypoint.NumParts]clean.Change, list correct.List, opt Options) (Result, error) {
	corrected, marks, err := correct.Apply(cleaned, list)
	if err != nil {
		return Result{}, err
	}
	r, err := judge(corrected, changes, marks, opt)
	r.Moved = r.Sequence.World != cleaned.World
	return r, err
}

// judge calibrates keypoints and judges them. Points that were corrected no longer count as changed by cleaning.
func judge(seq keypoint.Sequence, changes [][keypoint.NumParts]clean.Change, marks [][keypoint.NumParts]correct.Mark, opt Options) (Result, error) {
	r := Result{Sequence: seq, Cleaning: clean.Report{Changes: changes}}
	for i := range marks {
		for p, m := range marks[i] {
			if m != correct.None && changes != nil {
				changes[i][p] = 0
			}
		}
	}
	return r, r.judge(opt)
}

// judge calibrates the keypoints and judges them.
func (r *Result) judge(opt Options) (err error) {
	if opt.World != (keypoint.World{}) {
		r.Sequence.World = opt.World
	}
	if opt.Calibration != (keypoint.Calibration{}) {
		was := r.Sequence.World // perhaps with the scale of a file
		r.Sequence.World, err = r.Sequence.Calibrate(opt.Calibration)
		if opt.Calibration.Scale == nil {
			r.Sequence.World.MetresPerPixel, r.Sequence.World.ScaleError = was.MetresPerPixel, was.ScaleError
		}
	}
	if err == nil {
		r.Quality, err = quality.Assess(quality.Input{Sequence: r.Sequence, Cleaning: r.Cleaning})
	}
	if err == nil {
		err = r.study()
	}
	return err
}

// study studies the keypoints with the report on them: its verdict is that of what matters for the movement.
func (r *Result) study() error {
	shown, err := study.Run(r.Sequence, r.Quality)
	if err == nil {
		r.Quality.Verdict, r.Summary = shown.Verdict, trend.Summarize(r.Sequence, shown, r.Quality.Views)
	}
	return err
}
