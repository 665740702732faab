package motion

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// GetThumbnail returns a small JPEG picture of a movie or image, its longer side 320 pixels at most: of a movie the frame at one second, or
// the middle one of a movie shorter than two. Of a keypoint record it is the person, upright 4:5 and 180 pixels high at most, at the first
// turn of the movement, or in the middle if nothing turns. It is made once, by ExtractKeypoints or by the first call, and kept in Blobs.
// Errors are those of UseStills; of keypoints ErrNotReady, or ErrConflict if they were given without a movie or an image.
func (s *Service) GetThumbnail(ctx context.Context, owner string, kind storage.Kind, id int64) ([]byte, error) {
	key := storage.Key{Owner: owner, Kind: kind, ID: id}
	if kind != storage.Keypoints {
		if m, err := s.GetMedia(ctx, owner, kind, id); err != nil {
			return nil, err
		} else if !m.Uploaded {
			return nil, notUploaded(key)
		}
	} else if _, err := s.cfg.Store.Head(ctx, key); err != nil {
		return nil, err
	}
	kept, err := s.cfg.Blobs.Open(ctx, catalog.ThumbnailName(key))
	if err == nil {
		defer kept.Close()
		return io.ReadAll(kept)
	}
	if !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	picture := s.thumbnail
	if kind == storage.Keypoints {
		picture = s.portrait
	}
	made, err := picture(ctx, key)
	if err != nil {
		return nil, err
	}
	s.keepThumbnail(ctx, key, made)
	if _, err := s.cfg.Store.Head(ctx, key); errors.Is(err, ErrNotFound) { // deleted in the meantime
		return nil, errors.Join(err, s.keeper.DeleteFiles(ctx, key))
	}
	return made, nil
}

func (s *Service) thumbnail(ctx context.Context, key storage.Key) (made []byte, err error) {
	m, err := s.GetMedia(ctx, key.Owner, key.Kind, key.ID)
	if err != nil {
		return nil, err
	}
	err = s.UseStills(ctx, key.Owner, key.Kind, key.ID, func(picture func(int) (image.Image, error)) error {
		img, err := picture(film.ThumbnailFrame(m.Info))
		if err == nil {
			made, err = film.Thumbnail(img)
		}
		return err
	})
	return made, err
}

// portrait makes the thumbnail of keypoints: that of their movie or image where nobody was found.
func (s *Service) portrait(ctx context.Context, key storage.Key) (made []byte, err error) {
	e, err := s.GetExtraction(ctx, key.Owner, key.ID)
	if err != nil {
		return nil, err
	}
	seq, err := e.Sequence()
	if err != nil {
		return nil, err
	}
	media := e.media(key.Owner)
	if media.ID == 0 {
		return nil, fmt.Errorf("%w: the keypoints were given without a movie or an image: there is no picture", ErrConflict)
	}
	frame, err := e.turn(seq)
	if err != nil {
		return nil, err
	}
	low, high, found := seq.Frames[frame].Bounds()
	if !found || seq.Size.X <= 0 || seq.Size.Y <= 0 {
		return s.GetThumbnail(ctx, media.Owner, media.Kind, media.ID)
	}
	err = s.UseStills(ctx, media.Owner, media.Kind, media.ID, func(picture func(int) (image.Image, error)) error {
		img, err := picture(frame)
		if err != nil {
			return err
		}
		if e.Mirrored {
			img = film.Mirror(img)
		}
		w, h := float64(seq.Size.X), float64(seq.Size.Y)
		made, err = film.Portrait(img, [2]float64{low[0] / w, low[1] / h}, [2]float64{high[0] / w, high[1] / h})
		return err
	})
	return made, err
}

// turn returns the frame of the first turn of the movement, or that in the middle; of those with somebody the nearest.
func (e Extraction) turn(seq keypoint.Sequence) (frame int, err error) {
	frame = seq.Len() / 2
	judged, err := e.Quality()
	if err != nil {
		return 0, err
	}
	if found, err := study.Run(seq, judged); err != nil {
		return 0, err
	} else if found.Repetitions != nil && len(found.Repetitions.List) > 0 {
		frame = found.Repetitions.List[0].Turn.Frame
	}
	nearest := frame
	for i := range seq.Frames {
		if away := max(i-frame, frame-i); seq.Frames[i].Present() != 0 && (seq.Frames[nearest].Present() == 0 || away < max(nearest-frame, frame-nearest)) {
			nearest = i
		}
	}
	return nearest, nil
}

// keepThumbnail keeps a thumbnail, whose record may be deleted meanwhile. Without it, another one is made: errors are logged.
func (s *Service) keepThumbnail(ctx context.Context, key storage.Key, thumbnail []byte) {
	_, err := s.cfg.Blobs.Put(ctx, catalog.ThumbnailName(key), bytes.NewReader(thumbnail), storage.PutOptions{})
	if err != nil && ctx.Err() == nil {
		s.cfg.Logger.Warn("thumbnail not kept", "record", key, "error", err)
	}
}
