package storagetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

// JobCreator tests a storage.JobCreator; open returns an empty one and its Store.
func JobCreator(t *testing.T, open func(t *testing.T) (storage.Store, storage.JobCreator)) {
	t.Run("stores", func(t *testing.T) {
		s, q := open(t)
		other, _ := open(t)
		if !q.CreatesIn(s) || q.CreatesIn(other) || q.CreatesIn(nil) {
			t.Error("it creates in one store, which is its own")
		}
		if !q.CreatesIn(decorated{decorated{s}}) || q.CreatesIn(decorated{other}) || q.CreatesIn(struct{ storage.Store }{s}) {
			t.Error("it creates in its own store when that is decorated by Stores with Unwrap, and in no other")
		}
	})
	t.Run("both or neither", func(t *testing.T) { s, q := open(t); bothOrNeither(t, s, q) })
}

// decorated is a store that a host decorates.
type decorated struct{ storage.Store }

func (d decorated) Unwrap() storage.Store { return d.Store }

// bothOrNeither: every created record has a job, and there are no other jobs.
func bothOrNeither(t *testing.T, s storage.Store, q storage.JobCreator) {
	for _, r := range []storage.Record{record("", storage.Movies, ""), record("alice", "", "")} {
		if _, err := q.CreateWithJob(t.Context(), r, false); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%+v: %v, want ErrInvalid", r.Key, err)
		}
	}
	var mu sync.Mutex
	waiting := map[storage.Key]bool{}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 5))
			for i := range 40 {
				ctx, cancel := context.Background(), func() {}
				if i%4 != 0 {
					ctx, cancel = context.WithTimeout(ctx, time.Duration(random.IntN(3000))*time.Microsecond)
				}
				r, err := q.CreateWithJob(ctx, record("alice", storage.Keypoints, storage.Unprocessed), i%2 == 0)
				if err == nil {
					mu.Lock()
					waiting[r.Key] = true
					mu.Unlock()
				} else if !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	list := all(t, s, "alice", storage.Keypoints)
	for _, r := range list {
		if !waiting[r.Key] || r.Status != storage.Unprocessed {
			t.Errorf("a record of no call that has returned one: %+v", r.Key)
		}
	}
	if len(list) != len(waiting) {
		t.Errorf("%d records of %d calls", len(list), len(waiting))
	}
	// A last job ends the work: it is slow and so starts after all others.
	last, err := q.CreateWithJob(t.Context(), record("alice", storage.Keypoints, storage.Unprocessed), true)
	if err != nil {
		t.Fatal(err)
	}
	workUntil(t, q, 1, func(j storage.Job) (bool, error) {
		if j.Key == last.Key {
			return true, nil
		}
		if !waiting[j.Key] {
			t.Errorf("a job of no record, or twice: %+v", j.Key)
		}
		delete(waiting, j.Key)
		return false, nil
	})
	if len(waiting) != 0 {
		t.Errorf("%d records have no job", len(waiting))
	}
}
