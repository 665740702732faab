// Verdict measures package keypoint/quality on rendered movies whose truth is known:
//
//	go run ./internal/lab/verdict -estimator balanced -movies rendered
//
// For each movie it prints the verdict and the codes of the warnings, the share of the upright frames in
// which the view is within 10 degrees, and how often coordinates are within two
// uncertainties of the truth (angles: internal/lab/proof); then the same of all movies, and how often angles are said to be out of
// plane. The keypoints are those of the estimator after the default cleaning, or before it with -raw.
//
// Beside each movie NAME.mp4 lies its truth NAME.json (evalpose.ReadTruth). With -keypoints FOLDER the raw
// keypoints are read from FOLDER/NAME.json, in the form of keypoint.Sequence, instead of estimated.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/bodymotion/motion/internal/lab/eval/evaldata"
	"github.com/bodymotion/motion/keypoint/clean"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "verdict:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, status io.Writer) error {
	f := flag.NewFlagSet("verdict", flag.ContinueOnError)
	f.SetOutput(status)
	estimator := f.String("estimator", "balanced", "balanced or fast")
	movies := f.String("movies", "", "`folder` of rendered movies and their truth")
	keypoints := f.String("keypoints", "", "`folder` of raw keypoints (default estimated)")
	raw := f.Bool("raw", false, "do not clean")
	if err := f.Parse(args); err != nil {
		return err
	}
	paths, err := evaldata.Movies(*movies)
	if err != nil {
		return err
	}
	options := clean.Default()
	if *raw {
		options = clean.Options{}
	}
	read := evaldata.Stored(*keypoints)
	if *keypoints == "" {
		est, err := evaldata.Open(*estimator)
		if err != nil {
			return err
		}
		defer est.Close()
		read = evaldata.Estimated(ctx, est)
	}
	var all figures
	for _, path := range paths {
		truth, err := evaldata.Truth(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		seq, err := read(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		m, err := measure(truth, seq, options)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		fmt.Fprintf(out, "%-26s %-6s %s\n    %s\n", truth.Name, m.report.Verdict, strings.Join(m.codes(), " "), m.figures)
		all = all.plus(m.figures)
	}
	fmt.Fprintf(out, "all\n    %s\n    %s\n", all, all.planes())
	return nil
}
