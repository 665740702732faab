// Points uses only the pure packages, on keypoints from another program: it reads a CSV file, counts
// the squats in it, compares each with the first, and writes a chart and a picture of the deepest
// squat. It needs no cgo, network, other program or Service:
//
//	go run ./examples/mount/points [-out DIR] [FILE.csv]
//
// keypoint/formats reads the file: one row per frame, or per frame and part, with times. The default
// is a file of two artificial squats.
package main

import (
	"bytes"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/draw/sheet"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

//go:embed squats.csv
var squats []byte

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "points:", err)
		}
		os.Exit(1)
	}
}

func run(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("points", flag.ContinueOnError)
	out := flags.String("out", "points-out", "folder for the results")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp // the flag package has printed the error
	}
	if flags.NArg() > 1 {
		return fmt.Errorf("%d files given, want at most one", flags.NArg())
	}
	recording := squats
	if path := flags.Arg(0); path != "" {
		var err error
		if recording, err = os.ReadFile(path); err != nil {
			return err
		}
	}
	seq, err := formats.Read(bytes.NewReader(recording), "csv", formats.Options{})
	if err != nil {
		return err
	}
	if seq.Times == nil {
		return errors.New("the recording has no times: fill the column time")
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	return study(w, seq, *out)
}

// study counts squats by the angle of the right knee.
func study(w io.Writer, seq keypoint.Sequence, out string) error {
	points := keypoint.PartSelectors(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
	results, err := analyze.Run(seq, []analyze.Rule{{Type: analyze.VectorAngle, Points: points}})
	if err != nil {
		return err
	}
	knee := results[0]
	squats, err := analyze.FindRepetitions(seq, knee, analyze.RepetitionOptions{Prominence: 30})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d squats in %.1f s\n", len(squats.List), seq.Duration())
	if len(squats.List) == 0 {
		return nil
	}
	var spans []keypoint.Span
	deepest := squats.List[0]
	for i, c := range squats.List {
		fmt.Fprintf(w, "squat %d: from %.1f s, %.1f s long, knee bent to %.0f degrees\n", i+1, seq.Times[c.Start.Frame], c.Duration, c.Turn.Value)
		spans = append(spans, keypoint.Span{First: c.Start.Frame, Last: c.End.Frame})
		if c.Turn.Value < deepest.Turn.Value {
			deepest = c
		}
	}
	first := spans[0]
	for i, c := range spans[1:] {
		r, err := compare.Diff(seq.Slice(first.First, first.Last), seq.Slice(c.First, c.Last), compare.Options{})
		if err != nil {
			return err
		}
		if r.Score != nil {
			fmt.Fprintf(w, "squat %d is like the first by %.0f %%\n", i+2, 100*r.Score.Overall)
		}
	}
	series := chart.Series{Name: "right knee", Result: knee, Times: seq.Times, Repetitions: squats.List}
	if err := write(w, filepath.Join(out, "knee.svg"), func(f io.Writer) error {
		return chart.WriteSVG(f, []chart.Series{series}, chart.Options{Title: "Angle of the knee"})
	}); err != nil {
		return err
	}
	picture, err := sheet.Draw(seq, nil, sheet.Options{
		Frames: []int{deepest.Turn.Frame}, CellSize: 480,
		Rules: append(draw.Sides(), draw.Angle(points...).In(draw.Red, 2)),
	})
	if err != nil {
		return err
	}
	return write(w, filepath.Join(out, "deepest.png"), func(f io.Writer) error { return png.Encode(f, picture) })
}

// write writes a file and reports it.
func write(w io.Writer, path string, content func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(content(f), f.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, "wrote", path)
	return err
}
