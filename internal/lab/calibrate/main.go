// Calibrate makes the tables of movenet.Options.Calibrated: how often a part of a given score is
// right.
//
//	go run ./internal/lab/calibrate -estimator thunder -annotations 'data/*/annotations.json'
//
// Every labelled person is estimated in the crop around the labelled box. A part is right if it is
// within 0.2 torso lengths of its label (evalpose.PCK). The tables are learnt on every other picture
// of each set and checked on the others; the expected calibration errors of both are printed with
// them. Only the first half is used for the table, so that the check is one of unseen pictures.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "calibrate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, status io.Writer) error {
	f := flag.NewFlagSet("calibrate", flag.ContinueOnError)
	f.SetOutput(status)
	estimator := f.String("estimator", "thunder", "thunder or lightning")
	annotations := f.String("annotations", "", "`pattern` of files of labels, each beside its pictures")
	if err := f.Parse(args); err != nil {
		return err
	}
	paths, err := filepath.Glob(*annotations)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("-annotations %q matches no file", *annotations)
	}
	if err != nil {
		return err
	}
	opt := movenet.Options{Pose: thunder.Model(), PartThreshold: -1}
	if *estimator == "lightning" {
		opt.Pose = lightning.Model()
	}
	est, err := movenet.New(opt)
	if err != nil {
		return err
	}
	var learnt, check []sample
	for _, path := range paths {
		a, err := read(ctx, est, path, 0)
		b, errOdd := read(ctx, est, path, 1)
		if err = errors.Join(err, errOdd); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", path, err), est.Close())
		}
		learnt, check = append(learnt, a...), append(check, b...)
	}
	if err := est.Close(); err != nil {
		return err
	}
	table := fit(learnt)
	write(out, opt.Pose.Name, table)
	for _, s := range []struct {
		name    string
		samples []sample
	}{{"learnt on", learnt}, {"checked on", check}} {
		raw := expectedError(s.samples)
		for i := range s.samples {
			c := table[int(s.samples[i].part+1)/2]
			s.samples[i].score = of(c, s.samples[i].score)
		}
		fmt.Fprintf(out, "// %s %d parts: expected calibration error %.3f, without the table %.3f\n", s.name, len(s.samples), expectedError(s.samples), raw)
	}
	return nil
}

// read estimates the labelled people of every other picture of a set, from the first (0) or the second (1) on.
func read(ctx context.Context, est *movenet.Estimator, path string, first int) (samples []sample, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	pictures, err := evalpose.Read(f)
	if err != nil {
		return nil, err
	}
	for i := first; i < len(pictures); i += 2 {
		s, err := estimate(ctx, est, filepath.Dir(path), &pictures[i])
		if err != nil {
			return nil, err
		}
		samples = append(samples, s...)
	}
	return samples, nil
}

// maxPixels is the limit of a picture, far above that of any data set.
const maxPixels = 100_000_000

func estimate(ctx context.Context, est *movenet.Estimator, folder string, l *evalpose.Labelled) (samples []sample, err error) {
	f, err := os.Open(filepath.Join(folder, filepath.FromSlash(l.Image)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	img, err := inference.DecodeImage(ctx, f, maxPixels)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.Image, err)
	}
	for i := range l.People {
		p := &l.People[i]
		torso, ok := evalpose.Torso(&p.Parts)
		if !ok || p.Crowd {
			continue
		}
		who := inference.Candidate{Box: inference.Box{
			Min: keypoint.Point{p.Box.X, p.Box.Y}, Max: keypoint.Point{p.Box.X + p.Box.Width, p.Box.Y + p.Box.Height},
		}}
		found, err := est.Estimate(ctx, img, inference.Hint{Person: &who})
		if err != nil {
			return nil, err
		}
		for _, part := range (p.Parts.Present() & found.Present()).List() {
			want, _ := p.Parts.At(part)
			got, _ := found.At(part)
			samples = append(samples, sample{part, found.Confidence(part), cmp.Less(got.Sub(want).Len(), 0.2*torso)})
		}
	}
	return samples, nil
}
