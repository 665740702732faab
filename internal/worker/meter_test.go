package worker_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
)

// writes counts the updates of a store, and fails while broken.
type writes struct {
	storage.Store
	updates atomic.Int64
	broken  bool
}

func (w *writes) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	w.updates.Add(1)
	if w.broken {
		return storage.Record{}, storage.ErrUnavailable
	}
	return w.Store.Update(ctx, r, from)
}

func progressOf(t *testing.T, r storage.Record) float64 {
	t.Helper()
	var d catalog.Work
	if err := catalog.Decode(r, &d); err != nil {
		t.Fatal(err)
	}
	return d.Progress
}

// TestProgress: records tell the progress of the work on them, at most once a second but for the
// beginning.
func TestProgress(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		const frames = 60
		kept := &writes{Store: b.store}
		var told atomic.Int64
		b.Store = kept
		b.Progress = func(_ storage.Key, done, total int) {
			if n := told.Add(1); int64(done) != n || total != frames {
				t.Errorf("told %d of %d in step %d", done, total, n)
			}
		}
		b.works(func(_ context.Context, r storage.Record, progress func(done, total int)) (worker.Output, error) {
			for i := range frames { // 6 s
				time.Sleep(100 * time.Millisecond)
				progress(i+1, frames)
			}
			return worker.Output{Result: []byte("[]")}, nil
		})
		// Of an attempt that a crash has ended.
		key := b.create(storage.Keypoints, storage.Unprocessed, `{"from":[{"kind":"movies","id":1}],"progress":0.75}`)
		b.run()
		synctest.Wait()
		if r := b.get(key); r.Status != storage.Processing || progressOf(t, r) != 0 {
			t.Errorf("the second attempt begins as %s with %s", r.Status, r.Data)
		}
		last := 0.0
		for range 11 {
			time.Sleep(500 * time.Millisecond)
			synctest.Wait()
			synctest.Wait()
			part := progressOf(t, b.get(key))
			if part < last || part >= 1 {
				t.Errorf("progress %v after %v", part, last)
			}
			last = part
		}
		if last < 0.75 || told.Load() < 54 {
			t.Errorf("after 5.5 s: progress %v, told %d times", last, told.Load())
		}
		b.want(key, storage.Success, "", 1)
		// The start, after 0.2, 0.6 and 1.4 s, four seconds, and the end, which finds that progress was stored meanwhile.
		if kept.updates.Load() != 10 || told.Load() != frames {
			t.Errorf("stored %d times in 6 s, told %d times", kept.updates.Load(), told.Load())
		}
		if r := b.get(key); strings.Contains(string(r.Data), "progress") {
			t.Errorf("progress is left in the data: %s", r.Data)
		}
	})
}

// TestProgressIsOptional: a store that takes no progress does not stop the work, and neither
// does another process that has taken the record.
func TestProgressIsOptional(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		kept := &writes{Store: b.store}
		b.Store = kept
		b.works(func(_ context.Context, r storage.Record, progress func(done, total int)) (worker.Output, error) {
			kept.broken = true
			time.Sleep(2 * time.Second)
			synctest.Wait()
			progress(1, 4)
			kept.broken = false
			time.Sleep(2 * time.Second)
			synctest.Wait()
			progress(2, 4)
			progress(3, 0) // a movie of unknown length
			return worker.Output{}, nil
		})
		key := b.create(storage.Keypoints, storage.Unprocessed, `{"from":[{"kind":"movies","id":1}]}`)
		b.run()
		b.want(key, storage.Success, "", 1)
		if want := `"progress not stored" kind=keypoints id=1 `; strings.Count(b.log.String(), want) != 1 {
			t.Errorf("the log has not once %s: %s", want, b.log.String())
		}
	})
	on(t, func(t *testing.T, b *bench) {
		key := b.create(storage.Keypoints, storage.Unprocessed, `{"from":[{"kind":"movies","id":1}]}`)
		b.works(func(_ context.Context, r storage.Record, progress func(done, total int)) (worker.Output, error) {
			b.change(key, func(r *storage.Record) { r.Status = storage.Success })
			time.Sleep(2 * time.Second)
			synctest.Wait()
			progress(1, 4)
			return worker.Output{}, nil
		})
		b.run()
		b.want(key, storage.Success, "", 1)
		if strings.Contains(b.log.String(), "progress") {
			t.Errorf("a conflict is told: %s", b.log.String())
		}
	})
}
