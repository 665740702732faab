package worker_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
)

// TestOutageIsNoAttempt: storage that is unavailable costs a job time, and nothing else.
func TestOutageIsNoAttempt(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		b.MaxAttempts = 1
		n := 0
		b.does(func(context.Context) error {
			if n++; n <= 5 {
				return fmt.Errorf("blobs: %w", storage.ErrUnavailable)
			}
			return nil
		})
		key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
		b.run()
		b.want(key, storage.Success, "", 1)
		if n != 6 {
			t.Errorf("%d starts, want 6", n)
		}
	})
}

// awayStore cannot be reached for some final updates; with lost they are made, and the answer
// is lost.
type awayStore struct {
	storage.Store
	left *atomic.Int32
	lost bool
}

func (s awayStore) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	if r.Status.Final() && s.left.Add(-1) >= 0 {
		if s.lost {
			s.Store.Update(ctx, r, from)
		}
		return storage.Record{}, storage.ErrUnavailable
	}
	return s.Store.Update(ctx, r, from)
}

// TestEndIsKept: the result of a job outlives a store that is unavailable when it is done, and
// one that keeps it and whose answer is lost; the work is done once.
func TestEndIsKept(t *testing.T) {
	for _, lost := range []bool{false, true} {
		on(t, func(t *testing.T, b *bench) {
			var outage atomic.Int32
			outage.Store(2)
			b.Store = awayStore{b.store, &outage, lost}
			n := 0
			b.does(func(context.Context) error { n++; return nil })
			key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
			b.run()
			b.want(key, storage.Success, "", 1)
			if n != 1 || len(b.finished) != 1 {
				t.Errorf("answers lost %v: worked %d times, told %v", lost, n, b.finished)
			}
		})
	}
}

// TestLongOutage: the work is repeated when the store stays away for more than a minute.
func TestLongOutage(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		var outage atomic.Int32
		outage.Store(100)
		b.Store = awayStore{b.store, &outage, false}
		n := 0
		b.does(func(context.Context) error { n++; return nil })
		key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
		b.run()
		b.want(key, storage.Success, "", 1)
		if n < 2 || len(b.finished) != 1 {
			t.Errorf("worked %d times, told %v", n, b.finished)
		}
	})
}

// TestStaleWorker: a worker that was away for too long, whose job another process has started
// meanwhile, does not take it from that one, and the record does not stay without a job.
func TestStaleWorker(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
		n := 0
		b.does(func(context.Context) error {
			if n++; n == 1 { // the other process starts the job and dies
				b.change(key, func(r *storage.Record) { r.Attempts++ })
				b.change(key, func(r *storage.Record) { r.Status = storage.Unprocessed })
			}
			return nil
		})
		b.run()
		b.want(key, storage.Success, "", 3)
		if n != 2 {
			t.Errorf("%d starts, want 2: the result of the first came too late", n)
		}
	})
}

// TestOthersFinish: a record that another process has finished meanwhile is left alone.
func TestOthersFinish(t *testing.T) {
	for _, status := range []storage.Status{storage.Success, storage.Failure} {
		on(t, func(t *testing.T, b *bench) {
			key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
			b.works(func(context.Context, storage.Record, func(int, int)) (worker.Output, error) {
				b.change(key, func(r *storage.Record) { r.Status, r.Result = status, []byte("theirs") })
				return worker.Output{Result: []byte("ours")}, nil
			})
			b.run()
			b.want(key, status, "", 1)
			if r := b.get(key); string(r.Result) != "theirs" || len(b.finished) != 0 {
				t.Errorf("%s: the result is %s, told %v", status, r.Result, b.finished)
			}
			if discarded := len(b.discarded) == 1; discarded != (status == storage.Failure) {
				t.Errorf("%s: discarded %v", status, b.discarded)
			}
		})
	}
}

// TestHandBackLeavesOthersAlone: a job that is handed back stays with the process that has
// started it again in the meantime.
func TestHandBackLeavesOthersAlone(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
		b.does(func(context.Context) error {
			b.change(key, func(r *storage.Record) { r.Attempts++ })
			return errors.Join(storage.ErrUnavailable, errors.New("away"))
		})
		_, stop := b.run()
		synctest.Wait()
		stop()
		if r := b.get(key); r.Status != storage.Processing || r.Attempts != 2 {
			t.Errorf("the other process's job is %s with %d attempts", r.Status, r.Attempts)
		}
	})
}

// TestBrokenRecord checks that a record whose data cannot be decoded fails at once, instead of
// staying in the queue.
func TestBrokenRecord(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		key := b.create(storage.Keypoints, storage.Unprocessed, `{"from":"one"}`)
		_, stop := b.run()
		synctest.Wait()
		if r := b.get(key); r.Status != storage.Failure || r.Failure != fault {
			t.Errorf("%s %q, want a failure", r.Status, r.Failure)
		}
		stop()
	})
}
