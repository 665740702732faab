package httpapi

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

const (
	maxOpen = 1000 // unfinished records of a kind and status that are watched
	maxNew  = 100  // new records of a kind that are seen at once
)

// change is a record that has reached a state, or whose work has come further.
type change struct {
	kind    storage.Kind
	further bool // in the same state
	motion.State
}

// seen is what is remembered of an unfinished record.
type seen struct {
	status   storage.Status
	progress float64 // 0 where unknown
}

func seenOf(s motion.State) seen {
	part, _ := s.Progress()
	return seen{s.Status, part}
}

// watch finds the changes of a client's records by looking at them again and again: it sees
// them whichever process made them. Its memory is bounded.
type watch struct{ kinds []*watched }

// watched are the records of one kind.
type watched struct {
	states
	open map[int64]seen // the unfinished ones, as they were last seen
	last int64          // the largest id that was seen
	full bool           // there were more unfinished ones than are watched
}

// newWatch begins to watch. What has happened before is no change.
func newWatch(ctx context.Context, s *motion.Service, client string) (*watch, error) {
	w := &watch{}
	for _, st := range statesOf(s, client) {
		w.kinds = append(w.kinds, &watched{states: st})
	}
	_, _, err := w.look(ctx)
	return w, err
}

// look returns what has changed since the last look, oldest first, and whether there may be
// more.
func (w *watch) look(ctx context.Context) (changes []change, lost bool, err error) {
	for _, k := range w.kinds {
		some, missed, err := k.look(ctx)
		if err != nil {
			return nil, false, err
		}
		changes, lost = append(changes, some...), lost || missed
	}
	slices.SortStableFunc(changes, func(a, b change) int { return a.UpdatedAt.Compare(b.UpdatedAt) })
	return changes, lost, nil
}

func (k *watched) look(ctx context.Context) (changes []change, lost bool, err error) {
	now := map[int64]motion.State{}
	full := false
	for _, status := range []storage.Status{storage.Unprocessed, storage.Processing} {
		records, err := k.list(ctx, motion.Page{Status: status, Limit: maxOpen})
		if err != nil {
			return nil, false, err
		}
		full = full || len(records) == maxOpen
		for _, r := range records {
			now[r.ID] = r
		}
	}
	newest, err := k.list(ctx, motion.Page{Limit: maxNew})
	if err != nil {
		return nil, false, err
	}
	for _, r := range newest {
		if r.ID > k.last {
			now[r.ID] = r
		}
	}
	if !full { // those that are no longer unfinished
		for id := range k.open {
			if _, ok := now[id]; ok {
				continue
			}
			switch r, err := k.get(ctx, id); {
			case err == nil:
				now[id] = r
			case !errors.Is(err, motion.ErrNotFound): // else deleted
				return nil, false, err
			}
		}
	}
	lost = full && !k.full || len(newest) == maxNew && newest[maxNew-1].ID > k.last
	first := k.open == nil
	if !first {
		for _, r := range now {
			before, known := k.open[r.ID]
			switch is := seenOf(r); {
			case known && before.status != r.Status || !known && r.ID > k.last:
				changes = append(changes, change{k.kind, false, r})
			case known && before != is && is.progress > 0:
				changes = append(changes, change{k.kind, true, r})
			}
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.ID, b.ID) })
	k.open, k.full = map[int64]seen{}, full
	for id := range maps.Keys(now) {
		if k.last = max(k.last, id); !now[id].Status.Final() {
			k.open[id] = seenOf(now[id])
		}
	}
	return changes, lost && !first, nil
}
