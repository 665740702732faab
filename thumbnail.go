package motion

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/storage"
)

// Thumbnail returns a small JPEG picture of a movie or image, its longer side 320 pixels at most: of a movie the frame
// at one second, or the middle one of a movie shorter than two. It is made once, by Extract or by the first call, and
// kept in Blobs. Errors are those of Stills.
func (s *Service) Thumbnail(ctx context.Context, owner string, kind storage.Kind, id int64) ([]byte, error) {
	m, err := s.Media(ctx, owner, kind, id)
	if err != nil {
		return nil, err
	}
	key := storage.Key{Owner: owner, Kind: kind, ID: id}
	if !m.Uploaded {
		return nil, notUploaded(key)
	}
	kept, err := s.cfg.Blobs.Open(ctx, catalog.ThumbnailName(key))
	if err == nil {
		defer kept.Close()
		return io.ReadAll(kept)
	}
	if !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	var made []byte
	err = s.Stills(ctx, owner, kind, id, func(picture func(int) (image.Image, error)) error {
		img, err := picture(film.ThumbnailFrame(m.Info))
		if err == nil {
			made, err = film.Thumbnail(img)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	s.keepThumbnail(ctx, key, made)
	if _, err := s.cfg.Store.Head(ctx, key); errors.Is(err, ErrNotFound) { // deleted in the meantime
		return nil, errors.Join(err, s.keeper.DeleteFiles(ctx, key))
	}
	return made, nil
}

// keepThumbnail keeps the thumbnail of a medium, which may be deleted meanwhile. Without it, another one is made: errors are logged.
func (s *Service) keepThumbnail(ctx context.Context, key storage.Key, thumbnail []byte) {
	_, err := s.cfg.Blobs.Put(ctx, catalog.ThumbnailName(key), bytes.NewReader(thumbnail), storage.PutOptions{})
	if err != nil && ctx.Err() == nil {
		s.cfg.Logger.Warn("thumbnail not kept", "record", key, "error", err)
	}
}
