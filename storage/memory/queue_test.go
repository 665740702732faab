package memory_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// worked has one handler of a queue work in a bubble of its own time, until it has handed out n jobs.
func worked(t *testing.T, q storage.Counter, n int, handle func(storage.Job) error) (order []int64) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var mu sync.Mutex
	err := q.Work(ctx, 1, func(_ context.Context, j storage.Job) error {
		mu.Lock()
		if order = append(order, j.ID); len(order) == n {
			cancel()
		}
		mu.Unlock()
		return handle(j)
	})
	if err != nil {
		t.Fatal(err)
	}
	return order
}

func pushed(t *testing.T, q storage.Counter, slow bool, ids ...int64) {
	t.Helper()
	for _, id := range ids {
		if err := q.Push(t.Context(), storage.Job{Key: storage.Key{Owner: "a", Kind: storage.Keypoints, ID: id}, Slow: slow}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestShare: slow jobs wait for quick ones, but not for ever: for 5 s, then for as long as the last
// slow one took, of which those count that ran beside it.
func TestShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := memory.NewQueue(memory.QueueOptions{})
		pushed(t, q, false, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)
		pushed(t, q, true, 100, 101, 102)
		got := worked(t, q, 23, func(j storage.Job) error {
			if time.Sleep(time.Second); j.Slow {
				time.Sleep(6500 * time.Millisecond)
			}
			return nil
		})
		if want := []int64{1, 2, 3, 4, 5, 100, 6, 7, 8, 9, 10, 11, 12, 13, 101, 14, 15, 16, 17, 18, 19, 20, 102}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// TestWake: a job that snoozes wakes up when it is pushed, also if that was while it still ran, and
// is handed out once.
func TestWake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, start := memory.NewQueue(memory.QueueOptions{}), time.Now()
		pushed(t, q, false, 1, 2)
		calls := map[int64]int{}
		got := worked(t, q, 5, func(j storage.Job) error {
			switch calls[j.ID]++; {
			case j.ID == 1 && calls[1] == 1: // asleep when job 2 pushes it
				return storage.Snooze{After: time.Hour}
			case j.ID == 2 && calls[2] == 1:
				pushed(t, q, false, 1, 1, 2)
				return storage.Snooze{After: time.Hour}
			case j.ID == 1 && calls[1] == 2:
				pushed(t, q, false, 3)
			}
			return nil
		})
		if want := []int64{1, 2, 1, 2, 3}; !slices.Equal(got, want) || time.Since(start) >= time.Hour {
			t.Errorf("%v after %v, want %v at once", got, time.Since(start), want)
		}
		if b, err := q.Backlog(t.Context()); err != nil || b != (storage.Backlog{}) {
			t.Errorf("%+v are left (%v)", b, err)
		}
	})
}
