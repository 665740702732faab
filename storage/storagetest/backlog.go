package storagetest

import (
	"context"
	"errors"
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

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Backlog(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}
