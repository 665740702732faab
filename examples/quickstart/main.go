// Quickstart shows the main job: it finds the keypoints of a person in pictures and movies,
// measures joints, counts repetitions, draws the skeleton, and compares two recordings.
//
//	go run ./examples/quickstart [-out DIR] [-setting fast|balanced|accurate] [FILE [FILE2]]
//
// Without a file it uses an embedded movie of three squats and compares the third with the
// first. In your own program, replace package setup by pose.Balanced, ffmpeg.Decoder{} and mp4.Encoder{}.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/cmd/motion/setup"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/httpapi/viewer"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// joints are measured at the middle part, on both sides.
var joints = [][]keypoint.Part{
	{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle},
	{keypoint.LeftShoulder, keypoint.LeftHip, keypoint.LeftKnee},
	{keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist},
	{keypoint.LeftElbow, keypoint.LeftShoulder, keypoint.LeftHip},
}

// recording is a file and what was found in it.
type recording struct {
	path, name  string
	seq         keypoint.Sequence
	repetitions []analyze.Repetition
	span        keypoint.Span // the frames that are compared
}

func main() { setup.Main("quickstart", run) }

func run(ctx context.Context, args []string) error {
	opt, out, files, err := flags(args)
	if err != nil {
		return err
	}
	made, err := setup.New(ctx, opt)
	if err != nil {
		return err
	}
	defer made.Close()
	parts := &parts{made, out}
	embedded := len(files) == 0
	if embedded {
		fmt.Println("no file given: using an embedded movie of three squats")
		files = []string{filepath.Join(parts.out, "sample.mp4")}
		if err := os.WriteFile(files[0], viewer.Sample(), 0o644); err != nil {
			return err
		}
	}
	var found []recording
	for i, path := range files {
		r, err := examine(ctx, parts, path, unique(files, i))
		if err != nil {
			return err
		}
		found = append(found, r)
	}
	if embedded && len(found[0].repetitions) == 3 {
		found = append(found, found[0])
		for i, n := range []int{0, 2} {
			c := found[i].repetitions[n]
			found[i].name = fmt.Sprint("sample-", n+1)
			found[i].span = keypoint.Span{First: c.Start.Frame, Last: c.End.Frame}
		}
	}
	if len(found) == 2 {
		err = contrast(ctx, parts, found[0], found[1])
	}
	return err
}

// examine finds the keypoints of a file, measures the joints and draws the skeleton.
func examine(ctx context.Context, parts *parts, path, name string) (recording, error) {
	r, meter := recording{path: path, name: name}, begin(name+": keypoints")
	var judged quality.Report
	x := motion.Extractor{Estimator: parts.Estimator, Decoder: parts.Decoder, Clean: clean.Default()}
	x.Progress, x.Quality = meter.progress, func(q quality.Report) { judged = q; meter.judged(q) }
	var err error
	if r.seq, err = x.File(ctx, path); err != nil {
		return r, err
	}
	meter.found(r.seq)
	r.span = keypoint.Span{Last: r.seq.Len() - 1}
	movie := r.seq.Times != nil
	var rules []analyze.Rule
	for _, j := range joints {
		for _, points := range [][]keypoint.Part{j, {j[0].Mirror(), j[1].Mirror(), j[2].Mirror()}} {
			rules = append(rules, analyze.Rule{Type: analyze.VectorAngle, Points: keypoint.PartSelectors(points...)})
			if movie {
				rules[len(rules)-1].Movie = &analyze.MovieOption{Statistic: analyze.Min}
			}
		}
	}
	results, err := analyze.Run(r.seq, rules)
	if err != nil {
		return r, err
	}
	shown, err := study.Run(r.seq, judged)
	if err != nil {
		return r, err
	}
	meter.shown(shown)
	if shown.Repetitions != nil {
		r.repetitions = shown.Repetitions.List
	}
	err = errors.Join(parts.writeJSON(name+".keypoints.json", r.seq), parts.writeJSON(name+".analysis.json", results))
	if err != nil {
		return r, err
	}
	style := append(draw.Sides(), draw.Rule{Type: draw.Angle, Points: rules[0].Points, Color: draw.White, Size: 2})
	return r, parts.annotate(ctx, motion.Annotator{Rules: style}, path, name+".drawing", r.seq)
}

// contrast compares the target with the source and draws the difference onto the source.
func contrast(ctx context.Context, parts *parts, source, target recording) error {
	name := source.name + "-" + target.name + ".comparison"
	other := target.seq.Slice(target.span.First, target.span.Last)
	result, err := compare.Diff(source.seq.Slice(source.span.First, source.span.Last), other, compare.Options{})
	if err != nil {
		return err
	}
	if err := parts.writeJSON(name+".json", result); err != nil {
		return err
	}
	style := slices.Insert(draw.Sides(), 0, draw.Rule{Type: draw.StickPicture, Ghost: draw.White})
	for i := range style { // what differs is red
		style[i].Bands = []draw.Band{{Threshold: draw.DefaultThreshold, Size: 2}}
	}
	a := motion.Annotator{Rules: style, Target: &other}
	if source.seq.Times != nil {
		a.Span = source.span
	}
	return parts.annotate(ctx, a, source.path, name, source.seq)
}
