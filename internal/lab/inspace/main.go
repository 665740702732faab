// Inspace compares what several cameras, found by the person alone, make of a movement with the truth:
//
//	go run ./internal/lab/inspace -pairs rendered/pairs                         # the whole chain, from the movies
//	go run ./internal/lab/inspace -pairs rendered/pairs -keypoints folder       # cleaned keypoints NAME.json, estimated before
//	go run ./internal/lab/inspace -pairs rendered/pairs -truth 2                # the true projections with 2 pixels of noise
//	go run ./internal/lab/inspace -keypoints folder -wrong wrong.txt            # recordings that must not be joined
//	go run ./internal/lab/inspace -keypoints folder -real videos/pose2sim_balance_cam01,videos/pose2sim_balance_cam02
//
// A pair is a file NAME.json of the format motion-pair/1 beside its movies and their truth files. For each it prints how far
// the offset and the rotation of the cameras lie off, and of each angle the root mean square error against the truth, once
// more without the mean of each side, and how much larger that is than what the true cameras give of the same
// keypoints; then what is measured in metres, and the steps. Each line of wrong.txt is the reason that is expected and the names
// of the recordings.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/bodymotion/motion/internal/lab/eval/evaldata"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/space"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "inspace:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, status io.Writer) error {
	f := flag.NewFlagSet("inspace", flag.ContinueOnError)
	f.SetOutput(status)
	pairs := f.String("pairs", "", "`folder` of pairs")
	stored := f.String("keypoints", "", "`folder` of cleaned keypoints; else they are estimated by Balanced")
	noise := f.Float64("truth", -1, "take the true projections, with noise of so many `pixels`")
	wrong := f.String("wrong", "", "`file` of recordings that must not be joined")
	real := f.String("real", "", "`folders` of the cameras of Pose2Sim, separated by commas")
	if err := f.Parse(args); err != nil {
		return err
	}
	read := evaldata.Stored(*stored)
	switch {
	case *noise >= 0:
		read = truth(*noise)
	case *stored == "":
		est, err := evaldata.Open("balanced")
		if err != nil {
			return err
		}
		defer est.Close()
		raw := evaldata.Estimated(ctx, est)
		read = func(movie string) (keypoint.Sequence, error) {
			seq, err := raw(movie)
			if err == nil {
				seq, _, err = clean.Run(seq, clean.Default())
			}
			return seq, err
		}
	}
	if *pairs != "" {
		list, err := groups(*pairs, read)
		if err != nil {
			return err
		}
		if err := report(out, list); err != nil {
			return err
		}
	}
	if *wrong != "" {
		if err := refusals(out, *wrong, read); err != nil {
			return err
		}
	}
	if *real != "" {
		g, err := people(strings.Split(*real, ","), read)
		if err != nil {
			return err
		}
		return report(out, []group{g})
	}
	return nil
}

// refusals prints which of the recordings of a file are joined, and which are refused for another reason than is expected.
func refusals(out io.Writer, path string, read func(string) (keypoint.Sequence, error)) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for line := range strings.Lines(string(data)) {
		names := strings.Fields(line)
		if len(names) < 3 {
			continue
		}
		var views []keypoint.Sequence
		for _, name := range names[1:] {
			seq, err := read(name + ".mp4")
			if err != nil {
				return err
			}
			views = append(views, seq)
		}
		joined, err := space.Join(views, space.Options{})
		var refused *space.Error
		switch {
		case err == nil:
			counts["joined"]++
			fmt.Fprintf(out, "joined: %s: residual %.1f px, %.0f degrees\n", strings.TrimSpace(line), joined.Space.Residual, joined.Space.Angle)
		case !errors.As(err, &refused):
			return fmt.Errorf("%s: %w", strings.TrimSpace(line), err)
		case !strings.Contains(names[0], string(refused.Reason)):
			counts["refused for another reason"]++
			fmt.Fprintf(out, "%s: %s: %s\n", refused.Reason, strings.TrimSpace(line), refused.Detail)
		default:
			counts["refused"]++
		}
	}
	fmt.Fprintf(out, "%d refused, %d for another reason, %d joined\n", counts["refused"], counts["refused for another reason"], counts["joined"])
	return nil
}
