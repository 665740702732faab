package main

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze/examine"
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/report"
	"github.com/bodymotion/motion/draw/sheet"
)

func drawCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "draw", Short: "Draw the skeleton onto pictures and movies",
		Long: `Draw the skeleton onto each file and write FILE.drawing.mp4 or FILE.drawing.jpg. The person's left
side is blue, the right side orange. With --phases, show the phases of a repetition,
a stride or a jump in one picture.

Keypoints that are in --out already are used, however they were found, unless flags say how to
find them.`,
		Example: `  motion draw clips
  motion draw --values kneeFlexion --blur-faces squats.mp4
  motion draw --rules style.json --skeleton-only squats.mp4`,
	}
	path := c.Flags().String("rules", "", "file with drawing rules as JSON, as the API takes them")
	values := angleFlag(c, "values", "angles to write beside the joints")
	blur := c.Flags().Bool("blur-faces", false, "blur the face of the person with the skeleton")
	skeleton := c.Flags().Bool("skeleton-only", false, "draw onto a plain background")
	phases := c.Flags().Int("phases", 0, "write FILE.phases.png instead: a repetition in so many pictures (3 to 15) beside each other, above its curve; a stride or a jump at its moments")
	repetition := c.Flags().Int("repetition", 1, "which repetition, stride or jump --phases shows")
	var fonts setup.Fonts
	c.Flags().Var(&fonts, "font", setup.FontsUsage)
	return onFiles(c, func() (func(*job) ([]output, error), error) {
		types, err := values()
		if err != nil {
			return nil, err
		}
		a := motion.Annotator{Rules: draw.Sides(), Values: bothSides(types), BlurFaces: *blur, Limits: limits, Fonts: fonts}
		a.Background.SkeletonOnly = *skeleton
		if *path != "" {
			text, err := os.ReadFile(*path)
			if err == nil {
				a.Rules, err = draw.ParseRules(text)
			}
			if err == nil {
				_, err = draw.Compile(a.Rules, a.Background, false, fonts...)
			}
			if err != nil {
				return nil, fmt.Errorf("--rules: %w", err)
			}
		}
		if *phases != 0 && (*phases < 3 || *phases > 15) {
			return nil, fmt.Errorf("--phases is %d, want 3 to 15 pictures", *phases)
		}
		return func(j *job) ([]output, error) {
			if *phases == 0 {
				return j.drawings(a), nil
			}
			return []output{{j.name("phases.png"), []any{*phases, *repetition, a.Background.SkeletonOnly, j.movies}, func(ctx context.Context, path string) (summary, error) {
				return summary{}, j.phases(ctx, *phases, *repetition, a, path)
			}}}, nil
		}, nil
	})
}

// phases draws a repetition of the file.
func (j *job) phases(ctx context.Context, pictures, repetition int, a motion.Annotator, path string) error {
	seq, err := j.sequence()
	if err != nil {
		return err
	}
	found, err := examine.Request{Overview: true}.Run(seq, j.record.Quality)
	if err != nil {
		return err
	}
	opt := sheet.PhasesOf(found)
	if repetition < 1 || repetition > len(opt.List) {
		return fmt.Errorf("--repetition is %d: %d were counted", repetition, len(opt.List))
	}
	opt.Number, opt.Pictures, opt.Width, opt.Fonts = repetition, pictures, 2600, a.Fonts
	draw := func(picture func(int) (image.Image, error)) error {
		m, err := sheet.Phases(seq, picture, opt)
		if err != nil {
			return err
		}
		return writeFile(path, func(w io.Writer) error { return png.Encode(w, m) })
	}
	if j.picture() == "" || a.Background.SkeletonOnly {
		return draw(nil)
	}
	return j.stills(ctx, seq.Size, draw)
}

// drawings returns the drawing onto the file.
func (j *job) drawings(a motion.Annotator) []output {
	settings := []any{a.Rules, a.Values, a.BlurFaces, a.Background.SkeletonOnly, j.movies}
	return []output{{j.name("drawing" + j.drawn()), settings, func(ctx context.Context, path string) (summary, error) {
		return summary{}, j.annotate(ctx, a, path)
	}}}
}

// drawn returns the extension of drawings of the file.
func (j *job) drawn() string {
	if j.still {
		return ".jpg"
	}
	return ".mp4"
}

// annotate draws onto the file.
func (j *job) annotate(ctx context.Context, a motion.Annotator, path string) error {
	seq, err := j.sequence()
	if err != nil {
		return err
	}
	parts, err := j.parts()
	if err != nil {
		return err
	}
	if a.Quality.Verdict == "" {
		a.Quality = j.record.Quality
	}
	a.Decoder, a.Encoder, a.Progress, a.Shrink = parts.Decoder, parts.Encoder, j.progress, true
	if j.picture() == "" {
		return j.plain(ctx, a, path, seq)
	}
	if j.together && !j.still {
		var page report.Report
		if err := j.analyzed(&page); err != nil {
			return err
		}
		a.Decoder = passing{parts.Decoder, page.Frames(), j.passed}
	}
	return a.File(ctx, j.picture(), path, seq)
}
