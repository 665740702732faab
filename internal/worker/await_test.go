package worker_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
)

// TestForgottenRun: a record that waits without a Run is logged once, and no other.
func TestForgottenRun(t *testing.T) {
	finish := func(context.Context) error { return nil }
	fails := func(b *bench, w *worker.Worker) { // as a host does that drops the error
		w.Workers = -1
		if err := w.Run(b.t.Context()); !errors.Is(err, storage.ErrInvalid) {
			b.t.Errorf("Run: %v", err)
		}
	}
	for _, c := range []struct {
		name   string
		before func(b *bench, w *worker.Worker)
		after  func(b *bench, w *worker.Worker, key storage.Key) // a second after each record
		told   int
	}{
		{name: "never", told: 1},
		{name: "failed", before: fails, told: 1},
		{name: "running", before: func(b *bench, w *worker.Worker) { b.runs(w) }},
		{name: "a little later", after: func(b *bench, w *worker.Worker, key storage.Key) {
			if key.ID == 1 {
				b.runs(w)
			}
		}},
		{name: "ended by a shutdown", before: func(b *bench, w *worker.Worker) { b.runs(w)() }},
		{name: "deleted", after: func(b *bench, _ *worker.Worker, key storage.Key) {
			if err := b.store.Delete(b.t.Context(), key); err != nil {
				b.t.Error(err)
			}
		}},
		{name: "taken by another process", after: func(b *bench, _ *worker.Worker, key storage.Key) {
			b.change(key, func(r *storage.Record) { r.Status = storage.Processing })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			on(t, func(t *testing.T, b *bench) {
				b.does(finish)
				w := worker.New(b.Config)
				if c.before != nil {
					c.before(b, w)
				}
				for range 3 {
					key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
					w.Await(key)
					time.Sleep(time.Second)
					if c.after != nil {
						c.after(b, w, key)
					}
					time.Sleep(time.Minute)
				}
				synctest.Wait()
				if n := strings.Count(b.log.String(), "call Run"); n != c.told {
					t.Errorf("told %d times, want %d: %s", n, c.told, &b.log)
				}
			})
		})
	}
}
