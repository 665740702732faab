package motion

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	imagedraw "image/draw"
	"image/jpeg"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// jpegQuality is the quality of drawn pictures.
const jpegQuality = 90

// drawJob is everything that a drawing is made of.
type drawJob struct {
	progress func(done, total int)
	media    storage.Key
	seq      keypoint.Sequence
	rules    []draw.Rule
	opt      draw.Options
	distance []compare.Frame // of a comparison, one a frame
	needs    draw.Needs
	target   []keypoint.Frame // the target laid over the source, where the rules need it
	values   []analyze.Result // of the analysis that labels write
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
	if j.values != nil {
		opt.Value = func(n int) (string, bool) { return labelText(j.values[n], i) }
	}
	if j.needs.History && j.seq.Times != nil {
		opt.History = keypoint.Sequence{Frames: j.seq.Frames[:i+1], Times: j.seq.Times[:i+1], Size: j.seq.Size}
	}
	return opt
}

func (s *Service) workDraw(ctx context.Context, r storage.Record, progress func(done, total int)) (worker.Output, error) {
	var d catalog.Drawing
	if err := catalog.Decode(r, &d); err != nil {
		return worker.Output{}, err
	}
	j, err := s.drawJob(ctx, r, d, progress)
	if err != nil {
		return worker.Output{}, err
	}
	dir, remove, err := s.workFolder()
	if err != nil {
		return worker.Output{}, err
	}
	defer remove()
	d.Extension = ".jpg"
	work := s.drawImage
	if j.media.Kind == storage.Movies {
		d.Extension, work = ".mp4", s.drawMovie
	}
	path := filepath.Join(dir, d.File(r.ID))
	if err := work(ctx, j, path); err != nil {
		return worker.Output{}, s.cfg.Limits.mediaFailure(j.media.Kind, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return worker.Output{}, err
	}
	defer f.Close()
	info, err := s.cfg.Blobs.Put(ctx, catalog.FileName(r.Kind, r.ID, d.Extension), f, storage.PutOptions{})
	if err != nil {
		return worker.Output{}, err
	}
	d.Bytes, d.MD5 = info.Size, hex.EncodeToString(info.MD5[:])
	data, err := json.Marshal(d)
	return worker.Output{Data: data}, err
}

// drawJob gathers what a drawing is made of.
func (s *Service) drawJob(ctx context.Context, r storage.Record, d catalog.Drawing, progress func(done, total int)) (*drawJob, error) {
	j, key := &drawJob{progress: progress}, r.Key
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
	if j.needs.Value {
		if j.values, err = labelValues(j.seq, d.Analysis); err != nil {
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
	if err := draw.Render(canvas, &j.seq.Frames[0], j.rules, j.options(0)); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = jpeg.Encode(f, canvas, &jpeg.Options{Quality: jpegQuality})
	return errors.Join(err, f.Close())
}
