// Proof compares what the library finds and measures with the truth, as clinical papers do:
//
//	go run ./internal/lab/proof                                               # lists its commands
//	go run ./internal/lab/proof pictures -estimator balanced 'labels/*.json'
//	go run ./internal/lab/proof told -estimator balanced rendered
//
// Recordings are those of truth.Recordings: rendered movies, movies beside keypoints of another program, and recordings of your
// own, with a reference NAME.reference.EXT beside each NAME.EXT: keypoints of another system in the picture, or a TRC file in
// space, on the same clock; and if steps or jumps are annotated, NAME.events.csv with the header time,side,event (seconds; left,
// right or nothing; heel strike, toe off, take-off or landing).
//
// Keypoints are those that the -estimator finds, or raw ones in the folder -keypoints, NAME.json in the form of
// keypoint.Sequence; else the true ones: the mathematics alone. What is found is cleaned with the defaults.
//
// For each measure, joint, movement and view, measures prints how many values there are, the bias (the mean of found minus
// true), the 95 % limits of agreement (each recording counts as a person), the root mean square error, and that after removing the
// bias.
//
// People are recorded people with markers, NAME.json and NAME.bin beside each other in a folder or in its folders; or clips of their
// movement NAME.json.gz, or markers of the legs PERSON/MOVEMENT/NAME.csv of Vicon Nexus (walks in Gang, stairs in Treppe), which are seen
// from several views with the errors of a network; above the legs, the person is drawn. The truth is the library's own angles and
// steps of the markers. A value is wrong if it is more than 10 degrees off without the constant offset of its side in its range of
// views of the recording; the uncertainty is compared with what the value as it is read is off by. Figures are means over people with
// their 95 % interval (Student's t). Repetitions are those that turn between the bounds of the clip's. -json prints
//
//	{"choose": {ANGLE: {VIEW: {"told": 90.6, "bias", "rmse", "steady", "unmarked", "unmarkedWrong", "markedRight", "within1",
//	  "within2", "hidden", "invented", "interval": {"told": 4.2, …}, "agreement": as "motion validate" has it}}}, "view": {"median", "p90"}, "exchanged",
//	  "repetitions": {"repetitions from 030°": [right, lost, invented], …}, "pairs": {"right": [joined, all], "wrong": [refused, all]}}
//
// with "all" for all angles or views, steps such as "heel strike, ms" among the angles, and for -half check that instead of choose.
//
// Lifted are the same recordings with depth: of clips the depth that a network guesses is made with its errors as well, after 1.5 s
// of standing still. Printed is what is told of knees, hips and trunk, and what could be (lifted), by person; the last figure is the
// uncertainty of which 90 % would lie within two.
//
// A pair is a file NAME.json of the format motion-pair/1 beside its movies and their truth files.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/bodymotion/motion/internal/lab/internal/estimators"
)

// options are those of all commands.
type options struct {
	estimator, keypoints string
	person, cutoff, rate float64
	noise                float64
	allParts, table      bool
	half                 string
	exact, pairs, json   bool
}

// command is one of the things that are measured.
type command struct {
	name, args, about string
	flags             []string // of options that it takes
	run               func(ctx context.Context, o options, path string, out io.Writer) error
}

// found are the options of what works on keypoints.
var found = []string{"estimator", "keypoints", "cutoff"}

func commands() []command {
	return []command{
		{"pictures", "PATTERN", "people in labelled pictures", []string{"estimator", "all-parts", "person"}, pictures},
		{"movies", "FOLDER", "keypoints of movies, before and after cleaning", []string{"estimator", "rate"}, movies},
		{"told", "FOLDER", "one table of what is told", found, each(summary)},
		{"measures", "FOLDER", "each measure of each rendered movie", found, each(renderedOnly(everything))},
		{"trust", "FOLDER", "whether the trust in the numbers is deserved", found, each(renderedOnly(trust))},
		{"comparisons", "FOLDER", "comparisons of each rendered movie with each", found, each(renderedOnly(comparisons))},
		{"markers", "FOLDER", "what is told of walks with markers", nil, walks},
		{"pairs", "FOLDER", "several cameras, found by the person alone", []string{"estimator", "keypoints", "noise", "table"}, pairs},
		{"people", "FOLDER", "recorded people with markers", []string{"half", "exact", "pairs", "json"}, people},
		{"clocks", "FOLDER", "angles of a network and of markers, on clocks of their own", nil, clocks},
		{"lifted", "FOLDER", "what is estimated of recorded people from one camera", []string{"half"}, lifted},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "proof:", err)
		os.Exit(1)
	}
}

// run runs a command; its usage goes to status.
func run(ctx context.Context, args []string, out, status io.Writer) error {
	k := -1
	if len(args) > 0 {
		k = slices.IndexFunc(commands(), func(c command) bool { return c.name == args[0] })
	}
	if k < 0 {
		for _, c := range commands() {
			fmt.Fprintf(status, "%-12s %-8s %s\n", c.name, c.args, c.about)
		}
		return errors.New("the first argument is one of these commands")
	}
	c := commands()[k]
	o, path, err := parse(c, args[1:], status)
	if err != nil {
		return err
	}
	return c.run(ctx, o, path, out)
}

// parse reads the options and the argument of a command.
func parse(c command, args []string, status io.Writer) (o options, path string, err error) {
	all := flag.NewFlagSet("", flag.ContinueOnError)
	all.StringVar(&o.estimator, "estimator", "", "finds the keypoints: "+strings.Join(estimators.Names, ", "))
	all.StringVar(&o.keypoints, "keypoints", "", "`folder` of raw keypoints")
	all.BoolVar(&o.allParts, "all-parts", false, "report parts of any confidence, as published figures do")
	all.Float64Var(&o.person, "person", 0, "score from which on somebody counts as a person; 0 for the default, -1 for all")
	all.Float64Var(&o.rate, "rate", 0, "look at movies only so many times a second and fill in between; 0 for every frame")
	all.Float64Var(&o.cutoff, "cutoff", -1, "cut-off of smoothing in `hertz`, of the true keypoints too; 0: by the movement; -1: the defaults")
	all.Float64Var(&o.noise, "noise", 0, "noise of the true keypoints in `pixels`")
	all.BoolVar(&o.table, "table", false, "print one table of what is told")
	all.StringVar(&o.half, "half", "choose", "the people to measure: those on whom constants are chosen, or check")
	all.BoolVar(&o.exact, "exact", false, "the true projections in the place of what the network has found")
	all.BoolVar(&o.pairs, "pairs", false, "join recordings of two cameras, too")
	all.BoolVar(&o.json, "json", false, "write JSON")
	f := flag.NewFlagSet("proof "+c.name, flag.ContinueOnError)
	f.SetOutput(status)
	for _, name := range c.flags {
		x := all.Lookup(name)
		f.Var(x.Value, name, x.Usage)
	}
	if err := f.Parse(args); err != nil {
		return o, "", err
	}
	if f.NArg() != 1 {
		return o, "", fmt.Errorf("%s takes one argument, %s, after its options; a pattern has to be quoted", c.name, c.args)
	}
	return o, f.Arg(0), nil
}
