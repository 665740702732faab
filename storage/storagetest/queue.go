package storagetest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

func job(id int64) storage.Job {
	return storage.Job{Key: storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: id}}
}

func push(t *testing.T, q storage.Queue, ids ...int64) {
	t.Helper()
	for _, id := range ids {
		if err := q.Push(t.Context(), job(id)); err != nil {
			t.Fatal(err)
		}
	}
}

// deadline is the time limit for events that must happen.
const deadline = 20 * time.Second

// workUntil works with n handlers until handle returns true.
func workUntil(t *testing.T, q storage.Queue, n int, handle func(storage.Job) (done bool, err error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	var finished atomic.Bool
	err := q.Work(ctx, n, func(_ context.Context, j storage.Job) error {
		done, err := handle(j)
		if done {
			finished.Store(true)
			cancel()
		}
		return err
	})
	if err != nil || !finished.Load() {
		t.Fatalf("finished: %v (%v)", finished.Load(), err)
	}
}

// Queue tests a storage.Queue; open returns an empty one.
func Queue(t *testing.T, open func(t *testing.T) storage.Queue) {
	t.Run("order", func(t *testing.T) { order(t, open(t)) })
	t.Run("errors come again, later and later", func(t *testing.T) { again(t, open(t)) })
	t.Run("snooze", func(t *testing.T) { snooze(t, open(t)) })
	t.Run("one handler a job, at most n at a time", func(t *testing.T) { exclusive(t, open(t)) })
	t.Run("drain", func(t *testing.T) { drain(t, open(t)) })
	t.Run("no handlers", func(t *testing.T) {
		if err := open(t).Work(t.Context(), 0, nil); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%v, want ErrInvalid", err)
		}
	})
	t.Run("several Works", func(t *testing.T) { severalWorks(t, open(t)) })
	t.Run("slow jobs come later", func(t *testing.T) { slowLater(t, open(t)) })
	t.Run("a quick job beside slow ones", func(t *testing.T) { besideSlow(t, open(t)) })
	t.Run("owners take turns", func(t *testing.T) { ownersTakeTurns(t, open(t), 1) })
	t.Run("owners take turns, several at a time", func(t *testing.T) { ownersTakeTurns(t, open(t), 4) })
	t.Run("many owners take turns", func(t *testing.T) { manyOwners(t, open(t)) })
	t.Run("owners take turns with what comes again", func(t *testing.T) { turnsAgain(t, open(t)) })
	t.Run("holds", func(t *testing.T) { holds(t, open(t)) })
	t.Run("backlog", func(t *testing.T) { backlog(t, open(t)) })
}

func order(t *testing.T, q storage.Queue) {
	push(t, q, 1, 2, 3, 2, 1, 4)
	var got []int64
	workUntil(t, q, 1, func(j storage.Job) (bool, error) {
		got = append(got, j.ID)
		return len(got) == 4, nil
	})
	if !slices.Equal(got, []int64{1, 2, 3, 4}) {
		t.Errorf("%v: each waiting job must start once, in order", got)
	}
}

func again(t *testing.T, q storage.Queue) {
	push(t, q, 1)
	var at []time.Time
	workUntil(t, q, 1, func(storage.Job) (bool, error) {
		if at = append(at, time.Now()); len(at) < 4 {
			return false, errors.New("fault")
		}
		return true, nil
	})
	if first, last := at[1].Sub(at[0]), at[3].Sub(at[2]); last <= first {
		t.Errorf("pauses of %v and then %v", first, last)
	}
}

func snooze(t *testing.T, q storage.Queue) {
	push(t, q, 1)
	var at []time.Time
	workUntil(t, q, 1, func(storage.Job) (bool, error) {
		if at = append(at, time.Now()); len(at) < 3 {
			return false, storage.Snooze{After: 30 * time.Millisecond}
		}
		return true, nil
	})
	if pause := at[1].Sub(at[0]); pause < 30*time.Millisecond {
		t.Errorf("handed out again after %v, want 30 ms", pause)
	}
}

func exclusive(t *testing.T, q storage.Queue) {
	const jobs, handlers = 60, 4
	for id := range int64(jobs) {
		push(t, q, id+1)
	}
	var mu sync.Mutex
	running, most, done := map[int64]bool{}, 0, 0
	workUntil(t, q, handlers, func(j storage.Job) (bool, error) {
		mu.Lock()
		if running[j.ID] {
			t.Errorf("job %d runs twice at a time", j.ID)
		}
		running[j.ID] = true
		most = max(most, len(running))
		mu.Unlock()
		if j.ID <= 5 { // pushed while it runs: must not start before this handler returns
			if err := q.Push(context.Background(), j); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(time.Millisecond) // so that handlers overlap
		mu.Lock()
		defer mu.Unlock()
		delete(running, j.ID)
		done++
		return done >= jobs, nil
	})
	if most > handlers {
		t.Errorf("%d at a time, want at most %d", most, handlers)
	}
}

func drain(t *testing.T, q storage.Queue) {
	push(t, q, 1)
	ctx, cancel := context.WithCancel(t.Context())
	started, release, returned := make(chan context.Context), make(chan struct{}), make(chan error, 1)
	go func() {
		returned <- q.Work(ctx, 2, func(jobCtx context.Context, _ storage.Job) error {
			started <- jobCtx
			<-release
			return nil
		})
	}()
	jobCtx := <-started
	cancel()
	select {
	case err := <-returned:
		t.Fatalf("Work returned %v while a handler was running", err)
	default:
	}
	if jobCtx.Err() != nil {
		t.Error("the handler's context ends with Work's")
	}
	close(release)
	if err := <-returned; err != nil {
		t.Error(err)
	}
}

func severalWorks(t *testing.T, q storage.Queue) {
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	var done atomic.Int32
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			err := q.Work(ctx, 2, func(context.Context, storage.Job) error {
				if done.Add(1) == 30 {
					cancel()
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for id := range int64(30) {
		push(t, q, id+1)
	}
	wg.Wait()
	if done.Load() != 30 {
		t.Errorf("%d of 30 jobs were done", done.Load())
	}
}
