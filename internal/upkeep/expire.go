package upkeep

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

const (
	expireBatch = 50_000 // expired records whose ids are held in memory at a time
	expireChunk = 50     // of which are removed before new dependents are looked for
)

// Expire removes the records of all owners, with their files, that were last changed longer ago than keep says
// for their kind, and returns how many. Kinds that keep lacks, or has 0 for, stay. So do records that are not
// finished, and all that other records are made from. Newer records go first.
func (k *Keeper) Expire(ctx context.Context, keep map[storage.Kind]time.Duration) (removed int, err error) {
	now := time.Now()
	for _, kind := range kinds() {
		if keep[kind] == 0 {
			continue
		}
		e := expiry{Keeper: k, kind: kind, before: now.Add(-keep[kind])}
		n, err := e.run(ctx)
		removed += n
		if err != nil {
			return removed, fmt.Errorf("expire %s: %w", kind, err)
		}
	}
	return removed, nil
}

// expiry removes the expired records of a kind.
type expiry struct {
	*Keeper
	kind   storage.Kind
	before time.Time // records that were changed later are kept

	doomed  map[int64]time.Time    // the batch: when each was changed
	waits   map[int64][]int64      // doomed records of the kind that are made from a doomed one
	gone    map[int64]bool         // those of the batch that no longer exist
	scanned map[storage.Kind]int64 // the last record whose origins were read
}

func (e *expiry) run(ctx context.Context) (removed int, err error) {
	for after, more := int64(0), true; more; {
		if after, more, err = e.batch(ctx, after); err != nil {
			return removed, err
		}
		n, err := e.remove(ctx)
		removed += n
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// batch looks for expired records behind an id, and returns where to go on.
func (e *expiry) batch(ctx context.Context, after int64) (next int64, more bool, err error) {
	e.doomed, e.waits = map[int64]time.Time{}, map[int64][]int64{}
	e.gone, e.scanned = map[int64]bool{}, map[storage.Kind]int64{}
	for len(e.doomed) < expireBatch {
		page, err := e.Store.Scan(ctx, e.kind, after, pageSize)
		if err != nil || len(page) == 0 {
			return after, false, err
		}
		young := true
		for _, r := range page {
			young = young && !r.CreatedAt.Before(e.before)
			if r.UpdatedAt.Before(e.before) && (r.Status == "" || r.Status.Final()) {
				e.doomed[r.ID] = r.UpdatedAt
			}
		}
		// IDs grow with time, as far as clocks do.
		if after = page[len(page)-1].ID; young {
			return after, false, nil
		}
	}
	return after, true, nil
}

// remove removes the doomed records that are not needed, the newest first: a keypoint record may be made from an older one.
func (e *expiry) remove(ctx context.Context) (removed int, err error) {
	if len(e.doomed) == 0 {
		return 0, nil
	}
	if err := e.spare(ctx); err != nil {
		return 0, err
	}
	ids := slices.Sorted(maps.Keys(e.doomed))
	slices.Reverse(ids)
	for i, id := range ids {
		if i > 0 && i%expireChunk == 0 {
			if err := e.spare(ctx); err != nil {
				return removed, err
			}
		}
		changed, doomed := e.doomed[id]
		if !doomed || slices.ContainsFunc(e.waits[id], func(by int64) bool { return !e.gone[by] }) {
			continue
		}
		gone, ours, err := e.removeOne(ctx, id, changed)
		if err != nil {
			return removed, err
		}
		if e.gone[id] = gone; ours {
			removed++
		}
	}
	return removed, nil
}

// removeOne removes a record unless it was changed meanwhile. It reports whether the record
// is gone, and whether it was removed here and not by another process.
func (e *expiry) removeOne(ctx context.Context, id int64, changed time.Time) (gone, ours bool, err error) {
	r, ok, err := e.find(ctx, e.kind, id)
	if err != nil || !ok {
		return err == nil, false, err
	}
	if !r.UpdatedAt.Equal(changed) {
		return false, false, nil
	}
	if len(catalog.FileNames(r.Key)) == 0 { // one step removes it
		ours, err = e.deleteRecords(ctx, r.Key)
		return err == nil, ours, err
	}
	ours, err = e.delete(ctx, deletion{}, r.Key)
	return err == nil, ours, err
}

// spare removes from the doomed those that a record is made from. It reads the records that it has not read before.
func (e *expiry) spare(ctx context.Context) error {
	for _, kind := range catalog.Kinds() {
		if !kind.MadeFrom(e.kind) {
			continue
		}
		err := e.scan(ctx, kind.Kind, e.scanned[kind.Kind], func(r storage.Record) error {
			e.scanned[kind.Kind] = r.ID
			origins, err := catalog.Origins(r)
			if err != nil {
				return err
			}
			for _, from := range origins {
				if from.Kind != e.kind {
					continue
				}
				if _, doomed := e.doomed[r.ID]; doomed && r.Kind == e.kind {
					e.waits[from.ID] = append(e.waits[from.ID], r.ID)
				} else {
					delete(e.doomed, from.ID)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
