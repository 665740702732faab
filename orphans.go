package motion

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion/storage"
)

// DeleteOrphans removes the files of no record that were put longer than age ago, and
// returns how many. Such a file may be left by a crash while its record was deleted, or by a
// drawing of which an attempt has died and the last one has failed. The file of a record
// that exists stays, also where an upload is still at it.
//
// The age is for what is not of this Service's making: after the database was restored from
// a copy, files that are younger than the copy have no records. ErrInvalid for a negative
// one. Files by other names than the Service's stay.
func (s *Service) DeleteOrphans(ctx context.Context, age time.Duration) (removed int, err error) {
	if age < 0 {
		return 0, fmt.Errorf("%w age of orphans: %v", ErrInvalid, age)
	}
	before := time.Now().Add(-age)
	err = s.listFiles(ctx, func(info storage.BlobInfo) error {
		if info.Modified.After(before) {
			return nil
		}
		orphan, err := s.orphan(ctx, info.Key)
		if err != nil || !orphan {
			return err
		}
		s.cfg.Logger.Info("file of no record removed", "blob", info.Key, "put", info.Modified)
		removed++
		return s.cfg.Blobs.Delete(ctx, info.Key)
	})
	return removed, err
}

// listFiles calls fn for the blobs that may be the Service's.
func (s *Service) listFiles(ctx context.Context, fn func(storage.BlobInfo) error) error {
	for _, prefix := range []string{"drawings/", "media/"} {
		if err := s.cfg.Blobs.List(ctx, prefix, fn); err != nil {
			return err
		}
	}
	return nil
}

// orphan reports whether a blob is one of the Service's by its name, and of no record that
// is there or may yet need it.
func (s *Service) orphan(ctx context.Context, name string) (bool, error) {
	kind, id, ok := parseBlob(name)
	if !ok {
		return false, nil
	}
	r, ok, err := s.find(ctx, kind, id)
	if err != nil || !ok {
		return err == nil, err
	}
	if kind != storage.Drawings || !r.Status.Final() {
		return false, nil
	}
	var d drawingData
	if err := decodeData(r, &d); err != nil {
		return false, nil // Verify tells of it
	}
	return drawingKey(d.file(id)) != name, nil
}

// parseBlob returns the record that a blob is of, by its name.
func parseBlob(name string) (kind storage.Kind, id int64, ok bool) {
	number := ""
	if rest, drawing := strings.CutPrefix(name, "drawings/"); drawing {
		kind = storage.Drawings
		var extension string
		number, extension, _ = strings.Cut(rest, ".")
		ok = extension == "jpg" || extension == "mp4"
	} else if rest, media := strings.CutPrefix(name, "media/"); media {
		var folder string
		folder, number, ok = strings.Cut(rest, "/")
		kind = storage.Kind(folder)
		ok = ok && (kind == storage.Movies || kind == storage.Images)
	}
	id, err := strconv.ParseInt(number, 10, 64)
	return kind, id, ok && err == nil && id > 0 && strconv.FormatInt(id, 10) == number
}
