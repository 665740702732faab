package motion

import (
	"context"
	"errors"
	"fmt"
	"image"
	imagedraw "image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/fair"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Annotator draws keypoints onto a picture or movie, for programs and notebooks that need no Service:
//
//	seq, _, err := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}}.File(ctx, "squats.mp4")
//	if err != nil {
//		return err
//	}
//	a := motion.Annotator{Decoder: ffmpeg.Decoder{}, Encoder: mp4.Encoder{}, Rules: draw.Sides()}
//	err = a.File(ctx, "squats.mp4", "annotated.mp4", seq)
//
// Pictures and movies come out upright, as their keypoints are; movies keep their sound and the times of their frames.
type Annotator struct {
	Decoder inference.Decoder // for movies; also for HEIC and AVIF pictures if it is an inference.ImageDecoder
	Encoder draw.Encoder      // for movies
	Limits  Limits            // zero selects the default, -1 means no limit

	Rules      []draw.Rule     // nil selects the default drawing, see draw.Compile
	Background draw.Background // zero draws onto the picture or movie
	Fonts      []draw.Font     // of labels, for characters that the built-in font lacks

	Analyses []analyze.Rule // whose values labels write: draw.Rule.Analysis is an index
	Values   []analyze.Rule // whose values are written beside the joints, on top of the Rules; of a comparison that draws a Body, nil selects the angles that differ
	Quality  quality.Report // of the keypoints: Values that it does not support are not written; zero: it is assessed
	Sketches []draw.Sketch  // drawn by hand, in pixels of the keypoints

	// BlurFaces blurs the face of the person whose keypoints are drawn, and of the Others; see draw.Faces. The
	// faces of people without keypoints stay as they are.
	BlurFaces bool
	Others    []keypoint.Sequence // one frame a frame of the movie

	// Shrink draws a movie whose frames have too many pixels for Limits.FramePixels in the largest size below, as FindOptions.Shrink has it.
	Shrink bool

	Target  *keypoint.Sequence // with which the person is compared; nil draws no comparison
	Compare compare.Options    // how to compare

	// Name and TargetName are written into a comparison that draws a Body, with what differs if Compare asks for Angles.
	Name, TargetName string

	// Beside opens the movie or picture of Target, which is shown to the right of the source's, in step with it
	// and drawn as it is; nil shows the source alone. The faces of TargetOthers are blurred there.
	Beside       func() (io.ReadSeekCloser, error)
	TargetOthers []keypoint.Sequence

	// Span selects the frames of a movie that are drawn, such as one repetition found by analyze.FindRepetitions;
	// zero draws all. Target is compared with these frames. The annotated movie begins at 0 s and has no sound.
	Span keypoint.Span

	Progress func(done, total int) // called after each frame

	turn     *fair.Places      // of the Service
	beside   inference.Decoder // of Beside, if not Decoder
	times    []float64         // of the movie's frames, if not those of the keypoints
	compared *compare.Result   // if known; Target is needed for ghosts and arrows only
	analysed keypoint.Span     // the frames in which Analyses have values; zero: all
}

// jpegQuality is the quality of annotated JPEG pictures.
const jpegQuality = 90

// File draws onto the picture or movie in the file in and writes the file out, whole or not at all. The extension of out is .jpg, .jpeg or
// .png for a picture and .mp4 for a movie. seq holds the keypoints of in, one frame a frame of the movie. Errors are those of
// Extractor.File and draw.Compile, and those that say how seq and in differ; it is an ErrInvalid if in and out are the same file.
func (a Annotator) File(ctx context.Context, in, out string, seq keypoint.Sequence) error {
	m := media{open: func() (io.ReadSeekCloser, error) { return os.Open(in) }}
	f, err := os.Open(in)
	if err != nil {
		return err
	}
	m.image, err = holdsImage(f)
	if err == nil {
		err = checkOther(f, out)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = m.checkExtension(out)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), ".motion-annotate-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "annotated"+filepath.Ext(out))
	a.Limits = a.Limits.withDefaults()
	if err := a.annotate(ctx, m, path, seq); err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return os.Rename(path, out)
}

// annotate writes the annotated file. The limits are those with defaults.
func (a Annotator) annotate(ctx context.Context, m media, path string, seq keypoint.Sequence) error {
	if err := seq.Validate(); err != nil {
		return err
	}
	if seq.Size.X == 0 || seq.Size.Y == 0 {
		return fmt.Errorf("%w keypoints: they have no size: set Sequence.Size to that of the picture in pixels", ErrInvalid)
	}
	part := a.Span != (keypoint.Span{})
	if !part {
		a.Span.Last = seq.Len() - 1
	} else if m.image {
		return fmt.Errorf("%w span: frames %d to %d of an image", ErrInvalid, a.Span.First, a.Span.Last)
	} else if _, err := seq.Cut(a.Span); err != nil {
		return err
	}
	if a.Shrink = a.Shrink && !m.image; a.Shrink {
		a.Decoder, a.beside = film.Within(a.Decoder, a.Limits.FramePixels), film.Within(a.beside, a.Limits.FramePixels)
	}
	s, panel, err := a.subject(ctx, seq)
	if err != nil {
		return err
	}
	style, inputs, err := s.Prepare()
	if err != nil {
		return err
	}
	f := &film.Film{
		Keypoints: film.Resized(seq, s.Shown), Style: style, Inputs: func(i int) draw.Inputs { return inputs(a.Span.First + i) },
		Part: part, First: a.Span.First, Beside: panel, Progress: a.Progress,
	}
	if m.image {
		return a.annotateImage(ctx, m, path, f)
	}
	if a.times != nil {
		f.Keypoints.Times = a.times
	}
	if part {
		f.Keypoints = f.Keypoints.Slice(a.Span.First, a.Span.Last)
		times := slices.Clone(f.Keypoints.Times)
		for i := range times {
			times[i] -= f.Keypoints.Times[0]
		}
		f.Keypoints.Times = times
		if panel != nil {
			f.Beside = panel.Part(a.Span)
		}
	}
	return a.annotateMovie(ctx, m, path, f)
}

// subject returns what is drawn onto a recording, and beside it if anything is. The frames outside of Span are not compared with
// Target, unless the differences are known.
func (a Annotator) subject(ctx context.Context, seq keypoint.Sequence) (s film.Subject, panel *film.Panel, err error) {
	s = film.Subject{Keypoints: seq, Rules: a.Rules, Background: a.Background, Fonts: a.Fonts, Analyses: a.Analyses, Analysed: a.analysed, Values: a.Values, Quality: a.Quality, Sketches: a.Sketches, Shown: seq.Size}
	if a.Shrink {
		s.Shown = yuv.Within(seq.Size, a.Limits.FramePixels)
	}
	if a.BlurFaces {
		s.Faces = append([]keypoint.Sequence{seq}, a.Others...)
	}
	source, first, res := seq, 0, a.compared
	if a.Target != nil && res == nil && seq.Len() > 0 {
		source, first = seq.Slice(a.Span.First, a.Span.Last), a.Span.First
		found, err := compare.Diff(source, *a.Target, a.Compare)
		if err != nil {
			return s, nil, err
		}
		res = &found
		res.Frames = append(make([]compare.Frame, first), res.Frames...)
		res.Frames = append(res.Frames, make([]compare.Frame, seq.Len()-len(res.Frames))...)
	}
	other := film.Subject{Values: a.Values, Quality: a.Compare.TargetQuality}
	if res != nil {
		s.Differences = res.Frames
		s.Explain(&other, res, [2]string{a.Name, a.TargetName}, a.Beside != nil, a.Compare.Mirror)
	}
	s.Overlay = func() ([]keypoint.Frame, error) {
		frames, err := compare.Overlay(source, *a.Target, a.Compare)
		return append(make([]keypoint.Frame, first), frames...), err
	}
	if a.Beside == nil || a.Target == nil {
		return s, nil, nil
	}
	at, err := compare.Counterparts(source, *a.Target, a.Compare)
	if err != nil {
		return s, nil, err
	}
	if other.Keypoints = *a.Target; a.BlurFaces {
		other.Faces = append(other.Faces, append(a.TargetOthers, *a.Target)...)
	}
	panel, err = film.NewPanel(s, other, append(make([]int, first), at...))
	if err == nil && !a.Background.SkeletonOnly {
		decoder := a.Decoder
		if a.beside != nil {
			decoder = a.beside
		}
		panel.Open = func() (film.Pictures, error) { return stills(ctx, a.Beside, decoder, a.Limits, a.turn) }
	}
	return s, panel, err
}

func (a Annotator) annotateImage(ctx context.Context, m media, path string, f *film.Film) error {
	size := f.Keypoints.Size
	if n := f.Keypoints.Len(); n != 1 {
		return fmt.Errorf("%w keypoints: a picture has 1 frame, its keypoints are of %d", ErrInvalid, n)
	}
	if limit := a.Limits.ImagePixels; a.Background.SkeletonOnly && limit > 0 && int64(size.X)*int64(size.Y) >= int64(limit) {
		return fmt.Errorf("%w: %v is not fewer than %d pixels", inference.ErrTooManyPixels, size, limit)
	}
	// finish draws onto the canvas and writes the file.
	finish := func(canvas *image.RGBA) error {
		if err := errors.Join(f.DrawOnto(canvas), ctx.Err()); err != nil {
			return err
		}
		if strings.EqualFold(filepath.Ext(path), ".png") {
			return writeFile(path, func(w io.Writer) error { return png.Encode(w, canvas) })
		}
		return writeFile(path, func(w io.Writer) error { return jpeg.Encode(w, canvas, &jpeg.Options{Quality: jpegQuality}) })
	}
	var canvas *image.RGBA
	var err error
	if f.Beside != nil || a.Background.SkeletonOnly { // a large picture beside this one takes its turn before
		if canvas, err = f.Canvas(); err != nil {
			return err
		}
	}
	if a.Background.SkeletonOnly {
		return finish(canvas)
	}
	in, err := m.open()
	if err != nil {
		return err
	}
	err = a.Limits.pictures(a.Decoder, a.turn).Use(ctx, in, func(img image.Image) error {
		if got := img.Bounds().Size(); got != size {
			return fmt.Errorf("%w keypoints: the picture is %v pixels large, its keypoints are of a picture of %v", ErrInvalid, got, size)
		}
		if canvas == nil {
			canvas = image.NewRGBA(img.Bounds().Sub(img.Bounds().Min))
		}
		imagedraw.Draw(canvas, image.Rectangle{Max: size}, img, img.Bounds().Min, imagedraw.Src)
		return finish(canvas)
	})
	return errors.Join(err, in.Close())
}

// annotateMovie draws a movie. With SkeletonOnly nothing is decoded: the number of frames,
// their times and their size are those of the keypoints.
func (a Annotator) annotateMovie(ctx context.Context, m media, path string, f *film.Film) (err error) {
	seq := f.Keypoints
	switch {
	case a.Encoder == nil:
		return errors.New("the encoder is missing: movies cannot be drawn without draw/mp4 or another one")
	case a.Decoder == nil && !a.Background.SkeletonOnly:
		return errors.New("the decoder is missing: movies cannot be drawn onto without inference/ffmpeg or another one")
	}
	if err := a.Limits.check(inference.Info{Size: seq.Size, Frames: seq.Len()}); err != nil {
		return err
	}
	movie := draw.Movie{Size: f.Size()}
	movie.FrameRate, _ = seq.FrameRate()
	if !f.Part {
		sound, err := m.open()
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, sound.Close()) }()
		movie.Audio = sound
	}
	f.Create = func() (draw.MovieWriter, error) { return a.Encoder.Create(ctx, path, movie) }
	if !a.Background.SkeletonOnly {
		in, err := m.open()
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, in.Close()) }()
		f.Open = func() (inference.Frames, error) { return film.Open(ctx, a.Decoder, in, a.Limits.check) }
	}
	return f.Draw(ctx)
}
