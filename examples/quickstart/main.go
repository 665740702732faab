// Quickstart shows the main job: it finds the keypoints of a person in pictures and movies,
// measures joints, counts repetitions, draws the skeleton, and compares two recordings.
//
//	go run ./examples/quickstart [-out DIR] [FILE [FILE2]]
//
// Without a file it uses an embedded movie of three squats and compares the third with the first.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/cmd/motion/ffmpreg"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/httpapi/viewer"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/keypoint"
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

func main() {
	out := flag.String("out", "motion-out", "folder for the results")
	flag.Parse()
	if err := run(context.Background(), *out, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

// estimator returns networks. ONNX Runtime, which runs them, is downloaded once.
func estimator(ctx context.Context) (inference.Estimator, error) {
	e, err := pose.Balanced(pose.Options{})
	if errors.Is(err, onnxruntime.ErrLibrary) {
		if _, err = onnxruntime.Install(ctx, func(line string) { fmt.Println(line) }); err == nil {
			return pose.Balanced(pose.Options{})
		}
	}
	return e, err
}

// movies returns what reads and writes movies: the installed FFmpeg, or one that is downloaded once and runs as WebAssembly.
func movies(ctx context.Context) (ffmpeg.Decoder, mp4.Encoder, error) {
	missing := program.Installed{}.Check(ctx)
	if missing == nil {
		return ffmpeg.Decoder{}, mp4.Encoder{}, nil
	}
	fmt.Println(missing)
	fmt.Println("until then: FFmpeg as WebAssembly, which is slower")
	r, err := ffmpreg.Open(ctx, func(line string) { fmt.Println(line) })
	return ffmpeg.Decoder{Runner: r}, mp4.Encoder{Runner: r, Preset: "ultrafast"}, err
}

func run(ctx context.Context, out string, files []string) error {
	if len(files) > 2 {
		return fmt.Errorf("%d files given, want one, or two to compare the second with the first", len(files))
	}
	parts := motion.Annotator{}
	est, err := estimator(ctx)
	if err == nil {
		parts.Decoder, parts.Encoder, err = movies(ctx)
	}
	if err == nil {
		err = os.MkdirAll(out, 0o755)
	}
	if err != nil {
		return err
	}
	embedded := len(files) == 0
	if embedded {
		fmt.Println("no file given: using an embedded movie of three squats")
		files = []string{filepath.Join(out, "sample.mp4")}
		if err := os.WriteFile(files[0], viewer.Sample(), 0o644); err != nil {
			return err
		}
	}
	var found []recording
	for i, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if i == 1 && name == found[0].name {
			name += "-2"
		}
		r, err := examine(ctx, est, parts, path, out, name)
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
		err = contrast(ctx, parts, out, found[0], found[1])
	}
	return err
}

// examine finds the keypoints of a file, measures the joints and draws the skeleton.
func examine(ctx context.Context, est inference.Estimator, a motion.Annotator, path, out, name string) (recording, error) {
	r := recording{path: path, name: name}
	x := motion.Extractor{Estimator: est, Decoder: a.Decoder}
	seq, judged, err := x.File(ctx, path)
	if err != nil {
		return r, err
	}
	r.seq = seq
	r.span = keypoint.Span{Last: r.seq.Len() - 1}
	var rules []analyze.Rule
	for _, j := range joints {
		for _, points := range [][]keypoint.Part{j, {j[0].Mirror(), j[1].Mirror(), j[2].Mirror()}} {
			rules = append(rules, analyze.Rule{Type: analyze.VectorAngle, Points: keypoint.PartSelectors(points...)})
			if r.seq.Times != nil {
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
	fmt.Printf("%s: %d frames of a %s recording show: %s\n", name, r.seq.Len(), judged.Verdict, shown.Movement)
	if shown.Repetitions != nil {
		r.repetitions = shown.Repetitions.List
	}
	for i, c := range r.repetitions {
		fmt.Printf("  repetition %d: %.1f s to %.1f s\n", i+1, c.Start.Time, c.End.Time)
	}
	err = errors.Join(writeJSON(filepath.Join(out, name+".keypoints.json"), r.seq), writeJSON(filepath.Join(out, name+".analysis.json"), results))
	if err != nil {
		return r, err
	}
	a.Rules = append(draw.Sides(), draw.Angle(rules[0].Points...).In(draw.White, 2))
	return r, annotate(ctx, a, r, filepath.Join(out, name+".drawing"))
}

// contrast compares the target with the source and draws the difference onto the source.
func contrast(ctx context.Context, a motion.Annotator, out string, source, target recording) error {
	path := filepath.Join(out, source.name+"-"+target.name+".comparison")
	other := target.seq.Slice(target.span.First, target.span.Last)
	result, err := compare.Diff(source.seq.Slice(source.span.First, source.span.Last), other, compare.Options{})
	if err != nil {
		return err
	}
	if err := writeJSON(path+".json", result); err != nil {
		return err
	}
	a.Rules, _ = draw.Preset("sides", true) // the other one is outlined
	a.Target = &other
	if source.seq.Times != nil {
		a.Span = source.span
	}
	return annotate(ctx, a, source, path)
}

// annotate draws onto a picture or movie; the extension that fits is added to the path.
func annotate(ctx context.Context, a motion.Annotator, r recording, path string) error {
	if path += ".mp4"; r.seq.Times == nil {
		path = strings.TrimSuffix(path, ".mp4") + ".jpg"
	}
	fmt.Println(" ", path)
	return a.File(ctx, r.path, path, r.seq)
}

func writeJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	fmt.Println(" ", path)
	return os.WriteFile(path, append(b, '\n'), 0o644)
}
