package upkeep

import (
	"context"
	"errors"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// Erased is what was removed.
type Erased struct {
	Records map[storage.Kind]int
	Files   int
	Bytes   int64 // of the files
}

// Erase removes a subject, all recordings of it, everything that is made from them, directly or not, and the files. If it
// fails half-way, FinishDeletions does the rest. What is removed was counted before.
func (k *Keeper) Erase(ctx context.Context, subject storage.Key) (Erased, error) {
	erased := Erased{Records: map[storage.Kind]int{}}
	if err := k.there(ctx, subject); err != nil {
		return erased, err
	}
	keys, err := k.Recordings(ctx, subject)
	if err == nil && len(keys) > 0 {
		var made []storage.Key
		made, err = k.dependents(ctx, keys...)
		keys = append(keys, made...)
	}
	if err != nil {
		return erased, err
	}
	keys = append(keys, subject)
	for _, key := range keys {
		erased.Records[key.Kind]++
		for _, name := range catalog.FileNames(key) {
			blob, err := k.Blobs.Open(ctx, name)
			switch {
			case errors.Is(err, storage.ErrNotFound):
				continue
			case err != nil:
				return erased, err
			}
			erased.Files++
			erased.Bytes += blob.Info().Size
			if err := blob.Close(); err != nil {
				return erased, err
			}
		}
	}
	_, err = k.delete(ctx, deletion{Made: true, Erase: true}, keys...)
	return erased, err
}

func (k *Keeper) Recordings(ctx context.Context, subjects ...storage.Key) (keys []storage.Key, err error) {
	for _, subject := range subjects {
		for _, kind := range catalog.Kinds() {
			if !kind.Recorded() {
				continue
			}
			of, err := k.Labelled(ctx, subject.Owner, kind.Kind, catalog.LabelOf(subject.ID))
			if err != nil {
				return nil, err
			}
			keys = append(keys, of...)
		}
	}
	return keys, nil
}
