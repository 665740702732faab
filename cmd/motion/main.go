// Motion finds keypoints in many pictures and movies, measures, draws and compares them:
//
//	motion FILE|FOLDER|PATTERN…
//	motion extract|analyze|draw|compare|report|course|validate [--out DIR] FILE|FOLDER|PATTERN…
//	motion live CAMERA|URL|FILE|-
//	motion serve
//	motion verify
//
// Files are worked on side by side, one on each core. What is done is skipped when a command runs again,
// and no result is ever half-written. README.md has commands to copy; --help explains the flags.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/cmd/motion/internal/server"
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/spelling"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

func main() {
	cobra.EnableCommandSorting = false // as newRoot has them
	setup.Main("motion", run)
}

func run(ctx context.Context, args []string) error {
	root := newRoot(os.Stdout, os.Stderr)
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

// newRoot returns the command line, with the commands in the order in which one needs them.
func newRoot(stdout, stderr io.Writer) *cobra.Command {
	root := wholeCommand()
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.Version = ownVersion()
	root.AddCommand(doctorCommand(), extractCommand(), analyzeCommand(), reportCommand(), drawCommand(), compareCommand(), courseCommand(),
		validateCommand(), liveCommand(), server.Command(), verifyCommand(), versionCommand())
	return root
}

// finding is how keypoints are found.
type finding struct {
	Setting string
	Raw     bool
	Rate    float64
	Feet    bool
	Person  string
	Height  float64
	Camera  string
	Size    image.Point // of keypoint files that do not say it
}

// extractor returns an Extractor with the settings, without its parts.
func (f finding) extractor() motion.Extractor {
	x := motion.Extractor{FindOptions: motion.FindOptions{Rate: f.Rate, Feet: f.Feet, Uncleaned: f.Raw}}
	x.Choose.Policy = inference.Policy(f.Person)
	if !f.Raw {
		x.Clean = clean.Default()
	}
	if f.Height != 0 {
		x.Calibration = keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: f.Height}}
	}
	if pitch, ok := cameras[f.Camera]; ok {
		x.Calibration.CameraPitch = &pitch
	}
	return x
}

// flags adds the flags of finding to a command, without the rate.
func (f *finding) flags(c *cobra.Command, setting string) {
	flags := c.Flags()
	setup.SettingFlag(c, &f.Setting, setting)
	setup.Choice(c, &f.Person, "person", persons[0], "who is followed: "+strings.Join(persons, ", "), persons...)
	flags.BoolVar(&f.Feet, "feet", false, "find heels and big toes, too")
	flags.Float64Var(&f.Height, "height", 0, "the person's height in metres, for results in metres; 0: pixels")
	setup.Choice(c, &f.Camera, "camera-height", "", "how high the camera was, if it is known, for what is upright: floor, hip, head or above", "floor", "hip", "head", "above")
	flags.BoolVar(&f.Raw, "raw", false, "keep the keypoints as they are found: no repair, no smoothing")
}

// check reports wrong values of the flags.
func (f *finding) check() error {
	switch {
	case !(f.Rate >= 0 && f.Rate <= 1000):
		return wrong("rate", f.Rate, "0 to 1000")
	}
	if err := f.extractor().Calibration.Validate(); f.Height != 0 && err != nil {
		return wrong("height", f.Height, "0.3 to 3 metres")
	}
	return nil
}

// cameras are by how many degrees the camera looks down at the heights of --camera-height: docs/how/formulas.md.
var cameras = map[string]float64{"floor": -12, "hip": 0, "head": 12, "above": 20}

// persons are the values of --person.
var persons = []string{
	string(inference.PolicyCentreFront), string(inference.PolicyLargest), string(inference.PolicyHighestScore), string(inference.PolicyMostMovement),
}

// wrong returns the error of a flag that has none of the wanted values.
func wrong(flag string, value any, want ...string) error {
	return fmt.Errorf("--%s is %v%s, want %s", flag, value, spelling.Hint(fmt.Sprint(value), want...), strings.Join(want, ", "))
}

// needs refuses fewer arguments than a command needs, and says what it needs.
func needs(least int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least {
			return fmt.Errorf("%s needs %s", c.CommandPath(), what)
		}
		return nil
	}
}

// options are the flags that all commands on files have.
type options struct {
	out    string
	jobs   int
	ffmpeg string
	json   bool
	movie  string // of the one keypoint file
	movies []any  // which file that is
	found  finding
	any    bool // take keypoints that were found with other settings

	command string // its name is that of the tables
}

// flags adds the flags of options to a command.
func (o *options) flags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.out, "out", "o", "motion-out", "folder for the results")
	f.IntVarP(&o.jobs, "jobs", "j", 0, "files at a time; 0: one for each core")
	f.Float64Var(&o.found.Rate, "rate", 0, "looks at a movie per second, the frames between are filled in, or frames per second of keypoints without times; 0: every frame")
	f.Var(sizeFlag{&o.found.Size}, "size", "width and height in pixels of the picture of keypoints, as it is shown, if their file does not say it")
	f.StringVar(&o.movie, "movie", "", "picture or movie of the one keypoint file, to draw it")
	o.found.flags(c, "balanced")
	setup.ProgramFlag(c, &o.ffmpeg)
	f.BoolVar(&o.json, "json", false, "print the table as JSON, a line for each file")
	c.MarkFlagDirname("out")
}

// check reports values of flags that are wrong for every file.
func (o *options) check(c *cobra.Command) error {
	o.command = c.Name()
	o.any = o.command != "extract"
	for _, name := range []string{"setting", "rate", "size", "person", "feet", "height", "camera-height", "raw"} {
		o.any = o.any && !c.Flags().Changed(name)
	}
	switch {
	case o.jobs < 0:
		return wrong("jobs", o.jobs, "0 or more")
	}
	return o.found.check()
}

// checkMovie reports a movie that cannot be that of the keypoints.
func (o *options) checkMovie(inputs []input) error {
	if n := len(slices.DeleteFunc(slices.Clone(inputs), func(in input) bool { return !in.given() })); o.movie != "" && n != 1 {
		return fmt.Errorf("--movie is for one keypoint file, not %d", n)
	}
	if o.movie == "" {
		return nil
	}
	info, err := regular(o.movie)
	if err != nil {
		return fmt.Errorf("--movie: %w", err)
	}
	o.movies = []any{o.movie, info.Size(), info.ModTime()}
	return nil
}

// complete makes the shell complete the values of a flag.
func complete(c *cobra.Command, flag string, values ...string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// onFiles returns a command that makes results of each file on its own. ready checks the command's own
// flags and returns the results of a file.
func onFiles(c *cobra.Command, ready func() (func(*job) ([]output, error), error)) *cobra.Command {
	return onFilesThen(c, ready, func(context.Context, *batch, []input) error { return nil })
}

// onFilesThen is onFiles with something to make of all files when none has failed.
func onFilesThen(c *cobra.Command, ready func() (func(*job) ([]output, error), error), then func(context.Context, *batch, []input) error) *cobra.Command {
	o := &options{}
	o.flags(c)
	c.Use += " FILE|FOLDER|PATTERN…"
	c.Args = needs(1, "a file, a folder or a pattern")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := o.check(c); err != nil {
			return err
		}
		plan, err := ready()
		if err != nil {
			return err
		}
		inputs, err := expand(args)
		if err != nil {
			return err
		}
		if err := o.checkMovie(inputs); err != nil {
			return err
		}
		b, err := newBatch(c.Context(), o, len(inputs), c.OutOrStdout(), c.ErrOrStderr())
		if err != nil {
			return err
		}
		if err = b.run(c.Context(), inputs, plan); err == nil {
			err = then(c.Context(), b, inputs)
		}
		return join(err, b.Close())
	}
	return c
}

// join returns the first error.
func join(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// format is a way to write results of type T.
type format[T any] struct {
	name, file string
	movies     bool // only movies have it
	write      func(io.Writer, T) error
}

// formatFlag adds the flag --format, for formats in addition to the first. chosen returns the formats that it names.
func formatFlag[T any](c *cobra.Command, first string, formats []format[T]) (chosen func() ([]format[T], error)) {
	var names []string
	for _, f := range formats {
		if !slices.Contains(names, f.name) {
			names = append(names, f.name)
		}
	}
	given := c.Flags().StringSliceP("format", "f", nil, "formats in addition to "+first+": "+strings.Join(names, ", ")+"; several with commas")
	complete(c, "format", names...)
	return func() (list []format[T], err error) {
		for _, name := range *given {
			if !slices.Contains(names, name) {
				return nil, wrong("format", name, names...)
			}
			for _, f := range formats {
				if f.name == name {
					list = append(list, f)
				}
			}
		}
		return list, nil
	}
}

// outputs returns the results of a file in some formats.
func outputs[T any](j *job, formats []format[T], get func() (T, error), settings ...any) (list []output) {
	for _, f := range formats {
		if f.movies && j.still {
			continue
		}
		list = append(list, output{j.name(f.file), settings, func(_ context.Context, path string) (summary, error) {
			v, err := get()
			if err != nil {
				return summary{}, err
			}
			return summary{}, writeFile(path, func(w io.Writer) error { return f.write(w, v) })
		}})
	}
	return list
}

// angles are the names of the angles that --angle takes.
func angles() (names []string) {
	for _, t := range analyze.Types() {
		if t.Points() == 0 {
			names = append(names, string(t))
		}
	}
	return names
}

// angleFlag adds a flag that takes names of angles. chosen returns their types.
func angleFlag(c *cobra.Command, flag, usage string) (chosen func() ([]analyze.Type, error)) {
	given := c.Flags().StringSlice(flag, nil, usage+": "+strings.Join(angles(), ", "))
	complete(c, flag, angles()...)
	return func() (types []analyze.Type, err error) {
		for _, name := range *given {
			if !slices.Contains(angles(), name) {
				return nil, wrong(flag, name, angles()...)
			}
			types = append(types, analyze.Type(name))
		}
		return types, nil
	}
}

// writeFile makes a file.
func writeFile(path string, content func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return join(content(f), f.Close())
}

func writeJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}
