package storagetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

// compareAndSet: of two writers, exactly one succeeds in each round.
func compareAndSet(t *testing.T, a, b storage.Store, rounds int) {
	for range rounds {
		r := create(t, a, record("alice", storage.Keypoints, storage.Unprocessed))
		var won atomic.Int32
		var wg sync.WaitGroup
		for i, s := range []storage.Store{a, b} {
			wg.Go(func() {
				mine := r
				mine.Status, mine.Attempts = storage.Processing, i+1
				switch _, err := s.Update(context.Background(), mine, storage.Unprocessed); {
				case err == nil:
					won.Add(int32(i + 1))
				case !errors.Is(err, storage.ErrConflict):
					t.Error(err)
				}
			})
		}
		wg.Wait()
		got, err := b.Get(t.Context(), r.Key)
		if err != nil || (won.Load() != 1 && won.Load() != 2) || got.Attempts != int(won.Load()) {
			t.Fatalf("the sum of the winners is %d, and the record holds what writer %d wrote (%v)", won.Load(), got.Attempts, err)
		}
	}
}

// manyAtOnce: IDs are unique and grow in every goroutine, while others read.
func manyAtOnce(t *testing.T, a, b storage.Store) {
	var mu sync.Mutex
	ids := map[int64]bool{}
	var wg sync.WaitGroup
	for i := range 8 {
		s := []storage.Store{a, b}[i%2]
		wg.Go(func() {
			last := int64(0)
			for range 50 {
				r, err := s.Create(context.Background(), record("alice", storage.Movies, storage.Unprocessed))
				if err != nil {
					t.Error(err)
					return
				}
				if r.ID <= last {
					t.Errorf("the id %d was given after %d", r.ID, last)
				}
				last = r.ID
				if got, err := s.Get(context.Background(), r.Key); err != nil || got.ID != r.ID {
					t.Errorf("read after write: %+v (%v)", got.Key, err)
				}
				mu.Lock()
				ids[r.ID] = true
				mu.Unlock()
			}
		})
		wg.Go(func() {
			least := 0
			for range 25 {
				page, total, err := s.List(context.Background(), "alice", storage.Movies, storage.Filter{Limit: 20})
				if err != nil || total < least || len(page) != min(20, total) {
					t.Errorf("listed %d of %d records, at least %d before (%v)", len(page), total, least, err)
					return
				}
				least = total
			}
		})
	}
	wg.Wait()
	if len(ids) != 400 {
		t.Errorf("%d different ids for 400 records", len(ids))
	}
}

func endedContext(t *testing.T, s storage.Store) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Unfinished(canceled, func(storage.Record) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("unfinished, of which there are none: %v", err)
	}
	r := create(t, s, record("alice", storage.Keypoints, storage.Unprocessed))
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for _, ctx := range []context.Context{canceled, late} {
		for name, err := range map[string]error{
			"create": second(s.Create(ctx, record("alice", storage.Keypoints, ""))),
			"get":    second(s.Get(ctx, r.Key)),
			"head":   second(s.Head(ctx, r.Key)),
			"update": second(s.Update(ctx, r, storage.Unprocessed)),
			"delete": s.Delete(ctx, r.Key),
			"list": func() error {
				_, _, err := s.List(ctx, "alice", storage.Keypoints, storage.Filter{Limit: 1})
				return err
			}(),
			"unfinished": s.Unfinished(ctx, func(storage.Record) error { t.Error("fn is called"); return nil }),
		} {
			if !errors.Is(err, ctx.Err()) {
				t.Errorf("%s: %v, want %v", name, err, ctx.Err())
			}
		}
	}
	if got, err := s.Get(t.Context(), r.Key); err != nil || !got.UpdatedAt.Equal(r.UpdatedAt) {
		t.Errorf("a refused call changed something: %+v (%v)", got, err)
	}
	if _, total, err := s.List(t.Context(), "alice", storage.Keypoints, storage.Filter{Limit: 1}); err != nil || total != 1 {
		t.Errorf("%d records (%v), want 1", total, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	create(t, s, record("alice", storage.Keypoints, storage.Unprocessed))
	err := s.Unfinished(ctx, func(storage.Record) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("unfinished goes on after the context's end: %v", err)
	}
}

// contextEnds: a call whose context ends has either done its work and returns nil, or has changed nothing and returns the context's error.
func contextEnds(t *testing.T, s storage.Store) {
	kept := create(t, s, record("alice", storage.Keypoints, storage.Unprocessed))
	var made, updated atomic.Int64
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 5))
			for range 100 {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(random.IntN(800))*time.Microsecond)
				_, err := s.Create(ctx, record("alice", storage.Movies, ""))
				if err == nil {
					made.Add(1)
				} else if !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	wg.Go(func() {
		random := rand.New(rand.NewPCG(9, 5))
		for range 100 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(random.IntN(800))*time.Microsecond)
			next := kept
			next.Attempts++
			if r, err := s.Update(ctx, next, storage.Unprocessed); err == nil {
				kept = r
				updated.Add(1)
			} else if !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			cancel()
		}
	})
	wg.Wait()
	if _, total, err := s.List(t.Context(), "alice", storage.Movies, storage.Filter{Limit: 1}); err != nil || total != int(made.Load()) {
		t.Errorf("%d records (%v), and %d calls of Create have returned one", total, err, made.Load())
	}
	if got, err := s.Get(t.Context(), kept.Key); err != nil || got.Attempts != int(updated.Load()) {
		t.Errorf("%d updates are kept (%v), and %d have returned", got.Attempts, err, updated.Load())
	}
}
