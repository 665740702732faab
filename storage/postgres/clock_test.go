package postgres_test

import (
	"testing"
	"time"

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
