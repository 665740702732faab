// Proof compares what the library measures with the truth, as clinical papers do:
//
//	go run ./internal/lab/proof -table -movies folder -estimator balanced      # one table of what is told, of recordings of your own
//	go run ./internal/lab/proof -table -movies rendered -estimator balanced    # of rendered movies
//	go run ./internal/lab/proof -markers folder                                # of walks with markers
//	go run ./internal/lab/proof -pairs rendered/pairs -estimator balanced      # several cameras, found by the person alone
//	go run ./internal/lab/proof -pairs rendered/pairs -noise 2                 # of the true projections with noise in pixels
//	go run ./internal/lab/proof -wrong wrong.txt -keypoints folder             # recordings that must not be joined
//	go run ./internal/lab/proof -triangulated videos -estimator balanced       # two real cameras
//	go run ./internal/lab/proof -movies rendered                        # the true keypoints: the mathematics alone
//	go run ./internal/lab/proof -movies rendered -estimator balanced    # the whole chain, from the movie
//	go run ./internal/lab/proof -movies rendered -keypoints folder      # raw keypoints that were estimated before
//	go run ./internal/lab/proof -movies rendered -cutoff 6              # the true keypoints, smoothed
//	go run ./internal/lab/proof -offsets -movies rendered -triangulated videos -keypoints folder # how far joints lie off, by view
//
// A folder of one's own has beside each recording NAME.EXT, a movie or keypoints in a format of formats.Read, its reference
// NAME.reference.EXT: keypoints of another system in the picture, or a TRC file in space, on the same clock; and if steps or jumps are
// annotated, NAME.events.csv with the header time,side,event (seconds; left, right or nothing; heel strike, toe off, take-off or landing).
//
// A pair is a file NAME.json of the format motion-pair/1 beside its movies and their truth files. Each line of wrong.txt is the reason
// that is expected and the names of the recordings.
//
// Without -table, for each measure, joint, movement and view it prints how many values there are, the bias (the mean of
// found minus true), the 95 % limits of agreement (bias ± 1.96 standard deviations; Bland and Altman,
// Lancet 1986), the root mean square error, and that after removing the bias. Then it prints whether the trust
// in the numbers is deserved, in every second movie and in the others: see trust. Estimated keypoints are
// cleaned by default, with -cutoff smoothed by so many hertz; 0 is by the movement. Beside each movie NAME.mp4 lies its truth NAME.json (evalpose.ReadTruth); -keypoints
// names a folder of files NAME.json in the form of keypoint.Sequence.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/bodymotion/motion/internal/lab/eval/evaldata"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// measures is what is proved, in the order of the tables.
var measures = []measure{
	{"angles", "°", angles},
	{"peaks", "° or torso lengths/s", peaks},
	{"metres", "%", metres},
	{"floor", "°", floor},
	{"repetitions", "number", repetitions},
	{"tempo", "ms", tempo},
	{"steps", "ms", events},
	{"gait", "%", pace},
	{"flights", "ms", flights},
	{"jumps", "cm", jumps},
}

// measure compares one kind of value of a movie with the truth.
type measure struct {
	name, unit string
	errors     func(r recording) ([]sample, error)
}

// recording is a movie with its truth.
type recording struct {
	truth *evalpose.Truth
	keypoint.Sequence
	pairs []evalpose.Pair // frames of the truth and of the sequence
	exact bool            // the sequence is the true keypoints

	cleaning clean.Report
	judged   quality.Report // of the cleaned keypoints
}

// sample is the errors of one quantity in one movie, found minus true.
type sample struct {
	what   string // such as "knee, near side"
	errors []float64
	of     int // how many could be known, if it is more
	wrong  int // how many were told that are none
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "proof:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, status io.Writer) error {
	f := flag.NewFlagSet("proof", flag.ContinueOnError)
	f.SetOutput(status)
	movies := f.String("movies", "", "`folder` of rendered movies and their truth")
	estimator := f.String("estimator", "", "balanced or fast: estimate the keypoints")
	keypoints := f.String("keypoints", "", "`folder` of raw keypoints")
	table := f.Bool("table", false, "print one table of what is told, as of references that are no rendered truth")
	walks := f.String("markers", "", "`folder` of walks with markers, for the table")
	only := f.Bool("offsets", false, "tell only by how much joints lie off their centres")
	real := f.String("triangulated", "", "`folder` of real people in folders pose2sim_*: joins their cameras; with -offsets, tells how far their joints lie off")
	several := f.String("pairs", "", "`folder` of movements that two cameras or more see")
	noise := f.Float64("noise", 0, "with -pairs and -wrong, noise of the true keypoints in `pixels`")
	wrong := f.String("wrong", "", "`file` of recordings that must not be joined")
	cutoff := f.Float64("cutoff", -1, "cut-off of smoothing in `hertz`, of the true keypoints too; 0: by the movement; -1: the defaults")
	if err := f.Parse(args); err != nil {
		return err
	}
	var paths []string
	var recordings []recording
	var err error
	joins := *several != "" || *wrong != "" || *real != "" && !*only
	if *movies != "" || *walks == "" && !joins {
		paths, err = evaldata.Movies(*movies)
	}
	if err != nil {
		return err
	}
	if *walks != "" {
		if recordings, err = withMarkers(*walks); err != nil {
			return err
		}
	}
	read := func(string) (keypoint.Sequence, error) { return keypoint.Sequence{}, nil } // the truth
	switch {
	case *keypoints != "":
		read = evaldata.Stored(*keypoints)
	case *estimator != "":
		est, err := evaldata.Open(*estimator)
		if err != nil {
			return err
		}
		defer est.Close()
		read = evaldata.Estimated(ctx, est)
	}
	if joins {
		if *keypoints == "" && *estimator == "" {
			read = projected(*noise)
		}
		return together(out, *several, *wrong, *real, *table, cleaned(read))
	}
	for _, path := range paths {
		r, err := newRecording(path, read, *cutoff)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		recordings = append(recordings, r)
	}
	if *table || slices.ContainsFunc(recordings, func(r recording) bool { return r.truth.Angles3D == nil }) {
		return summary(out, recordings)
	}
	if *only {
		if err := report(out, recordings, []measure{{"offsets", "thousandths of the torso", offsets}}); err != nil || *real == "" {
			return err
		}
		return people(out, *real, read)
	}
	if err := report(out, recordings, measures); err != nil {
		return err
	}
	if err := trust(out, recordings); err != nil {
		return err
	}
	return comparisons(out, recordings)
}

// cleaned returns a function that reads keypoints and cleans them by default.
func cleaned(read func(string) (keypoint.Sequence, error)) func(string) (keypoint.Sequence, error) {
	return func(movie string) (keypoint.Sequence, error) {
		seq, err := read(movie)
		if err == nil {
			seq, _, err = clean.Run(seq, clean.Default())
		}
		return seq, err
	}
}

// together prints what several cameras make of pairs, what is joined wrongly, and what the cameras of real people make.
func together(out io.Writer, pairs, wrong, real string, table bool, read func(string) (keypoint.Sequence, error)) error {
	if pairs != "" {
		list, err := groups(pairs, read)
		if err == nil {
			err = cameras(out, list, table)
		}
		if err != nil {
			return err
		}
	}
	if wrong != "" {
		if err := refusals(out, wrong, read); err != nil {
			return err
		}
	}
	if real == "" {
		return nil
	}
	folders, err := filepath.Glob(filepath.Join(real, "pose2sim_*"))
	if err == nil && len(folders) < 2 {
		err = fmt.Errorf("-triangulated: there are no two folders pose2sim_* in %q", real)
	}
	if err != nil {
		return err
	}
	g, err := filmed(folders, read)
	if err != nil {
		return err
	}
	return cameras(out, []group{g}, false)
}

// people prints the offsets of triangulated people.
func people(out io.Writer, folder string, read func(string) (keypoint.Sequence, error)) error {
	folders, err := filepath.Glob(filepath.Join(folder, "pose2sim_*"))
	var recordings []recording
	for _, path := range folders {
		r := recording{}
		if r.truth, err = triangulated(path); err != nil {
			return err
		}
		raw, err := read(filepath.Join(path, "video.mp4"))
		if err != nil {
			return err
		}
		if r.Sequence, _, err = clean.Run(raw, clean.Default()); err != nil {
			return err
		}
		if r.pairs, err = evalpose.Match(r.truth.Parts, r.Sequence, 0); err != nil {
			return err
		}
		recordings = append(recordings, r)
	}
	if err != nil {
		return err
	}
	return report(out, recordings, []measure{{"offsets of real people", "thousandths of the torso", offsets}})
}

// withMarkers returns walks with markers as exact recordings.
func withMarkers(folder string) (list []recording, err error) {
	seqs, truths, err := evaldata.Markers(folder)
	for k, seq := range seqs {
		r := recording{truth: truths[k], Sequence: seq, exact: true}
		if r.pairs, err = evalpose.Match(r.truth.Parts, seq, 0); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, err
}

// newRecording reads the truth of a movie, and cleans the keypoints. Without any it takes the true ones. A cut-off below
// 0 is none for these and the default for the others.
func newRecording(movie string, read func(string) (keypoint.Sequence, error), cutoff float64) (recording, error) {
	truth, err := evaldata.Truth(movie)
	if err != nil {
		return recording{}, err
	}
	if !evaldata.IsMovie(movie) {
		read = evaldata.Keypoints
	}
	raw, err := read(movie)
	if err != nil {
		return recording{}, err
	}
	r := recording{truth: truth, Sequence: truth.Parts, exact: raw.Len() == 0}
	if r.exact && truth.Angles3D == nil {
		return recording{}, errors.New("the keypoints of a movie are missing: -estimator finds them, -keypoints has them")
	}
	opt := clean.Default()
	if r.exact {
		raw, opt = truth.Parts, clean.Options{Smooth: opt.Smooth}
	}
	opt.Smooth.Cutoff = max(cutoff, 0)
	if !r.exact || cutoff >= 0 {
		if r.Sequence, r.cleaning, err = clean.Run(raw, opt); err != nil {
			return recording{}, err
		}
	}
	if !r.exact {
		if r.judged, err = quality.Assess(quality.Input{Sequence: r.Sequence, Cleaning: r.cleaning}); err != nil {
			return recording{}, err
		}
	}
	r.pairs, err = evalpose.Match(truth.Parts, r.Sequence, 0)
	return r, err
}
