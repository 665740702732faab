package upkeep

import (
	"context"
	"errors"
	"slices"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// Delete removes a record, all records that are made from it, directly or not, and their
// files. Dependents go first: a Delete that fails half-way can be tried again.
func (k *Keeper) Delete(ctx context.Context, key storage.Key) error {
	if _, err := k.Store.Get(ctx, key); err != nil {
		return err
	}
	if err := k.deleteDependents(ctx, key); err != nil {
		return err
	}
	if err := k.deleteOne(ctx, key); err != nil {
		return err
	}
	return k.deleteDependents(ctx, key) // those made in the meantime
}

// DeleteFiles removes all files that Blobs may hold of a record.
func (k *Keeper) DeleteFiles(ctx context.Context, key storage.Key) error {
	for _, name := range catalog.FileNames(key) {
		if err := k.Blobs.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (k *Keeper) deleteDependents(ctx context.Context, key storage.Key) error {
	keys, err := k.dependents(ctx, key)
	if err != nil {
		return err
	}
	for _, d := range keys {
		if err := k.deleteOne(ctx, d); err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
	}
	return nil
}

// deleteOne removes a record and its files, and cancels the work on it.
func (k *Keeper) deleteOne(ctx context.Context, key storage.Key) error {
	// Files go first, so that a deletion that breaks off can be tried again, and once more
	// in case one was put between the two.
	if err := k.DeleteFiles(ctx, key); err != nil {
		return err
	}
	if err := k.Store.Delete(ctx, key); err != nil {
		return err
	}
	k.Cancel(key)
	return k.DeleteFiles(ctx, key)
}

// dependents returns the records that are made from root, directly or not, each before those
// that it is made from. It reads all records of the owner that could be.
func (k *Keeper) dependents(ctx context.Context, root storage.Key) ([]storage.Key, error) {
	doomed := map[storage.Key]bool{root: true}
	doomedKinds := []storage.Kind{root.Kind}
	var order []storage.Key
	for _, kind := range catalog.Kinds() {
		if !slices.ContainsFunc(doomedKinds, kind.MadeFrom) {
			continue
		}
		records, err := k.list(ctx, root.Owner, kind.Kind)
		if err != nil {
			return nil, err
		}
		// Oldest first: a keypoint record may be made from an older one.
		for _, r := range slices.Backward(records) {
			from, err := catalog.Origins(r)
			if err != nil {
				return nil, err
			}
			if !doomed[r.Key] && slices.ContainsFunc(from, func(o storage.Key) bool { return doomed[o] }) {
				doomed[r.Key] = true
				doomedKinds = append(doomedKinds, r.Kind)
				order = append(order, r.Key)
			}
		}
	}
	slices.Reverse(order)
	return order, nil
}

// list returns all records of an owner and kind, newest first.
func (k *Keeper) list(ctx context.Context, owner string, kind storage.Kind) ([]storage.Record, error) {
	var all []storage.Record
	for f := (storage.Filter{Limit: 2 * pageSize}); ; f.Offset += f.Limit {
		page, _, err := k.Store.List(ctx, owner, kind, f)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < f.Limit {
			return all, nil
		}
	}
}
