package storagetest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

// backlog tests the promise of storage.Counter: every job counts once, as waiting or running.
func backlog(t *testing.T, q storage.Queue) {
	c, ok := q.(storage.Counter)
	if !ok {
		t.Skip("the queue is no Counter")
	}
	// A queue may notice the end of a job a moment after its handler returns.
	want := func(waiting, running int, when string) {
		t.Helper()
		want := storage.Backlog{Waiting: waiting, Running: running}
		for end := time.Now().Add(deadline); ; time.Sleep(time.Millisecond) { // between two calls
			got, err := c.Backlog(context.Background())
			if err == nil && got == want {
				return
			}
			if err != nil || time.Now().After(end) {
				t.Errorf("%s: %+v (%v), want %+v", when, got, err, want)
				return
			}
		}
	}
	want(0, 0, "empty")
	slow := job(3)
	slow.Slow = true
	pushAll(t, q, job(1), job(2), job(1), slow, ownersJob("bob", 4))
	want(4, 0, "pushed, one twice and one slow")

	times := map[int64]int{}
	workUntil(t, q, 1, func(j storage.Job) (bool, error) {
		times[j.ID]++
		first := times[j.ID] == 1
		done := times[1] == 2 && times[2] == 1 && times[3] == 1 && times[4] == 2
		switch {
		case j.ID == 1 && first:
			want(3, 1, "one runs")
			pushAll(t, q, j)
			want(3, 1, "it is pushed again")
		case j.ID == 2:
			return done, storage.Snooze{After: time.Hour}
		case j.ID == 4 && first:
			return false, errors.New("fault")
		}
		return done, nil
	})
	want(1, 0, "all but the one that sleeps are done")

	ahead(t, q, c)

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Backlog(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
	if _, _, err := c.Ahead(ended, job(1).Key); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context, ahead: %v", err)
	}
}

// ahead tests how many slow jobs are before one: those that run and those whose turn is earlier.
func ahead(t *testing.T, q storage.Queue, c storage.Counter) {
	long := func(owner string, id int64) storage.Job {
		j := ownersJob(owner, id)
		j.Slow = true
		return j
	}
	want := func(owner string, id int64, n int, waits bool, when string) {
		t.Helper()
		got, is, err := c.Ahead(t.Context(), long(owner, id).Key)
		if got != n && is || is != waits || err != nil {
			t.Errorf("%s: %d jobs are before %s's %d, which waits: %t (%v); want %d, %t", when, got, owner, id, is, err, n, waits)
		}
	}
	pushAll(t, q, long("carl", 11), long("carl", 12), long("carl", 13), long("dora", 14), ownersJob("carl", 15))
	want("carl", 11, 0, true, "all wait")
	want("carl", 12, 1+1, true, "all wait")
	want("carl", 13, 2+1, true, "all wait")
	want("dora", 14, 1, true, "all wait")
	want("carl", 15, 0, false, "it is not slow")
	want("carl", 16, 0, false, "there is none")
	var mu sync.Mutex
	begun, done, both := 0, 0, make(chan struct{})
	workUntil(t, q, 2, func(j storage.Job) (bool, error) {
		if !j.Slow {
			return false, nil
		}
		mu.Lock()
		begun++
		if begun == 2 {
			waiting := 0
			for _, other := range []storage.Job{long("carl", 11), long("carl", 12), long("carl", 13), long("dora", 14)} {
				n, waits, err := c.Ahead(t.Context(), other.Key)
				if waits {
					waiting++
				}
				if err != nil || waits && (n < 2 || n > 3) {
					t.Errorf("two are at work, two wait: %d are before %v (%v)", n, other.Key, err)
				}
			}
			if waiting != 2 {
				t.Errorf("two are at work: %d wait, want 2", waiting)
			}
			close(both)
		}
		mu.Unlock()
		<-both
		mu.Lock()
		defer mu.Unlock()
		done++
		return done == 4, nil
	})
}
