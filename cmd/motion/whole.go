package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/say"
)

// wholeCommand returns the command without a name, which makes of each file what people want first.
func wholeCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "motion", Short: "Find, measure, draw and compare human movement in many files",
		Long: `Find the keypoints of a person in pictures and movies, measure, draw and compare them. With files and
no command, motion writes of each FILE.keypoints.json, FILE.analysis.json, FILE.report.html and
FILE.drawing.mp4 or FILE.drawing.jpg. The commands make one of these, with settings.

Arguments are files, folders (with all below them) and patterns. A file of keypoints (.json, .jsonl,
.csv, .trc, .c3d, .zip) that this or another program has found is taken as a movie is: what it does not
say is said by --rate and --size, and --movie names what to draw it onto. Results go into the folder of
--out, each under the name of its file. A table of all files is printed, and written there as
COMMAND.csv and COMMAND.json. A command that runs again makes only what is missing or was made
from another file or with other settings. Files that fail get one line on standard error each,
and the exit status is 1.`,
		Example: `  motion squats.mp4
  motion --exercise squat squats.mp4
  motion --out results --jobs 2 clips`,
		SilenceUsage: true, SilenceErrors: true, SuggestionsMinimumDistance: 2,
	}
	judging := exerciseFlag(c)
	onFiles(c, func() (func(*job) ([]output, error), error) {
		by, err := judging()
		return func(j *job) ([]output, error) {
			j.together = true
			all := append(j.analyses(nil, by, nil), j.drawings(motion.Annotator{Rules: draw.Sides(), Limits: limits})...)
			return append(all, j.reports(say.English, by)...), nil
		}, err
	})
	work := c.RunE
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		if err := meant(c, args[0]); err != nil {
			return err
		}
		return work(c, args)
	}
	return c
}

// printReports prints which reports to open, if there are any.
func (b *batch) printReports(rows []row) error {
	var reports []string
	for _, r := range rows {
		for _, name := range r.Files {
			if strings.HasSuffix(name, ".report.html") {
				reports = append(reports, name)
			}
		}
	}
	switch len(reports) {
	case 0:
		return nil
	case 1:
	default:
		reports[0] = "*.report.html"
	}
	_, err := fmt.Fprintf(b.stdout, "open %s; keypoints, analysis and drawing of each file are beside it\n", setup.Visible(filepath.Join(b.out, reports[0])))
	return err
}

// meant returns an error for an argument that is neither a command nor a file, and suggests the command that was meant.
func meant(c *cobra.Command, arg string) error {
	if _, err := os.Lstat(arg); !errors.Is(err, os.ErrNotExist) || strings.ContainsAny(arg, `.*?[/\`) {
		return nil
	}
	text := fmt.Sprintf("there is no command and no file %s", arg)
	if near := c.SuggestionsFor(arg); len(near) > 0 {
		text += ": did you mean " + strings.Join(near, " or ") + "?"
	}
	return errors.New(text)
}
