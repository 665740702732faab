package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/draw/report"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// shown is the longer side of the pictures of a report in pixels.
const shown = 900

func reportCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "report", Short: "Write reports to read and to print",
		Long: `Write FILE.report.html: pictures with the skeleton, charts and tables of the angles, repetitions, steps
or jumps, and how far to trust them. It is one file that needs nothing else and prints on A4. With
--format pdf, a Chromium, Chrome or Edge of this machine prints FILE.report.pdf.

Keypoints that are in --out already are used, however they were found, unless flags say how to
find them.`,
		Example: `  motion report clips
  motion report --language ja squats.mp4`,
	}
	chosen := formatFlag(c, "HTML", []format[bool]{{name: "pdf"}})
	var languages []string
	for _, l := range say.Languages() {
		languages = append(languages, string(l))
	}
	language := ""
	setup.Choice(c, &language, "language", languages[0], "language of the report: "+strings.Join(languages, " or "), languages...)
	judging := exerciseFlag(c)
	return onFiles(c, func() (func(*job) ([]output, error), error) {
		by, err := judging()
		formats, err2 := chosen()
		err = join(err, err2)
		if len(formats) > 0 && err == nil {
			_, err = browser()
		}
		if err != nil {
			return nil, err
		}
		return func(j *job) ([]output, error) {
			list := j.reports(say.Language(language), by)
			page := list[0]
			if len(formats) > 0 {
				list = append(list, output{j.name("report.pdf"), page.settings, func(ctx context.Context, path string) (summary, error) {
					return summary{}, printPDF(ctx, filepath.Join(j.store.dir, page.name), path)
				}})
			}
			return list, nil
		}, nil
	})
}

// reports returns the report of the file. The exercise by which it is judged may be nil.
func (j *job) reports(language say.Language, by *exercise.Definition) []output {
	settings := []any{language, j.movies}
	if by != nil {
		settings = append(settings, by)
	}
	return []output{{j.name("report.html"), settings, func(ctx context.Context, path string) (summary, error) {
		return summary{}, j.report(ctx, report.Report{Language: language}, by, path)
	}}}
}

// report writes the report of the file, which has some of its contents already.
func (j *job) report(ctx context.Context, r report.Report, by *exercise.Definition, path string) error {
	err := j.analyzed(&r)
	if err != nil {
		return err
	}
	if r.Exercise, err = j.judge(by, r.Sequence, *r.Study); err != nil {
		return err
	}
	if frames := r.Frames(); len(r.Pictures) < len(frames) {
		if err := j.pictures(ctx, r.Sequence.Size, frames, r.Pictures); err != nil {
			return err
		}
	}
	return writeFile(path, r.Write)
}

// analyzed fills in what a report of the file shows, with the pictures that are known so far.
func (j *job) analyzed(r *report.Report) error {
	seq, err := j.sequence()
	if err != nil {
		return err
	}
	studied, err := j.study()
	if err != nil {
		return err
	}
	if j.passed == nil {
		j.passed = map[int]image.Image{}
	}
	if studied.Verdict == quality.Nobody {
		return errors.New("nobody was found, so there is nothing to report")
	}
	r.Sequence, r.Study, r.Title, r.Quality, r.Pictures = seq, &studied, filepath.Base(j.in.name), j.record.Quality, j.passed
	return r.Analyze()
}

// passing is a decoder that keeps some frames of a movie for the report while others use them all, so that the movie is decoded once.
type passing struct {
	inference.Decoder
	wanted []int
	into   map[int]image.Image
}

func (p passing) Within(pixels int) inference.Decoder {
	p.Decoder = film.Within(p.Decoder, pixels)
	return p
}

func (p passing) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	frames, err := p.Decoder.Open(ctx, r)
	return &passingFrames{Frames: frames, passing: p}, err
}

type passingFrames struct {
	inference.Frames
	passing
	next int // number of the next frame
}

func (p *passingFrames) Next() (inference.Picture, error) {
	pic, err := p.Frames.Next()
	if err == nil && slices.Contains(p.wanted, p.next) {
		p.into[p.next] = film.Shrunk(pic.Image, shown)
	}
	p.next++
	return pic, err
}

// pictures decodes some frames, in ascending order.
func (j *job) pictures(ctx context.Context, size image.Point, frames []int, into map[int]image.Image) error {
	if j.picture() == "" {
		return nil
	}
	if j.still {
		parts, err := j.parts()
		if err != nil {
			return err
		}
		f, err := os.Open(j.picture())
		if err != nil {
			return err
		}
		defer f.Close()
		img, err := inference.DecodeImage(ctx, parts.Decoder, f, limits.ImagePixels)
		if err == nil {
			err = sameSize(img.Bounds().Size(), size)
		}
		if err == nil {
			into[0] = film.Shrunk(img, shown)
		}
		return err
	}
	return j.stills(ctx, size, func(frame func(int) (image.Image, error)) error {
		for _, i := range frames {
			img, err := frame(i)
			if err != nil {
				return err
			}
			into[i] = film.Shrunk(img, shown)
		}
		return nil
	})
}

// stills calls use with a function that decodes frames of the movie, in ascending order.
func (j *job) stills(ctx context.Context, size image.Point, use func(frame func(int) (image.Image, error)) error) error {
	parts, err := j.parts()
	if err != nil {
		return err
	}
	f, err := os.Open(j.picture())
	if err != nil {
		return err
	}
	defer f.Close()
	return film.UseStills(ctx, parts.Decoder, f, func(i inference.Info) error { return sameSize(i.Size, size) }, use)
}

// sameSize reports a picture that cannot be that of the keypoints.
func sameSize(picture, keypoints image.Point) error {
	if picture != keypoints {
		return fmt.Errorf("the picture has %d × %d pixels, that of its keypoints %d × %d", picture.X, picture.Y, keypoints.X, keypoints.Y)
	}
	return nil
}
