package worker_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// crashingStore panics in the calls before left of each method, of which "Update" counts those to a status.
type crashingStore struct {
	storage.Store
	method string
	left   *atomic.Int32
}

func (s crashingStore) crash(method string) {
	if s.method == method && s.left.Add(-1) >= 0 {
		panic("the driver has a bug")
	}
}

func (s crashingStore) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	s.crash("Get")
	return s.Store.Get(ctx, key)
}

func (s crashingStore) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	s.crash("Update")
	s.crash("Update to " + string(r.Status))
	return s.Store.Update(ctx, r, from)
}

// TestPanics: a panic outside of the work, of the Store or of Finished, neither ends the process nor is the job
// tried for ever. The stack is in the log.
func TestPanics(t *testing.T) {
	for _, c := range []struct {
		method   string
		times    int32
		status   storage.Status
		failure  string
		attempts int
	}{
		{"Get", 1, storage.Success, "", 2},
		{"Get", 1e6, storage.Failure, fault, 3},
		{"Update to PROCESSING", 1, storage.Success, "", 2},
		{"Update to PROCESSING", 1e6, storage.Failure, fault, 3},
		{"Update to SUCCESS", 1, storage.Success, "", 2},
		{"Update to SUCCESS", 1e6, storage.Failure, fault, 3},
		{"Update", 1e6, storage.Unprocessed, "", 0}, // nothing can be written: it waits, as for an outage
	} {
		on(t, func(t *testing.T, b *bench) {
			var left atomic.Int32
			left.Store(c.times)
			b.Store = crashingStore{b.store, c.method, &left}
			b.does(func(context.Context) error { return nil })
			key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
			_, stop := b.run()
			b.want(key, c.status, c.failure, c.attempts)
			stop()
			if log := b.log.String(); !strings.Contains(log, "stack=") || !strings.Contains(log, "crashingStore") {
				t.Errorf("%s, %d times: logged %s", c.method, c.times, log)
			}
		})
	}
	on(t, func(t *testing.T, b *bench) {
		b.Finished = func(storage.Record) { panic("the host has a bug") }
		b.does(func(context.Context) error { return nil })
		key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
		_, stop := b.run()
		b.want(key, storage.Success, "", 1)
		stop()
		if log := b.log.String(); strings.Count(log, "the host has a bug") != 1 || !strings.Contains(log, "TestPanics") {
			t.Errorf("Finished: logged %s", log)
		}
	})
}
