package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"strings"
)

// options are the flags.
type options struct {
	estimator   choice
	annotations string // a pattern of filepath.Glob
	images      string
	movies      string
	json        bool
	pck         float64 // torso lengths
	within      float64 // torso lengths
	first       int     // pictures of a set; 0 for all
	rate        float64 // looks per second; 0 for every frame
	allParts    bool
	person      float64
	threads     int
	library     string
	pose        string
	people      string
}

// parse reads the flags. It returns flag.ErrHelp after -help.
func parse(table []choice, args []string, status io.Writer) (options, error) {
	var o options
	var name string
	f := flag.NewFlagSet("eval", flag.ContinueOnError)
	f.SetOutput(status)
	f.StringVar(&name, "estimator", table[0].name, "what is measured:\n"+describe(table))
	f.StringVar(&o.annotations, "annotations", "", "`file` of labels, or a quoted pattern for several")
	f.StringVar(&o.images, "images", "", "`folder` of the pictures (default that of the labels)")
	f.StringVar(&o.movies, "movies", "", "`folder` of movies and their reference keypoints")
	f.BoolVar(&o.json, "json", false, "print JSON instead of tables")
	f.Float64Var(&o.pck, "pck", 0.2, "a part is correct within this many torso lengths")
	f.Float64Var(&o.within, "within", 0.2, "a part agrees with the reference within this many torso lengths")
	f.IntVar(&o.first, "first", 0, "measure only the first `n` pictures of each set")
	f.Float64Var(&o.rate, "rate", 0, "look at movies only so many times a second and fill in between; 0 for every frame")
	f.BoolVar(&o.allParts, "all-parts", false, "report parts of any confidence, as published figures do")
	f.Float64Var(&o.person, "person", 0, "score from which on somebody counts as a person; 0 for the default, -1 for all")
	f.IntVar(&o.threads, "threads", 0, "of one estimate (default one a core, at most 4)")
	f.StringVar(&o.library, "library", "", "`path` of onnxruntime (default where package movenet finds it)")
	f.StringVar(&o.pose, "pose", "", "`file` of a network that stands in for Thunder or Lightning, such as one with 8-bit weights")
	f.StringVar(&o.people, "people", "", "`file` of a network that stands in for MultiPose")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q is no flag; a pattern of several files has to be quoted", f.Arg(0))
	}
	if o.annotations == "" && o.movies == "" {
		return o, fmt.Errorf("nothing to measure: give -annotations, -movies or both (-help tells more)")
	}
	if o.images != "" && o.annotations == "" {
		return o, fmt.Errorf("-images is given without -annotations")
	}
	for _, n := range []struct {
		flag  string
		value float64
	}{{"pck", o.pck}, {"within", o.within}} {
		if !(n.value > 0 && n.value <= 100) {
			return o, fmt.Errorf("-%s is %v, want more than 0 and at most 100 torso lengths", n.flag, n.value)
		}
	}
	if !(o.rate >= 0) || math.IsInf(o.rate, 1) {
		return o, fmt.Errorf("-rate is %v, want looks per second, or 0 for every frame", o.rate)
	}
	if o.first < 0 || o.threads < 0 {
		return o, fmt.Errorf("-first is %d and -threads is %d, want 0 or more", o.first, o.threads)
	}
	for _, c := range table {
		if c.name == name {
			o.estimator = c
			return o, nil
		}
	}
	return o, fmt.Errorf("-estimator is %q, want one of\n%s", name, describe(table))
}

// describe lists the estimators, a line each.
func describe(table []choice) string {
	var lines []string
	for _, c := range table {
		lines = append(lines, fmt.Sprintf("%-16s %s", c.name, c.about))
	}
	return strings.Join(lines, "\n")
}
