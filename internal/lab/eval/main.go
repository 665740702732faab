// Eval measures how well an estimator finds people: in labelled pictures, and in movies
// by the keypoints that another program or people found in them.
//
//	go run ./internal/lab/eval -estimator thunder -annotations person_keypoints_val2017.json -images val2017
//	go run ./internal/lab/eval -estimator lightning -annotations 'data/*/annotations.json' -movies videos -json
//
// Labels are COCO's keypoint annotations or a list of pictures (evalpose.ReadAnnotations);
// a pattern measures several sets, each beside its pictures. The pictures with a dominant
// person are held against that person, and those with nobody count for what was found in
// them anyway; pictures in which nobody stands out have no one right answer for a program
// that finds one person, and count for the time only.
//
// The folder of movies is searched with all folders below it. The reference of a movie is
// the file beside it with the same name and .json, or else reference_keypoints.json in the
// same folder (evalpose.ReadReference). A movie without one is measured for jitter and time.
//
// What the numbers mean is said in package evalpose. The time is that of the estimate,
// one after the other, without decoding; it depends on the machine and on what else runs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
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

// run measures what the arguments say and writes the report to out. Usage and progress go
// to status.
func run(ctx context.Context, table []choice, args []string, out, status io.Writer) error {
	o, err := parse(table, args, status)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	// What is wrong with the input is found before the networks are loaded.
	sets, err := readSets(o)
	if err != nil {
		return err
	}
	clips, err := findClips(o.movies)
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

func measure(ctx context.Context, est estimator, o options, sets []set, clips []clip, status io.Writer) (*report, error) {
	r := &report{Estimator: o.estimator.name, PCKWithin: o.pck, AgreementWithin: o.within, SwapMargin: o.margin}
	var all tally
	for _, s := range sets {
		fmt.Fprintf(status, "%s: %d pictures\n", s.name, len(s.pictures))
		t, err := s.measure(ctx, est, o)
		if err != nil {
			return nil, err
		}
		all = all.plus(t)
		r.Sets = append(r.Sets, t.report(s.name))
	}
	if len(sets) > 1 {
		r.Sets = append(r.Sets, all.report("all"))
	}
	if len(sets) > 0 {
		r.PartErrors = partReports(all.errors)
	}
	for _, c := range clips {
		fmt.Fprintf(status, "%s\n", c.name)
		m, err := c.measure(ctx, est, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		r.Movies = append(r.Movies, m)
	}
	return r, nil
}
