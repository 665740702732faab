package motion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	imagedraw "image/draw"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// jpegQuality is the quality of drawn pictures.
const jpegQuality = 90

// drawJob is everything that a drawing is made of.
type drawJob struct {
	key      storage.Key // of the drawing
	media    storage.Key
	seq      keypoint.Sequence
	rules    []draw.Rule
	opt      draw.Options
	distance []compare.Frame // of a comparison, one a frame
	needs    draw.Needs
	target   []keypoint.Frame // the target laid over the source, where the rules need it
	renderer draw.Renderer
}

// options returns the drawing options of frame i.
func (j *drawJob) options(i int) draw.Options {
	opt := j.opt
	if j.distance != nil {
		f := &j.distance[i]
		opt.Distance = func(p keypoint.Part) (float64, bool) {
			d, ok := f.At(p)
			return d.Distance, ok
		}
	}
	if j.target != nil {
		opt.Target = &j.target[i]
	}
	if j.needs.History && j.seq.Times != nil {
		opt.History = keypoint.Sequence{Frames: j.seq.Frames[:i+1], Times: j.seq.Times[:i+1], Size: j.seq.Size}
	}
	return opt
}

func (s *Service) workDraw(ctx context.Context, r storage.Record) (output, error) {
	var d drawingData
	if err := decodeData(r, &d); err != nil {
		return output{}, err
	}
	j, err := s.drawJob(ctx, r.Key, d)
	if err != nil {
		return output{}, err
	}
	dir, remove, err := s.workFolder()
	if err != nil {
		return output{}, err
	}
	defer remove()
	d.Extension = ".jpg"
	work := s.drawImage
	if j.media.Kind == storage.Movies {
		d.Extension, work = ".mp4", s.drawMovie
	}
	path := filepath.Join(dir, d.file(r.ID))
	if err := work(ctx, j, path); err != nil {
		return output{}, s.cfg.Limits.mediaFailure(j.media.Kind, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return output{}, err
	}
	defer f.Close()
	if _, err := s.cfg.Blobs.Put(ctx, drawingKey(d.file(r.ID)), f, storage.PutOptions{}); err != nil {
		return output{}, err
	}
	data, err := json.Marshal(d)
	return output{data: data}, err
}

// drawJob gathers what a drawing is made of.
func (s *Service) drawJob(ctx context.Context, key storage.Key, d drawingData) (*drawJob, error) {
	j := &drawJob{key: key}
	id := d.Keypoint
	var comparison Comparison
	if d.Comparison != 0 {
		c, err := s.Comparison(ctx, key.Owner, d.Comparison)
		if err != nil {
			return nil, err
		}
		res, err := c.Result()
		if err != nil {
			return nil, err
		}
		comparison, id, j.distance = c, c.SourceID, res.Frames
	}
	e, err := s.Extraction(ctx, key.Owner, id)
	if err != nil {
		return nil, err
	}
	if j.seq, err = e.Sequence(); err != nil {
		return nil, err
	}
	if j.distance != nil && len(j.distance) != j.seq.Len() {
		return nil, fmt.Errorf("the comparison has %d frames, its source %d", len(j.distance), j.seq.Len())
	}
	j.media = storage.Key{Owner: key.Owner, Kind: storage.Movies, ID: e.MovieID}
	if e.ImageID != 0 {
		j.media.Kind, j.media.ID = storage.Images, e.ImageID
	}
	if d.Rule != nil {
		if j.rules, err = draw.ParseRules(d.Rule); err != nil {
			return nil, fmt.Errorf("stored rule: %w", err)
		}
	}
	if j.needs = draw.NeedsOf(j.rules); j.needs.Target {
		if j.target, err = s.overlay(ctx, key.Owner, comparison, j.seq); err != nil {
			return nil, err
		}
	}
	if d.Background != nil {
		if j.opt.Background, err = draw.ParseBackground(d.Background); err != nil {
			return nil, fmt.Errorf("stored background rule: %w", err)
		}
	}
	return j, nil
}

// overlay lays the target of a comparison over its source.
func (s *Service) overlay(ctx context.Context, owner string, c Comparison, source keypoint.Sequence) ([]keypoint.Frame, error) {
	e, err := s.Extraction(ctx, owner, c.TargetID)
	if err != nil {
		return nil, err
	}
	target, err := e.Sequence()
	if err != nil {
		return nil, err
	}
	return compare.Overlay(source, target, c.Options)
}

func (s *Service) drawImage(ctx context.Context, j *drawJob, path string) error {
	canvas := image.NewRGBA(image.Rectangle{Max: j.seq.Size})
	if !j.opt.Background.SkeletonOnly {
		blob, err := s.cfg.Blobs.Open(ctx, mediaKey(j.media))
		if err != nil {
			return err
		}
		img, err := inference.DecodeImageWith(ctx, s.cfg.Decoder, blob, s.cfg.Limits.ImagePixels)
		if err = errors.Join(err, blob.Close()); err != nil {
			return err
		}
		if img.Bounds().Size() != j.seq.Size {
			return fmt.Errorf("the picture is %v pixels large, its keypoints are of one of %v", img.Bounds().Size(), j.seq.Size)
		}
		imagedraw.Draw(canvas, canvas.Rect, img, img.Bounds().Min, imagedraw.Src)
	}
	if err := j.renderer.Render(canvas, &j.seq.Frames[0], j.rules, j.options(0)); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = jpeg.Encode(f, canvas, &jpeg.Options{Quality: jpegQuality})
	return errors.Join(err, f.Close())
}

func (s *Service) drawMovie(ctx context.Context, j *drawJob, path string) (err error) {
	if s.cfg.Encoder == nil || s.cfg.Decoder == nil {
		return errors.New("Config.Encoder or Config.Decoder is missing: movies cannot be drawn")
	}
	blob, err := s.cfg.Blobs.Open(ctx, mediaKey(j.media))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, blob.Close()) }()
	movie := draw.Movie{Size: j.seq.Size, Audio: blob}
	if rate, ok := j.seq.FrameRate(); ok {
		movie.FrameRate = rate
	}
	w, err := s.cfg.Encoder.Create(ctx, path, movie)
	if err != nil {
		return err
	}
	defer w.Abort()
	if j.opt.Background.SkeletonOnly {
		err = s.drawFrames(j, w)
	} else {
		err = s.drawOnto(ctx, j, w, blob)
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// drawFrames draws a movie of nothing but the skeleton: nothing is decoded.
func (s *Service) drawFrames(j *drawJob, w draw.MovieWriter) error {
	canvas := image.NewRGBA(image.Rectangle{Max: j.seq.Size})
	for i := range j.seq.Frames {
		if err := s.drawFrame(j, i, canvas, w); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) drawFrame(j *drawJob, i int, canvas *image.RGBA, w draw.MovieWriter) error {
	if err := j.renderer.Render(canvas, &j.seq.Frames[i], j.rules, j.options(i)); err != nil {
		return err
	}
	if err := w.Write(canvas, j.seq.Times[i]); err != nil {
		return err
	}
	if s.cfg.Progress != nil {
		s.cfg.Progress(Progress{Record: j.key, Done: i + 1, Total: j.seq.Len()})
	}
	return nil
}

// drawOnto draws onto the frames of the movie itself.
func (s *Service) drawOnto(ctx context.Context, j *drawJob, w draw.MovieWriter, blob storage.Blob) (err error) {
	frames, err := s.cfg.Decoder.Open(ctx, blob)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, frames.Close()) }()
	canvas := image.NewRGBA(image.Rectangle{Max: j.seq.Size})
	for i := 0; ; i++ {
		pic, err := frames.Next()
		if err == io.EOF && i == j.seq.Len() {
			return nil
		}
		if err == io.EOF {
			err = fmt.Errorf("the movie has %d frames now, its keypoints are of %d", i, j.seq.Len())
		}
		if err != nil {
			return err
		}
		if i < j.seq.Len() && pic.Image.Bounds().Size() == j.seq.Size {
			if m, ok := pic.Image.(*yuv.Image); ok {
				m.ToRGBA(canvas)
			} else {
				imagedraw.Draw(canvas, canvas.Rect, pic.Image, pic.Image.Bounds().Min, imagedraw.Src)
			}
		}
		if pic.Release != nil {
			pic.Release()
		}
		if i >= j.seq.Len() {
			return fmt.Errorf("the movie has more than the %d frames of its keypoints", j.seq.Len())
		}
		if err := s.drawFrame(j, i, canvas, w); err != nil {
			return err
		}
	}
}
