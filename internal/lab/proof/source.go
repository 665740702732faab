package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/lab/internal/estimators"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// open opens the estimator of the options.
func (o options) open() (estimators.Estimator, error) {
	part := 0.0
	if o.allParts {
		part = -1
	}
	return estimators.Open(o.estimator, o.person, part)
}

// source reads the keypoints of a recording, as they are found.
type source func(path string) (keypoint.Sequence, error)

// source returns that of the options, nil for the true keypoints; the caller calls end.
func (o options) source(ctx context.Context) (read source, end func() error, err error) {
	end = func() error { return nil }
	switch {
	case o.keypoints != "":
		read = stored(o.keypoints)
	case o.estimator != "":
		est, err := o.open()
		if err != nil {
			return nil, nil, err
		}
		end = est.Close
		read = func(path string) (keypoint.Sequence, error) { return look(ctx, est, path, 0) }
	}
	return read, end, nil
}

// stored reads keypoints of NAME.mp4 or NAME/video.mp4 from NAME.json in a folder.
func stored(folder string) source {
	return func(path string) (seq keypoint.Sequence, err error) {
		name := strings.TrimSuffix(strings.TrimSuffix(path, "/video.mp4"), ".mp4")
		data, err := os.ReadFile(filepath.Join(folder, filepath.Base(name)+".json"))
		if err == nil {
			err = json.Unmarshal(data, &seq)
		}
		return seq, err
	}
}

// look estimates the keypoints of a movie, with feet.
func look(ctx context.Context, est inference.Estimator, path string, rate float64) (keypoint.Sequence, error) {
	f, err := os.Open(path)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	defer f.Close()
	frames, err := ffmpeg.Decoder{}.Open(ctx, f)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	seq, err := inference.Extract(ctx, frames, est, inference.ExtractOptions{Rate: rate, Feet: true})
	return seq, errors.Join(err, frames.Close())
}

// cleaned returns a source that cleans by default.
func cleaned(read source) source {
	return func(path string) (keypoint.Sequence, error) {
		seq, err := read(path)
		if err == nil {
			seq, _, err = clean.Run(seq, clean.Default())
		}
		return seq, err
	}
}

// recording is a movie with its truth.
type recording struct {
	truth *truth.Truth
	keypoint.Sequence
	pairs []score.Pair // frames of the truth and of the sequence
	exact bool         // the sequence is the true keypoints

	cleaning clean.Report
	judged   quality.Report // of the cleaned keypoints
}

// each returns a command that reads recordings.
func each(print func(out io.Writer, list []recording) error) func(ctx context.Context, o options, path string, out io.Writer) error {
	return func(ctx context.Context, o options, path string, out io.Writer) error {
		list, err := truth.Recordings(path)
		if err != nil {
			return err
		}
		read, end, err := o.source(ctx)
		if err != nil {
			return err
		}
		var recordings []recording
		for _, x := range list {
			var r recording
			if r, err = newRecording(x, read, o.cutoff); err != nil {
				err = fmt.Errorf("%s: %w", x.Path, err)
				break
			}
			recordings = append(recordings, r)
		}
		if err := errors.Join(err, end()); err != nil {
			return err
		}
		return print(out, recordings)
	}
}

// renderedOnly returns what prints rendered movies alone.
func renderedOnly(print func(out io.Writer, list []recording) error) func(out io.Writer, list []recording) error {
	return func(out io.Writer, list []recording) error {
		for _, r := range list {
			if r.truth.Angles3D == nil {
				return fmt.Errorf("%s is no rendered movie: the command told prints what is told of other recordings", r.truth.Name)
			}
		}
		return print(out, list)
	}
}

// newRecording cleans the keypoints of a recording; read is nil for the true ones. A cut-off below 0 is none for these and the
// default for the others.
func newRecording(x truth.Recording, read source, cutoff float64) (r recording, err error) {
	if x.Truth == nil {
		return r, errors.New("nothing is known of it: the truth NAME.json or a reference NAME.reference.EXT lies beside it")
	}
	r = recording{truth: x.Truth, Sequence: x.Parts}
	if !truth.IsMovie(x.Path) {
		read = truth.Keypoints
	}
	opt, raw := clean.Default(), x.Parts
	if r.exact = read == nil; !r.exact {
		raw, err = read(x.Path)
	} else if opt = (clean.Options{Smooth: opt.Smooth}); x.Angles3D == nil {
		err = errors.New("the keypoints of a movie are missing: -estimator finds them, -keypoints has them")
	}
	opt.Smooth.Cutoff = max(cutoff, 0)
	if err == nil && (!r.exact || cutoff >= 0) {
		r.Sequence, r.cleaning, err = clean.Run(raw, opt)
	}
	if err == nil && !r.exact {
		r.judged, err = quality.Assess(quality.Input{Sequence: r.Sequence, Cleaning: r.cleaning})
	}
	if err == nil {
		r.pairs, err = score.Match(r.truth.Parts, r.Sequence, 0)
	}
	return r, err
}

// walks prints what is told of walks with markers.
func walks(_ context.Context, _ options, folder string, out io.Writer) error {
	seqs, truths, err := truth.Markers(folder)
	var list []recording
	for k, seq := range seqs {
		r := recording{truth: truths[k], Sequence: seq, exact: true}
		if r.pairs, err = score.Match(r.truth.Parts, seq, 0); err != nil {
			return err
		}
		list = append(list, r)
	}
	if err != nil {
		return err
	}
	return summary(out, list)
}
