package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// difference is how far a file is from the source.
type difference struct {
	times  []float64 // of the source
	result compare.Result
}

// comparisonFormats are the formats of comparisons in addition to JSON.
var comparisonFormats = []format[difference]{
	{"csv", "csv", false, func(w io.Writer, d difference) error {
		return compare.WriteCSV(w, d.times, d.result)
	}},
	{"jsonl", "jsonl", false, func(w io.Writer, d difference) error {
		return compare.WriteJSONL(w, d.times, d.result)
	}},
}

func compareCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "compare SOURCE TARGET…", Short: "Compare recordings with one of them", Args: needs(2, "a file, and others to compare with it"),
		Long: `Compare each target (a file, a folder or a pattern) with the source, which is one file, and write
SOURCE-TARGET.comparison.json, in other formats with --format. If both have repetitions or strides,
these are put over each other, the first over the first. With --draw, the difference is drawn
onto the source: the target is outlined in white, and the angles that differ most are written
beside the joints.

Keypoints that are in --out already are used, however they were found, unless flags say how to
find them.`,
		Example: `  motion compare squats.mp4 clips
  motion compare --alignment dtw --draw --format csv squats.mp4 'clips/*.mp4'`,
	}
	o, opt := &options{}, compare.Options{}
	chosen := formatFlag(c, "JSON", comparisonFormats)
	alignments := []string{string(compare.Linear), string(compare.DTW), string(compare.Offset)}
	f := c.Flags()
	setup.Choice(c, (*string)(&opt.Alignment), "alignment", alignments[0], "how frames find each other: linear (the whole of both), offset (shifted in time) or dtw (at equal posture)", alignments...)
	mirror := f.Bool("mirror", false, "exchange left and right of the targets (default of those who face the other way)")
	f.BoolVar(&opt.Angles, "angles", true, "lay repetitions on each other and compare the named angles")
	drawn := f.Bool("draw", false, "draw the difference onto the source")
	o.flags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		list, err := chosen()
		if err = join(err, o.check(c)); err != nil {
			return err
		}
		if !c.Flags().Changed("mirror") {
			mirror = nil
		}
		sources, err := expand(args[:1])
		if err != nil {
			return err
		}
		inputs, err := expand(args)
		if err != nil {
			return err
		}
		if len(sources) != 1 || len(inputs) < 2 {
			return errors.New("want one file as the source, and others to compare with it")
		}
		if err := o.checkMovie(inputs); err != nil {
			return err
		}
		b, err := newBatch(c.Context(), o, len(inputs), c.OutOrStdout(), c.ErrOrStderr())
		if err != nil {
			return err
		}
		return join(b.compare(c.Context(), inputs, opt, mirror, list, *drawn), b.Close())
	}
	return c
}

// compare compares all files with the first, mirrored as asked for, or if mirror is nil those that face the other way.
func (b *batch) compare(ctx context.Context, inputs []input, opt compare.Options, mirror *bool, list []format[difference], drawn bool) error {
	show := newDisplay(b.stderr, onTerminal(), 1)
	progress, end := show.begin(inputs[0].name)
	source := &job{batch: b, in: inputs[0], progress: progress}
	err := source.do(ctx, func(*job) ([]output, error) { return nil, nil })
	var from keypoint.Sequence
	if err == nil {
		from, err = source.sequence()
	}
	var all errAll
	if err != nil && ctx.Err() == nil && !errors.As(err, &all) {
		show.fail(source.in.path, oneLine(source.in.path, err))
		err = errSome
	}
	end()
	show.close()
	if err != nil {
		return err
	}
	was := source.record
	made := []any{source.in.name, was.Size, was.Modified, was.Results[source.name("keypoints.json")].Key, opt, mirror}
	return b.run(ctx, inputs[1:], func(j *job) ([]output, error) {
		opt := opt
		diff := sync.OnceValues(func() (difference, error) {
			to, err := j.sequence()
			if err != nil {
				return difference{}, err
			}
			if opt.Mirror = compare.Opposite(from, to); mirror != nil {
				opt.Mirror = *mirror
			}
			opt.SourceQuality, opt.TargetQuality = was.Quality, j.record.Quality
			res, err := compare.Diff(from, to, opt)
			return difference{from.Times, res}, err
		})
		name := filepath.Join(filepath.Dir(j.in.name), filepath.Base(source.in.name)+"-"+filepath.Base(j.in.name)+".comparison.")
		all := []output{{name + "json", made, func(_ context.Context, path string) (summary, error) {
			d, err := diff()
			if err != nil {
				return summary{}, err
			}
			found := summary{Note: noteOf(d.result, opt.Mirror)}
			if s := d.result.Score; s != nil {
				found.Values = []value{number("score", "", s.Overall)}
			}
			return found, writeJSON(path, d.result)
		}}}
		for _, f := range list {
			all = append(all, output{name + f.file, made, func(_ context.Context, path string) (summary, error) {
				d, err := diff()
				if err != nil {
					return summary{}, err
				}
				return summary{}, writeFile(path, func(w io.Writer) error { return f.write(w, d) })
			}})
		}
		if drawn {
			rules, _ := draw.Preset(draw.Presets()[0], true)
			all = append(all, output{name + source.drawn()[1:], made, func(ctx context.Context, path string) (summary, error) {
				to, err := j.sequence()
				if err == nil {
					_, err = diff() // which chooses mirror
				}
				if err != nil {
					return summary{}, err
				}
				onto := &job{batch: b, in: source.in, still: source.still, seq: &from, progress: j.progress}
				return summary{}, onto.annotate(ctx, motion.Annotator{
					Rules: rules, Target: &to, Compare: opt, Quality: was.Quality, Name: source.in.name, TargetName: j.in.name, Limits: limits,
				}, path)
			}})
		}
		return all, nil
	})
}

// noteOf says what a comparison finds: warnings, the largest difference, and the score.
func noteOf(r compare.Result, mirrored bool) string {
	var notes []string
	if mirrored {
		notes = append(notes, "mirrored")
	}
	for _, w := range r.Warnings {
		notes = append(notes, w.Detail)
	}
	if len(r.Largest) > 0 {
		notes = append(notes, r.Largest[0].Sentence[say.English])
	}
	if s := r.Score; s != nil {
		notes = append(notes, fmt.Sprintf("score %.2f", s.Overall))
	}
	return strings.Join(notes, "; ")
}
