// Quickstart shows the main job: it finds the keypoints of the person in images and
// movies, analyses the angles of the joints, draws the skeleton, and, given two
// files, compares the second with the first and draws the difference.
//
//	go run ./examples/quickstart [-out DIR] [-setting fast|balanced|accurate] [FILE [FILE2]]
//
// Without a file it uses an embedded picture and a movie made from it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/examples/internal/setup"
)

func main() { setup.Main("quickstart", run) }

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	out := flags.String("out", "motion-out", "folder for the results")
	setting := flags.String("setting", "balanced", "how people are found: fast, balanced or accurate")
	program := flags.String("ffmpeg", setup.Auto, "ffmpeg to use: installed, wasm (inside this process), or auto")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: quickstart [-out DIR] [-setting fast|balanced|accurate] [-ffmpeg auto|installed|wasm] [FILE [FILE2]]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp // the flag package has said what is wrong
	}
	if flags.NArg() > 2 {
		return fmt.Errorf("%d files given, want one, or two to compare the second with the first", flags.NArg())
	}
	for _, path := range flags.Args() {
		if info, err := os.Stat(path); err != nil {
			return err
		} else if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a file: give a picture or a movie", path)
		}
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "motion-quickstart-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	say := func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	parts, err := setup.New(ctx, setup.Options{Setting: *setting, FFmpeg: *program, Say: say})
	if err != nil {
		return err
	}
	defer parts.Close()

	inputs := flags.Args()
	if len(inputs) == 0 {
		say("no file given: using the embedded picture of a rendered person and a movie made from it")
		if inputs, err = writeSamples(ctx, parts.Encoder, work); err != nil {
			return err
		}
	}
	j, err := newJob(ctx, parts, work, *out)
	if err != nil {
		return err
	}
	defer j.close()
	var results []*result
	for i, path := range inputs {
		r, err := j.file(ctx, path, nameFor(inputs, i))
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	if flags.NArg() == 2 {
		if err := j.compare(ctx, results[0], results[1]); err != nil {
			return err
		}
	}
	return printTable(os.Stdout, results)
}

// nameFor returns the name of the i-th file's results: its own without extension,
// made different from those of the files before.
func nameFor(paths []string, i int) string {
	base := func(p string) string {
		b := filepath.Base(p)
		return b[:len(b)-len(filepath.Ext(b))]
	}
	name := base(paths[i])
	if i == 1 && name == base(paths[0]) {
		name += "-2"
	}
	return name
}
