package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/process"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/keypoint/quality"
)

// keypointFiles are the extensions of files that contain keypoints, not pictures.
var keypointFiles = []string{".csv", ".json", ".jsonl", ".trc", ".zip"}

// given reports whether the file contains keypoints.
func (in input) given() bool {
	return slices.Contains(keypointFiles, strings.ToLower(filepath.Ext(in.path)))
}

// read reads the keypoints of a file, cleaned and judged as those of a movie are.
func (f finding) read(r io.Reader) (keypoint.Sequence, *quality.Report, error) {
	raw, err := formats.Read(r, "", formats.Options{Rate: f.Rate, Size: f.Size})
	if wrong, ok := errors.AsType[*formats.Error](err); ok && (wrong.Member == "Rate" || wrong.Member == "Size") {
		err = fmt.Errorf("%w; the flag is --%s", err, strings.ToLower(wrong.Member))
	}
	if err != nil {
		return raw, nil, err
	}
	x := f.extractor()
	res, err := process.Run(raw, process.Options{Clean: x.Clean, Calibration: x.Calibration, World: raw.World})
	return res.Sequence, &res.Quality, err
}

// picture returns the path of the picture or movie to draw on, or "" if none is known.
func (j *job) picture() string {
	if j.in.given() {
		return j.movie
	}
	return j.in.path
}

// plain draws onto a plain background: of keypoints from a file, the picture or movie may be missing.
func (j *job) plain(ctx context.Context, a motion.Annotator, path string, seq keypoint.Sequence) error {
	if seq.Size == (image.Point{}) {
		return errors.New("the keypoints have no size: give the width and height of their picture with --size, such as --size 1280x720")
	}
	a.Background.SkeletonOnly = true
	if !j.still {
		a.Span.Last = seq.Len() - 1 // a part of a movie has no sound, which would be looked for in the file of the keypoints
		return a.File(ctx, j.in.path, path, seq)
	}
	empty := filepath.Join(filepath.Dir(path), "empty.png")
	if err := writeFile(empty, func(w io.Writer) error { return png.Encode(w, image.NewGray(image.Rectangle{Max: seq.Size})) }); err != nil {
		return err
	}
	defer os.Remove(empty)
	return a.File(ctx, empty, path, seq)
}

// sizeFlag is the value of --size.
type sizeFlag struct{ *image.Point }

func (s sizeFlag) String() string {
	if s.Point == nil || *s.Point == (image.Point{}) {
		return ""
	}
	return fmt.Sprintf("%dx%d", s.X, s.Y)
}

func (s sizeFlag) Set(text string) error {
	var end string
	if n, _ := fmt.Sscanf(text+" .", "%dx%d %s", &s.X, &s.Y, &end); n != 3 || end != "." || s.X < 1 || s.Y < 1 {
		return errors.New("want width and height in pixels, such as 1280x720")
	}
	return nil
}

func (sizeFlag) Type() string { return "WIDTHxHEIGHT" }
