package storagetest

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/storage"
)

// all returns the owner's records of a kind, newest first.
func all(t *testing.T, s storage.Store, owner string, kind storage.Kind) []storage.Record {
	t.Helper()
	page, total, err := s.List(t.Context(), owner, kind, storage.Filter{Limit: 1_000_000})
	if err != nil || len(page) != total {
		t.Fatalf("%d of %d records (%v)", len(page), total, err)
	}
	return page
}

// openedAtOnce: many can open a new place at the same time.
func openedAtOnce(t *testing.T, d StoreDriver) {
	for range 5 {
		place := d.Place(t)
		stores := make([]storage.Store, 6)
		var wg sync.WaitGroup
		for i := range stores {
			wg.Go(func() {
				var err error
				if stores[i], err = d.Open(place); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for i, s := range stores {
			if t.Failed() {
				return
			}
			if r := create(t, s, record("alice", storage.Movies, "")); r.ID != int64(i+1) {
				t.Errorf("store %d gives the id %d", i, r.ID)
			}
		}
		for _, s := range stores {
			shut(t, s)
		}
	}
}

// reopen: the records survive closing and opening, and IDs continue.
func reopen(t *testing.T, d StoreDriver) {
	place := d.Place(t)
	s, err := d.Open(place)
	if err != nil {
		t.Fatal(err)
	}
	done := create(t, s, record("alice", storage.Keypoints, storage.Unprocessed))
	done.Status, done.Attempts, done.Result = storage.Success, 2, []byte(`[1,2,3]`)
	if done, err = s.Update(t.Context(), done, storage.Unprocessed); err != nil {
		t.Fatal(err)
	}
	open := create(t, s, record("alice", storage.Keypoints, storage.Processing))
	gone := create(t, s, record("alice", storage.Keypoints, storage.Unprocessed))
	if err := s.Delete(t.Context(), gone.Key); err != nil {
		t.Fatal(err)
	}
	before := all(t, s, "alice", storage.Keypoints)
	for range 2 {
		shut(t, s)
		if s, err = d.Open(place); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Get(t.Context(), done.Key); err != nil || !cmp.Equal(got, done) {
			t.Errorf("a record was %+v and is %+v (%v)", done, got, err)
		}
		if diff := cmp.Diff(before, all(t, s, "alice", storage.Keypoints)); diff != "" {
			t.Errorf("the list (-before +after):\n%s", diff)
		}
		var left []storage.Key
		err := s.Unfinished(t.Context(), func(r storage.Record) error { left = append(left, r.Key); return nil })
		if err != nil || !slices.Equal(left, []storage.Key{open.Key}) {
			t.Errorf("unfinished: %v (%v), want %v", left, err, open.Key)
		}
	}
	defer func() { shut(t, s) }()
	if r := create(t, s, record("alice", storage.Keypoints, "")); r.ID != gone.ID+1 {
		t.Errorf("the id after a deleted %d is %d", gone.ID, r.ID)
	}
}
