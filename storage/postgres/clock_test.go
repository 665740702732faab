package postgres_test

import (
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
)

// TestServerTime: pauses are those of the process, at the time of the server, however wrong the clock of the process is.
func TestServerTime(t *testing.T) {
	server := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	for _, wrong := range []time.Duration{-time.Hour, 0, time.Hour} {
		local := server.Add(wrong)
		if got := postgres.ServerTime(local, server, local.Add(2*time.Second)); !got.Equal(server.Add(2 * time.Second)) {
			t.Errorf("clock wrong by %v: %v", wrong, got)
		}
	}
	now := time.Now()
	if got := postgres.ServerTime(now, server, now.UTC().Add(2*time.Second)); !got.Equal(server.Add(2 * time.Second)) {
		t.Errorf("with the monotonic clock: %v", got)
	}
	if at := server.Add(time.Minute); !postgres.ServerTime(time.Time{}, time.Time{}, at).Equal(at) {
		t.Error("before it is set, the time of the process changes")
	}
}

// TestPushedAt: a job gets the time of the server, so that one which a process with a fast clock pushes is not handed out an hour later.
func TestPushedAt(t *testing.T) {
	s := open(t, newPlace(t))
	q := queue(t, s, postgres.QueueOptions{})
	now := time.Now()
	server := now.Add(-time.Hour)
	q.SetClock(now, server)
	if err := q.Push(t.Context(), storage.Job{Key: storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: 1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := q.CreateWithJob(t.Context(), storage.Record{Key: storage.Key{Owner: "alice", Kind: storage.Drawings}, Status: storage.Unprocessed}, true); err != nil {
		t.Fatal(err)
	}
	if all, late := s.JobsAfter(t, server.Add(time.Minute)); all != 2 || late != 0 {
		t.Errorf("%d of %d jobs have the time of the process", late, all)
	}
}
