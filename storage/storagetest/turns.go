package storagetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

func ownersJob(owner string, id int64) storage.Job {
	return storage.Job{Key: storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}}
}

func pushAll(t *testing.T, q storage.Queue, jobs ...storage.Job) {
	t.Helper()
	for _, j := range jobs {
		if err := q.Push(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
}

// slowLater: jobs that are not slow start before slow ones, both in FIFO order.
func slowLater(t *testing.T, q storage.Queue) {
	for id := range int64(6) {
		j := job(id + 1)
		j.Slow = id < 3
		pushAll(t, q, j)
	}
	var got []int64
	workUntil(t, q, 1, func(j storage.Job) (bool, error) {
		if j.Slow != (j.ID <= 3) {
			t.Errorf("job %d comes back with Slow %v", j.ID, j.Slow)
		}
		got = append(got, j.ID)
		return len(got) == 6, nil
	})
	if !slices.Equal(got, []int64{4, 5, 6, 1, 2, 3}) {
		t.Errorf("%v, want the slow ones last", got)
	}
}

// besideSlow: while all handlers work on slow jobs, others do not wait for them, and run one at a time. No more than n slow ones run.
func besideSlow(t *testing.T, q storage.Queue) {
	const handlers, quick = 2, 30
	for id := range int64(2 * handlers) {
		slow := ownersJob("slow", id+1)
		slow.Slow = true
		pushAll(t, q, slow)
	}
	var mu sync.Mutex
	begun, beside, most, done, last := 0, 0, 0, 0, 0
	all, release := make(chan struct{}), make(chan struct{})
	go func() {
		<-all
		for id := range int64(quick) {
			if err := q.Push(context.Background(), ownersJob("busy", 100+id)); err != nil {
				t.Error(err)
			}
		}
	}()
	workUntil(t, q, handlers, func(j storage.Job) (bool, error) {
		mu.Lock()
		defer mu.Unlock()
		if j.Slow {
			if begun++; begun == handlers {
				close(all)
			}
			mu.Unlock()
			<-release
			mu.Lock()
			last++
			return last == 2*handlers, nil
		}
		if begun != handlers {
			t.Errorf("%d slow jobs run beside, want %d", begun, handlers)
		}
		beside++
		most = max(most, beside)
		mu.Unlock()
		time.Sleep(time.Millisecond)
		mu.Lock()
		beside--
		done++
		if done == quick {
			close(release)
		}
		return false, nil
	})
	if most != 1 {
		t.Errorf("%d quick jobs at a time beside slow ones, want 1", most)
	}
}

// A busy owner pushes busyJobs, the others fewJobs each. At most patience jobs of the busy owner may start before those of the
// others are done; if owners draw lots, even a third of that is extremely unlikely.
const (
	busyJobs = 1000
	fewJobs  = 10
	patience = 200
)

// ownersTakeTurns: the jobs of one owner, however many, do not delay those of others.
func ownersTakeTurns(t *testing.T, q storage.Queue, handlers int) {
	for id := range int64(busyJobs) {
		pushAll(t, q, ownersJob("busy", id+1))
	}
	for id := range int64(fewJobs) {
		pushAll(t, q, ownersJob("bob", busyJobs+id+1), ownersJob("carol", busyJobs+fewJobs+id+1))
	}
	var mu sync.Mutex
	busy, left := 0, map[string]int{"bob": fewJobs, "carol": fewJobs}
	last := map[string]int64{}
	judged, held := make(chan struct{}), 0
	workUntil(t, q, handlers, func(j storage.Job) (bool, error) {
		mu.Lock()
		if handlers == 1 && j.ID < last[j.Owner] {
			t.Errorf("%s gets %d after %d", j.Owner, j.ID, last[j.Owner])
		}
		last[j.Owner] = j.ID
		if j.Owner == "busy" {
			busy++
		} else {
			left[j.Owner]--
		}
		waiting := left["bob"]+left["carol"] > 0
		if busy < patience {
			mu.Unlock()
			return !waiting, nil
		}
		// From here on all handlers are held: one of them may have been given a job of the others long ago, and only now come to say so.
		if held++; held == handlers {
			if waiting {
				t.Errorf("%d jobs of the busy one are handed out, and of the others are left %v", busy, left)
			}
			close(judged)
		}
		mu.Unlock()
		select {
		case <-judged:
		case <-time.After(deadline):
			t.Errorf("%d jobs, and not %d at a time", busy, handlers)
		}
		return true, nil
	})
}

// manyOwners: a busy owner does not delay many owners with one job each.
func manyOwners(t *testing.T, q storage.Queue) {
	const others = 100
	for id := range int64(busyJobs) {
		pushAll(t, q, ownersJob("busy", id+1))
	}
	for id := range int64(others) {
		pushAll(t, q, ownersJob(fmt.Sprint("owner ", id), busyJobs+id+1))
	}
	busy, done := 0, 0
	workUntil(t, q, 1, func(j storage.Job) (bool, error) {
		if j.Owner != "busy" {
			done++
		} else if busy++; busy == patience {
			t.Errorf("%d jobs of the busy one are handed out, and %d of the %d others", busy, done, others)
			return true, nil
		}
		return done == others, nil
	})
}

// turnsAgain: a snoozed job does not wait for all jobs of a busy owner, and a failed one starts again, however busy the others are.
func turnsAgain(t *testing.T, q storage.Queue) {
	pushAll(t, q, ownersJob("bob", 1), ownersJob("carol", 2))
	for id := range int64(busyJobs) {
		pushAll(t, q, ownersJob("busy", id+10))
	}
	times, busy := map[string]int{}, 0
	workUntil(t, q, 1, func(j storage.Job) (bool, error) {
		if j.Owner == "busy" {
			if busy++; busy == patience && times["bob"] < 3 {
				t.Errorf("%d jobs of the busy one are handed out since what snoozed the last time", busy)
				return true, nil
			}
			return false, storage.Snooze{} // so that there is always a waiting one
		}
		times[j.Owner]++
		switch done := times["bob"] >= 3 && times["carol"] >= 2; {
		case done:
			return true, nil
		case j.Owner == "bob" && times["bob"] < 3:
			busy = 0
			return false, storage.Snooze{}
		case j.Owner == "carol" && times["carol"] < 2:
			return false, errors.New("fault")
		}
		return false, nil
	})
}

// holds: Holds reports jobs that are not done, whatever their state.
func holds(t *testing.T, q storage.Queue) {
	want := func(id int64, want bool, when string) {
		t.Helper()
		if got, err := q.Holds(context.Background(), job(id).Key); err != nil || got != want {
			t.Errorf("%s: %v (%v), want %v", when, got, err, want)
		}
	}
	want(1, false, "not pushed")
	push(t, q, 1, 2)
	want(1, true, "waiting")
	want(3, false, "another one")
	theirs := job(1).Key
	theirs.Owner = "bob"
	if got, err := q.Holds(t.Context(), theirs); err != nil || got {
		t.Errorf("another owner's: %v (%v)", got, err)
	}
	failed := false
	workUntil(t, q, 1, func(j storage.Job) (bool, error) {
		switch {
		case j.ID == 1 && !failed:
			failed = true
			want(1, true, "running")
			return false, errors.New("fault")
		case j.ID == 2:
			want(1, true, "to be handed out again")
			return false, nil
		}
		want(2, false, "done")
		return true, nil
	})
	// The queue may notice the end of the last job after its handler, but before Work returns.
	want(1, false, "all done")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.Holds(ended, job(1).Key); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}
