package motion

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bodymotion/motion/storage"
)

// Retention is how long records are kept after they were last changed: results since they
// were finished, media since they were registered, uploaded or renamed. 0 keeps them for
// ever, and less is ErrInvalid. See Service.Expire.
type Retention struct {
	Movies, Images, Keypoints, Comparisons, Analyses, Drawings time.Duration
}

// of returns the time for a kind.
func (r Retention) of(kind storage.Kind) time.Duration {
	switch kind {
	case storage.Movies:
		return r.Movies
	case storage.Images:
		return r.Images
	case storage.Keypoints:
		return r.Keypoints
	case storage.Comparisons:
		return r.Comparisons
	case storage.Analyses:
		return r.Analyses
	case storage.Drawings:
		return r.Drawings
	}
	return 0
}

// kinds are all kinds of record, each before those that it is made from.
var kinds = []storage.Kind{storage.Drawings, storage.Analyses, storage.Comparisons, storage.Keypoints, storage.Images, storage.Movies}

// check returns ErrInvalid for a negative time.
func (r Retention) check() error {
	for _, kind := range kinds {
		if d := r.of(kind); d < 0 {
			return fmt.Errorf("%w: records cannot be kept for %v: Retention of %s", ErrInvalid, d, kind)
		}
	}
	return nil
}

const (
	scanPage    = 500    // records that are read at a time
	expireBatch = 50_000 // expired records that are held in memory at a time, by their ids
	expireChunk = 50     // of which are removed before it is looked at again what needs them
)

// Expire removes the records of every owner, with their files, that are older than keep
// says, and returns how many.
//
// What a record was made from stays as long as the record does, however old it is: the movie
// of a drawing that is kept is kept. Where all of it is expired, all of it goes, the last
// made first. What is not finished does not expire. A record that is asked for while what it
// is made from goes, ends in FAILURE and says so, as with Delete.
//
// Several processes may do so at once. An Expire that breaks off has removed nothing that is
// still needed. It reads the records of each kind up to those that are too young, and where
// some are expired, those that may be made from them.
func (s *Service) Expire(ctx context.Context, keep Retention) (removed int, err error) {
	if err := keep.check(); err != nil {
		return 0, err
	}
	now := time.Now()
	for _, kind := range kinds {
		age := keep.of(kind)
		if age == 0 {
			continue
		}
		e := expiry{s: s, kind: kind, before: now.Add(-age)}
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
	s      *Service
	kind   storage.Kind
	before time.Time // records that were changed later are kept

	doomed  map[int64]time.Time    // the batch: when each was changed
	waits   map[int64][]int64      // records of the kind that are made from a doomed one, and were doomed too
	gone    map[int64]bool         // those of the batch that are no longer there
	scanned map[storage.Kind]int64 // up to where records were looked at for what they are made from
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
		page, err := e.s.cfg.Store.Scan(ctx, e.kind, after, scanPage)
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

// remove removes what is doomed and not needed, the newest first: a keypoint record may be
// made from an older one.
func (e *expiry) remove(ctx context.Context) (removed int, err error) {
	if len(e.doomed) == 0 {
		return 0, nil
	}
	if err := e.spare(ctx); err != nil {
		return 0, err
	}
	ids := make([]int64, 0, len(e.doomed))
	for id := range e.doomed {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int64) int { return int(min(max(b-a, -1), 1)) })
	for i, id := range ids {
		if i > 0 && i%expireChunk == 0 {
			if err := e.spare(ctx); err != nil {
				return removed, err
			}
		}
		was, doomed := e.doomed[id]
		if !doomed || slices.ContainsFunc(e.waits[id], func(by int64) bool { return !e.gone[by] }) {
			continue
		}
		gone, ours, err := e.one(ctx, id, was)
		if err != nil {
			return removed, err
		}
		if e.gone[id] = gone; ours {
			removed++
		}
	}
	return removed, nil
}

// one removes a record that was not changed meanwhile. It reports whether the record is gone,
// and whether it was removed here and not by another process.
func (e *expiry) one(ctx context.Context, id int64, was time.Time) (gone, ours bool, err error) {
	r, ok, err := e.s.find(ctx, e.kind, id)
	if err != nil || !ok {
		return err == nil, false, err
	}
	if !r.UpdatedAt.Equal(was) {
		return false, false, nil
	}
	err = e.s.deleteOne(ctx, r.Key)
	if errors.Is(err, ErrNotFound) {
		return true, false, nil
	}
	return err == nil, err == nil, err
}

// spare takes those out of the doomed that a record is made from, as far as the record was
// not looked at before.
func (e *expiry) spare(ctx context.Context) error {
	for _, kind := range madeOf(e.kind) {
		for {
			page, err := e.s.cfg.Store.Scan(ctx, kind, e.scanned[kind], scanPage)
			if err != nil {
				return err
			}
			for _, r := range page {
				e.scanned[kind] = r.ID
				o, err := originOf(r)
				if err != nil {
					return err
				}
				e.spareOrigins(o)
			}
			if len(page) < scanPage {
				break
			}
		}
	}
	return nil
}

func (e *expiry) spareOrigins(o origin) {
	for _, from := range o.from {
		if from.Kind != e.kind {
			continue
		}
		if _, doomed := e.doomed[o.key.ID]; doomed && o.key.Kind == e.kind {
			e.waits[from.ID] = append(e.waits[from.ID], o.key.ID)
		} else {
			delete(e.doomed, from.ID)
		}
	}
}

// madeOf returns the kinds of record that are made from one of a kind directly.
func madeOf(kind storage.Kind) []storage.Kind {
	switch kind {
	case storage.Movies, storage.Images:
		return []storage.Kind{storage.Keypoints}
	case storage.Keypoints:
		return []storage.Kind{storage.Keypoints, storage.Comparisons, storage.Analyses, storage.Drawings}
	case storage.Comparisons:
		return []storage.Kind{storage.Drawings}
	}
	return nil
}

// find returns a record, whoever it belongs to, without its Result.
func (s *Service) find(ctx context.Context, kind storage.Kind, id int64) (r storage.Record, ok bool, err error) {
	page, err := s.cfg.Store.Scan(ctx, kind, id-1, 1)
	if err != nil || len(page) == 0 || page[0].ID != id {
		return storage.Record{}, false, err
	}
	return page[0], true, nil
}
