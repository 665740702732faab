package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// keypointFiles are the extensions of files that contain keypoints, not pictures.
var keypointFiles = []string{".c3d", ".csv", ".json", ".jsonl", ".trc", ".zip"}

// given reports whether the file contains keypoints.
func (in input) given() bool {
	return slices.Contains(keypointFiles, strings.ToLower(filepath.Ext(in.path)))
}

// read reads the keypoints of a file, cleaned and judged as those of a movie are.
func (f finding) read(r io.Reader) (keypoint.Sequence, quality.Report, error) {
	raw, err := formats.Read(r, "", formats.Options{Rate: f.Rate, Size: f.Size})
	if wrong, ok := errors.AsType[*formats.Error](err); ok && (wrong.Member == "Rate" || wrong.Member == "Size") {
		err = fmt.Errorf("%w; the flag is --%s", err, strings.ToLower(wrong.Member))
	}
	if err != nil {
		return raw, quality.Report{}, err
	}
	x := f.extractor()
	res, err := extraction.Run(raw, extraction.Options{Clean: x.Clean, Calibration: x.Calibration})
	return res.Sequence, res.Quality, err
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
	if seq.Size == (image.Point{}) && (seq.Space.Seen() || seq.World.Metric()) {
		seq = onCanvas(seq)
	}
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

// canvas is the largest picture of places, and how far they stay from its edge, in pixels.
var canvas = struct{ Size, Edge keypoint.Point }{keypoint.Point{1280, 720}, keypoint.Point{40, 40}}

// onCanvas returns the places of a laboratory as a picture shows them from the person's side that is just large enough.
func onCanvas(seq keypoint.Sequence) keypoint.Sequence {
	seq = space.View(seq).Clone()
	low, high := keypoint.Point{math.Inf(1), math.Inf(1)}, keypoint.Point{math.Inf(-1), math.Inf(-1)}
	for i := range seq.Frames {
		if l, h, ok := seq.Frames[i].Bounds(); ok {
			low, high = keypoint.Point{min(low[0], l[0]), min(low[1], l[1])}, keypoint.Point{max(high[0], h[0]), max(high[1], h[1])}
		}
	}
	room, all := canvas.Size.Sub(canvas.Edge.Mul(2)), high.Sub(low)
	scale := min(1, room[0]/all[0], room[1]/all[1])
	if !(scale > 0) { // nobody
		return seq
	}
	for i := range seq.Frames {
		f := &seq.Frames[i]
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			f.Set(p, at.Sub(low).Mul(scale).Add(canvas.Edge), f.Confidence(p))
		}
	}
	seq.World.MetresPerPixel /= scale
	seq.World.Origin = keypoint.Point{}.Sub(low).Mul(scale).Add(canvas.Edge)
	end := all.Mul(scale).Add(canvas.Edge.Mul(2))
	seq.Size = image.Pt(2*int(math.Ceil(end[0]/2)), 2*int(math.Ceil(end[1]/2)))
	return seq
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
