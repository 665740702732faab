package upkeep

import (
	"context"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// DeleteOrphans removes the files without a record that were put longer than age ago, and
// returns how many. Files whose names catalog.FileName does not return stay.
func (k *Keeper) DeleteOrphans(ctx context.Context, age time.Duration) (removed int, err error) {
	before := time.Now().Add(-age)
	err = k.listFiles(ctx, func(info storage.BlobInfo) error {
		if info.Modified.After(before) {
			return nil
		}
		orphan, err := k.orphan(ctx, info.Key)
		if err != nil || !orphan {
			return err
		}
		k.Logger.Info("file without a record removed", "blob", info.Key, "put", info.Modified)
		removed++
		return k.Blobs.Delete(ctx, info.Key)
	})
	return removed, err
}

// orphan reports whether a file is the service's by its name, and belongs to no record that exists or may still need it.
func (k *Keeper) orphan(ctx context.Context, name string) (bool, error) {
	kind, id, ok := catalog.ParseFileName(name)
	if !ok {
		return false, nil
	}
	r, ok, err := k.find(ctx, kind, id)
	if err != nil || !ok {
		return err == nil, err
	}
	if catalog.Of(kind).Media() || !r.Status.Final() {
		return false, nil // an upload or a job may be about to say so
	}
	want, _, err := catalog.FileOf(r)
	return err == nil && want.Name != name, nil // Verify reports what cannot be read
}
