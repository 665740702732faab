// Package storagetest holds the suites that test every promise of the interfaces in
// package storage. A driver's own test is a call of each:
//
//	func TestStore(t *testing.T) {
//		storagetest.Store(t, func(t *testing.T) storage.Store { return memory.NewStore(memory.StoreOptions{}) })
//	}
package storagetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

func record(owner string, kind storage.Kind, status storage.Status) storage.Record {
	return storage.Record{Key: storage.Key{Owner: owner, Kind: kind}, Status: status, Data: []byte(`{"a":1}`)}
}

func create(t *testing.T, s storage.Store, r storage.Record) storage.Record {
	t.Helper()
	r, err := s.Create(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func second[T any](_ T, err error) error { return err }

// Store tests a storage.Store; open returns an empty one.
func Store(t *testing.T, open func(t *testing.T) storage.Store) {
	t.Run("create and get", func(t *testing.T) { createAndGet(t, open(t)) })
	t.Run("ownership", func(t *testing.T) { ownership(t, open(t)) })
	t.Run("update", func(t *testing.T) { update(t, open(t)) })
	t.Run("compare and set", func(t *testing.T) { compareAndSet(t, open(t)) })
	t.Run("list", func(t *testing.T) { list(t, open(t)) })
	t.Run("delete", func(t *testing.T) { deletion(t, open(t)) })
	t.Run("unfinished", func(t *testing.T) { unfinished(t, open(t)) })
	t.Run("ended context", func(t *testing.T) { endedContext(t, open(t)) })
	t.Run("many at once", func(t *testing.T) { manyAtOnce(t, open(t)) })
}

func createAndGet(t *testing.T, s storage.Store) {
	data := []byte(`{"name":"x"}`)
	in := record("alice", storage.Movies, "")
	in.ID, in.Data = 99, data
	before := time.Now().Add(-time.Second)
	r := create(t, s, in)
	data[2] = 'X' // the store must not share it
	if r.ID != 1 || r.Owner != "alice" || r.Kind != storage.Movies {
		t.Errorf("created %+v", r.Key)
	}
	if r.CreatedAt.Before(before) || !r.CreatedAt.Equal(r.UpdatedAt) || r.CreatedAt.Location() != time.UTC || r.CreatedAt.Nanosecond()%1000 != 0 {
		t.Errorf("times %v and %v", r.CreatedAt, r.UpdatedAt)
	}
	got, err := s.Get(t.Context(), r.Key)
	if err != nil || string(got.Data) != `{"name":"x"}` || !got.CreatedAt.Equal(r.CreatedAt) {
		t.Fatalf("got %+v (%v)", got, err)
	}
	got.Data[2] = 'Y'
	if again, err := s.Get(t.Context(), r.Key); err != nil || string(again.Data) != `{"name":"x"}` {
		t.Errorf("the store shares its bytes: %s (%v)", again.Data, err)
	}
	if other := create(t, s, record("bob", storage.Movies, "")); other.ID != 2 {
		t.Errorf("ids are given per kind, not per owner: %d", other.ID)
	}
	if other := create(t, s, record("bob", storage.Images, "")); other.ID != 1 {
		t.Errorf("another kind begins at %d", other.ID)
	}
}

func ownership(t *testing.T, s storage.Store) {
	r := create(t, s, record("alice", storage.Keypoints, storage.Unprocessed))
	theirs := r
	theirs.Owner = "bob"
	for name, err := range map[string]error{
		"get":    second(s.Get(t.Context(), theirs.Key)),
		"update": second(s.Update(t.Context(), theirs, storage.Unprocessed)),
		"delete": s.Delete(t.Context(), theirs.Key),
		"id":     second(s.Get(t.Context(), storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: 7})),
		"kind":   second(s.Get(t.Context(), storage.Key{Owner: "alice", Kind: storage.Drawings, ID: r.ID})),
	} {
		if !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", name, err)
		}
	}
	if list, total, err := s.List(t.Context(), "bob", storage.Keypoints, storage.Filter{Limit: 10}); err != nil || total != 0 || len(list) != 0 {
		t.Errorf("bob sees %v (%v)", list, err)
	}
	if _, err := s.Get(t.Context(), r.Key); err != nil {
		t.Errorf("the owner: %v", err)
	}
}

func update(t *testing.T, s storage.Store) {
	r := create(t, s, record("alice", storage.Keypoints, storage.Unprocessed))
	r.Status, r.Attempts = storage.Processing, 1
	next, err := s.Update(t.Context(), r, storage.Unprocessed)
	if err != nil || next.Status != storage.Processing || next.Attempts != 1 || !next.UpdatedAt.After(r.UpdatedAt) || !next.CreatedAt.Equal(r.CreatedAt) {
		t.Fatalf("%+v (%v)", next, err)
	}
	if _, err := s.Update(t.Context(), r, storage.Unprocessed); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("from another status: %v, want ErrConflict", err)
	}
	next.Status, next.Failure, next.Result, next.Data = storage.Failure, "why", []byte("[1]"), []byte("{}")
	if _, err := s.Update(t.Context(), next, storage.Processing); err != nil {
		t.Fatal(err)
	}
	got, err := s.Get(t.Context(), r.Key)
	if err != nil || got.Failure != "why" || string(got.Result) != "[1]" || string(got.Data) != "{}" {
		t.Errorf("%+v (%v)", got, err)
	}
	list, _, err := s.List(t.Context(), "alice", storage.Keypoints, storage.Filter{Limit: 1})
	if err != nil || len(list) != 1 || list[0].Result != nil || string(list[0].Data) != "{}" {
		t.Errorf("lists come without results: %+v (%v)", list, err)
	}
}

func compareAndSet(t *testing.T, s storage.Store) {
	for range 100 {
		r := create(t, s, record("alice", storage.Keypoints, storage.Unprocessed))
		var won atomic.Int32
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				mine := r
				mine.Status, mine.Attempts = storage.Processing, i
				switch _, err := s.Update(context.Background(), mine, storage.Unprocessed); {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, storage.ErrConflict):
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d of 4 won", won.Load())
		}
	}
}

func list(t *testing.T, s storage.Store) {
	for i := range 25 {
		status := storage.Success
		if i%5 == 0 {
			status = storage.Failure
		}
		create(t, s, record("alice", storage.Drawings, status))
		create(t, s, record("bob", storage.Drawings, status))
	}
	var seen []int64
	for offset := 0; ; offset += 10 {
		page, total, err := s.List(t.Context(), "alice", storage.Drawings, storage.Filter{Offset: offset, Limit: 10})
		if err != nil || total != 25 {
			t.Fatalf("total %d (%v)", total, err)
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			seen = append(seen, r.ID)
		}
	}
	falling := slices.IsSortedFunc(seen, func(a, b int64) int { return int(b - a) })
	if len(seen) != 25 || !falling || len(slices.Compact(seen)) != 25 {
		t.Errorf("newest first, each once: %v", seen)
	}
	page, total, err := s.List(t.Context(), "alice", storage.Drawings, storage.Filter{Status: storage.Failure, Offset: 1, Limit: 3})
	if err != nil || total != 5 || len(page) != 3 || page[0].Status != storage.Failure {
		t.Errorf("failures: %d of %d (%v)", len(page), total, err)
	}
	for _, f := range []storage.Filter{{Limit: 0}, {Offset: -1, Limit: 1}} {
		if _, _, err := s.List(t.Context(), "alice", storage.Drawings, f); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

func deletion(t *testing.T, s storage.Store) {
	create(t, s, record("alice", storage.Movies, ""))
	r := create(t, s, record("alice", storage.Movies, ""))
	if err := s.Delete(t.Context(), r.Key); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), r.Key); !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("again: %v", err)
	}
	if _, total, err := s.List(t.Context(), "alice", storage.Movies, storage.Filter{Limit: 9}); err != nil || total != 1 {
		t.Errorf("%d left (%v)", total, err)
	}
	if next := create(t, s, record("alice", storage.Movies, "")); next.ID != 3 {
		t.Errorf("the id after a deleted 2 is %d", next.ID)
	}
}

func unfinished(t *testing.T, s storage.Store) {
	var want []storage.Key
	for i, status := range []storage.Status{storage.Unprocessed, storage.Success, storage.Processing, storage.Failure, "", storage.Unprocessed} {
		r := create(t, s, record(fmt.Sprint("client", i), []storage.Kind{storage.Keypoints, storage.Drawings}[i%2], status))
		if status == storage.Unprocessed || status == storage.Processing {
			want = append(want, r.Key)
		}
	}
	var got []storage.Key
	err := s.Unfinished(t.Context(), func(r storage.Record) error {
		got = append(got, r.Key)
		return second(s.Get(t.Context(), r.Key)) // the store may be used
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v (%v), want %v", got, err, want)
	}
	stop := errors.New("stop")
	if err := s.Unfinished(t.Context(), func(storage.Record) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("fn's error: %v", err)
	}
}

func endedContext(t *testing.T, s storage.Store) {
	r := create(t, s, record("alice", storage.Keypoints, storage.Unprocessed))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"create": second(s.Create(ctx, record("alice", storage.Movies, ""))),
		"get":    second(s.Get(ctx, r.Key)),
		"update": second(s.Update(ctx, r, storage.Unprocessed)),
		"delete": s.Delete(ctx, r.Key),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := s.Get(t.Context(), r.Key); err != nil || !got.UpdatedAt.Equal(r.UpdatedAt) {
		t.Errorf("a refused call changed something: %+v (%v)", got, err)
	}
}

func manyAtOnce(t *testing.T, s storage.Store) {
	var mu sync.Mutex
	ids := map[int64]bool{}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				r, err := s.Create(context.Background(), record("alice", storage.Movies, ""))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				ids[r.ID] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(ids) != 400 {
		t.Errorf("%d different ids for 400 records", len(ids))
	}
}
