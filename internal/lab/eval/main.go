// Eval measures the accuracy of an estimator: on labelled pictures, and on movies with reference
// keypoints.
//
//	go run ./internal/lab/eval -estimator thunder -annotations person_keypoints_val2017.json -images val2017
//	go run ./internal/lab/eval -estimator lightning -annotations 'data/*/annotations.json' -movies videos -json
//
// Labels are COCO's keypoint annotations or a list of pictures (evalpose.Read);
// a pattern measures several sets, each beside its pictures. Pictures with a dominant person are
// compared with that person; pictures with nobody count false positives. Pictures in which nobody
// stands out have no single right answer for a program that finds one person, and are only timed.
//
// The folder of movies is searched recursively. The reference of a movie is the file beside it with
// the same name and .json, or else reference_keypoints.json in the same folder: keypoints
// (evalpose.ReadReference), or the truth of a rendered movie (evalpose.ReadTruth), whose angles and
// peaks are measured too. A movie without a reference is measured for jitter and time. Each is measured
// before and after cleaning with the defaults of package clean.
//
//	go run ./internal/lab/eval -movies videos -rate 20
//
// With -rate, movies are looked at only so many times a second, and the frames between are filled in.
//
// Package evalpose defines the measures. The time in milliseconds is that of one estimate without
// decoding; that in seconds is of the whole movie.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/bodymotion/motion/internal/lab/eval/evaldata"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, estimators(), os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

// run runs the evaluation and writes the report to out; usage and progress go to status.
func run(ctx context.Context, table []choice, args []string, out, status io.Writer) error {
	o, err := parse(table, args, status)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	// The input is checked before the networks are loaded.
	sets, err := evaldata.Sets(o.annotations, o.images, o.first)
	if err != nil {
		return err
	}
	clips, err := evaldata.Clips(o.movies)
	if err != nil {
		return err
	}
	est, err := o.estimator.open(o)
	if err != nil {
		return err
	}
	r, err := measure(ctx, est, o, sets, clips, status)
	if err = errors.Join(err, est.Close()); err != nil {
		return err
	}
	if o.json {
		return r.writeJSON(out)
	}
	return r.writeTable(out)
}

func measure(ctx context.Context, est estimator, o options, sets []evaldata.Set, clips []evaldata.Clip, status io.Writer) (*report, error) {
	r := &report{Estimator: o.estimator.name, PCKWithin: o.pck, AgreementWithin: o.within}
	var all tally
	for i := range sets {
		s := &sets[i]
		fmt.Fprintf(status, "%s: %d pictures\n", s.Name, len(s.Pictures))
		t, err := measureSet(ctx, s, est, o)
		if err != nil {
			return nil, err
		}
		all = all.plus(t)
		r.Sets = append(r.Sets, t.report(s.Name))
	}
	if len(sets) > 1 {
		r.Sets = append(r.Sets, all.report("all"))
	}
	if len(sets) > 0 {
		r.PartErrors = partReports(all.errors)
	}
	for i := range clips {
		c := &clips[i]
		fmt.Fprintf(status, "%s\n", c.Name)
		if c.Clipped > 0 {
			fmt.Fprintf(status, "%s: %d confidences of the reference are above 1 and count as 1\n", c.Name, c.Clipped)
		}
		m, err := measureClip(ctx, c, est, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		r.Movies = append(r.Movies, m)
	}
	r.addTotals()
	return r, nil
}
