package upkeep_test

import (
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

// TestRequeue: what is unfinished and has no job gets one; what is finished gets none.
func TestRequeue(t *testing.T) {
	k, _ := newKeeper()
	held := create(t, k, owner, storage.Keypoints, storage.Unprocessed, "{}")
	lost := create(t, k, owner, storage.Keypoints, storage.Processing, `{"slow":true}`)
	done := create(t, k, owner, storage.Keypoints, storage.Success, "{}")
	if err := k.Queue.Push(t.Context(), storage.Job{Key: held}); err != nil {
		t.Fatal(err)
	}
	if err := k.Requeue(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	if got, err := k.Queue.Holds(t.Context(), lost); got || err != nil {
		t.Errorf("too early: %v (%v)", got, err)
	}
	for range 2 {
		if err := k.Requeue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		for key, want := range map[storage.Key]bool{held: true, lost: true, done: false} {
			if got, err := k.Queue.Holds(t.Context(), key); got != want || err != nil {
				t.Errorf("%v: %v (%v), want %v", key, got, err, want)
			}
		}
		if b, err := k.Queue.(storage.Counter).Backlog(t.Context()); b.Waiting != 2 || err != nil {
			t.Errorf("%+v (%v), want 2 waiting", b, err)
		}
	}
}
