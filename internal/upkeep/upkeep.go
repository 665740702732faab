// Package upkeep removes records and files that are no longer needed, and checks what is kept:
// over a Store, Blobs and a Queue, by the table of package catalog.
package upkeep

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// Keeper does the upkeep of a Store and its Blobs. All fields are required. Its methods may
// be called from many goroutines, and in many processes, at once.
type Keeper struct {
	Store  storage.Store
	Blobs  storage.Blobs
	Queue  storage.Queue
	Cancel func(storage.Key) // interrupts the work of this process on a deleted record
	Logger *slog.Logger

	Forget  func(ctx context.Context, owner string) error        // removes the answers to an owner's requests
	Release func(ctx context.Context, subject storage.Key) error // takes a subject from its recordings
}

const pageSize = 500 // records that are read at a time

// kinds returns all kinds, each before those that it is made from.
func kinds() (list []storage.Kind) {
	for _, k := range slices.Backward(catalog.Kinds()) {
		list = append(list, k.Kind)
	}
	return list
}

// find returns a record of any owner, without its Result.
func (k *Keeper) find(ctx context.Context, kind storage.Kind, id int64) (r storage.Record, ok bool, err error) {
	next, err := k.Store.Scan(ctx, kind, id-1, 1)
	if err != nil || len(next) == 0 || next[0].ID != id {
		return r, false, err
	}
	return next[0], true, nil
}

// scan calls fn for the records of a kind of every owner with an ID above after.
func (k *Keeper) scan(ctx context.Context, kind storage.Kind, after int64, fn func(storage.Record) error) error {
	for {
		page, err := k.Store.Scan(ctx, kind, after, pageSize)
		if err != nil {
			return err
		}
		for _, r := range page {
			after = r.ID
			if err := fn(r); err != nil {
				return err
			}
		}
		if len(page) < pageSize {
			return nil
		}
	}
}

// listFiles calls fn for the files in the folders of the catalog.
func (k *Keeper) listFiles(ctx context.Context, fn func(storage.BlobInfo) error) error {
	for _, folder := range catalog.Folders() {
		if err := k.Blobs.List(ctx, folder, fn); err != nil {
			return err
		}
	}
	return nil
}

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

// Requeue pushes the jobs that the queue lacks: of a record whose creation has failed half-way, and those that have ended in
// errors too often. Pushing one that runs does no harm. Records that were changed later than age ago are left alone.
func (k *Keeper) Requeue(ctx context.Context, age time.Duration) error {
	before := time.Now().Add(-age)
	return k.Store.Unfinished(ctx, func(r storage.Record) error {
		if age > 0 && r.UpdatedAt.After(before) {
			return nil
		}
		held, err := k.Queue.Holds(ctx, r.Key)
		if err != nil || held {
			return err
		}
		k.Logger.Warn("job missing; it is queued again", "kind", r.Kind, "id", r.ID, "owner", r.Owner)
		return k.Queue.Push(ctx, storage.Job{Key: r.Key, Slow: catalog.Slow(r)})
	})
}
