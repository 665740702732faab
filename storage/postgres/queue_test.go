package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
	"github.com/bodymotion/motion/storage/storagetest"
)

func queue(tb testing.TB, s *postgres.Store, opt postgres.QueueOptions) *postgres.Queue {
	tb.Helper()
	q, err := postgres.NewQueue(tb.Context(), s, opt)
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

func TestQueue(t *testing.T) {
	storagetest.Queue(t, func(t *testing.T) storage.Queue {
		return queue(t, open(t, newPlace(t)), postgres.QueueOptions{})
	})
}

func BenchmarkQueue(b *testing.B) {
	storagetest.BenchQueue(b, func(b *testing.B) storage.Queue {
		return queue(b, open(b, newPlace(b)), postgres.QueueOptions{})
	})
}

// TestPollOnly: jobs are found by looking, too.
func TestPollOnly(t *testing.T) {
	storagetest.Queue(t, func(t *testing.T) storage.Queue {
		return queue(t, open(t, newPlace(t)), postgres.QueueOptions{PollOnly: true, Poll: 20 * time.Millisecond})
	})
}

// TestTold: a Work hears of a new job without looking.
func TestTold(t *testing.T) {
	q := queue(t, open(t, newPlace(t)), postgres.QueueOptions{Poll: time.Hour})
	if err := q.Push(t.Context(), job(1)); err != nil {
		t.Fatal(err)
	}
	work(t, q, 4, func(j storage.Job) (bool, error) {
		if j.ID == 1 { // found by the first look; the next one is in an hour
			return false, q.Push(t.Context(), job(2))
		}
		return true, nil
	})
}

// TestNextAtOnce: a handler that is done gets the next job that waits, not that of the next look.
func TestNextAtOnce(t *testing.T) {
	q := queue(t, open(t, newPlace(t)), postgres.QueueOptions{Poll: time.Hour})
	const jobs = 10
	for id := range int64(jobs) {
		if err := q.Push(t.Context(), job(id+1)); err != nil {
			t.Fatal(err)
		}
	}
	done := 0
	work(t, q, 1, func(storage.Job) (bool, error) {
		done++
		return done == jobs, nil
	})
}

func job(id int64) storage.Job {
	return storage.Job{Key: storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: id}}
}

// work runs Work with n handlers until handle has returned true.
func work(t *testing.T, q storage.Queue, n int, handle func(storage.Job) (done bool, err error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	finished := false
	var mu sync.Mutex
	err := q.Work(ctx, n, func(_ context.Context, j storage.Job) error {
		mu.Lock()
		defer mu.Unlock()
		done, err := handle(j)
		if done {
			finished = true
			cancel()
		}
		return err
	})
	if err != nil || !finished {
		t.Fatalf("finished: %v (%v)", finished, err)
	}
}

func TestJobCreator(t *testing.T) {
	storagetest.JobCreator(t, func(t *testing.T) (storage.Store, storage.JobCreator) {
		s := open(t, newPlace(t))
		return s, queue(t, s, postgres.QueueOptions{})
	})
}

// TestQuickJobsFirst: those that are not slow are handed out first, each in order.
func TestQuickJobsFirst(t *testing.T) {
	q := queue(t, open(t, newPlace(t)), postgres.QueueOptions{})
	r := storage.Record{Key: storage.Key{Owner: "alice", Kind: storage.Keypoints}, Status: storage.Unprocessed}
	for i := range 4 {
		if _, err := q.CreateWithJob(t.Context(), r, i < 2); err != nil {
			t.Fatal(err)
		}
	}
	var got []int64
	work(t, q, 1, func(j storage.Job) (bool, error) {
		got = append(got, j.ID)
		return len(got) == 4, nil
	})
	if !slices.Equal(got, []int64{3, 4, 1, 2}) {
		t.Errorf("%v, want the quick ones first", got)
	}
}

// TestPushedWhileRunning: such a job is handed out once more.
func TestPushedWhileRunning(t *testing.T) {
	q := queue(t, open(t, newPlace(t)), postgres.QueueOptions{})
	if err := q.Push(t.Context(), job(1)); err != nil {
		t.Fatal(err)
	}
	count := 0
	work(t, q, 2, func(j storage.Job) (bool, error) {
		if count++; count == 3 {
			return true, nil
		}
		return false, q.Push(t.Context(), j)
	})
}

func TestDead(t *testing.T) {
	q := queue(t, open(t, newPlace(t)), postgres.QueueOptions{MaxAttempts: 2})
	if err := q.Push(t.Context(), job(1)); err != nil {
		t.Fatal(err)
	}
	count := 0
	die := func() {
		work(t, q, 1, func(storage.Job) (bool, error) {
			count++
			return count%2 == 0, fmt.Errorf("fault %d", count)
		})
	}
	for round := range 2 {
		die()
		dead, err := q.Dead(t.Context(), 10)
		if err != nil || len(dead) != 1 || dead[0].Job != job(1) || dead[0].Attempts != 2 || dead[0].Error != fmt.Sprint("fault ", count) || time.Since(dead[0].At) > time.Minute {
			t.Fatalf("%+v (%v)", dead, err)
		}
		if err := q.Push(t.Context(), job(1)); err != nil {
			t.Fatal(err)
		}
		if dead, err = q.Dead(t.Context(), 10); err != nil || len(dead) != 0 {
			t.Errorf("round %d: after a push %+v are dead (%v)", round, dead, err)
		}
	}
}

func TestQueueOptions(t *testing.T) {
	s := open(t, newPlace(t))
	for _, opt := range []postgres.QueueOptions{{Lease: time.Millisecond}, {Lease: -1}, {Poll: -1}, {Poll: time.Microsecond}, {MaxAttempts: -1}, {MaxAttempts: 1 << 20}} {
		if _, err := postgres.NewQueue(t.Context(), s, opt); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	q := queue(t, s, postgres.QueueOptions{})
	if err := q.Work(t.Context(), 0, nil); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("no handlers: %v", err)
	}
	// Several at once bring the schema of a new queue up.
	place := newPlace(t)
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			s, err := openPlace(place)
			if err == nil {
				defer s.Close()
				_, err = postgres.NewQueue(t.Context(), s, postgres.QueueOptions{})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
