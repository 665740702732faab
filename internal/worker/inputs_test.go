package worker_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
)

// counting is a queue that counts what it hands out.
type counting struct {
	storage.Queue
	n atomic.Int64
}

func (q *counting) Work(ctx context.Context, n int, handle func(context.Context, storage.Job) error) error {
	return q.Queue.Work(ctx, n, func(ctx context.Context, j storage.Job) error {
		q.n.Add(1)
		return handle(ctx, j)
	})
}

// TestInputPauses: a job whose input waits looks at it less and less often, and at last within 10 s.
func TestInputPauses(t *testing.T) {
	for _, c := range []struct {
		status      storage.Status
		least, most int // looks in 100 s
		late        time.Duration
	}{{storage.Unprocessed, 20, 70, 10 * time.Second}, {storage.Processing, 80, 130, time.Second}} {
		on(t, func(t *testing.T, b *bench) {
			b.Works[storage.Analyses] = func(context.Context, storage.Record, func(int, int)) (worker.Output, error) {
				return worker.Output{}, nil
			}
			q := &counting{Queue: b.queue}
			b.Queue = q
			input, err := b.store.Create(t.Context(), storage.Record{Key: storage.Key{Owner: "me", Kind: storage.Keypoints}, Status: c.status, Data: []byte(`{}`)})
			if err != nil {
				t.Fatal(err)
			}
			made := b.create(storage.Analyses, storage.Unprocessed, `{"from":[{"kind":"keypoints","id":1}]}`)
			_, stop := b.run()
			defer stop()
			time.Sleep(100 * time.Second)
			synctest.Wait()
			if n := int(q.n.Load()); n < c.least || n > c.most {
				t.Errorf("an input that is %s was looked at %d times in 100 s, want %d to %d", c.status, n, c.least, c.most)
			}
			b.change(input.Key, func(r *storage.Record) { r.Status = storage.Success })
			time.Sleep(c.late + time.Second/10)
			synctest.Wait()
			if got := b.get(made).Status; got != storage.Success {
				t.Errorf("the record is %s %v after its input was finished", got, c.late)
			}
		})
	}
}

// TestInputWakes: where no other process works, a job begins as soon as its input is finished.
func TestInputWakes(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		b.Local, b.Workers = true, 2
		b.does(func(context.Context) error { time.Sleep(time.Hour); return nil })
		var began time.Time
		b.Works[storage.Analyses] = func(context.Context, storage.Record, func(int, int)) (worker.Output, error) {
			began = time.Now()
			return worker.Output{}, nil
		}
		input := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
		made := b.create(storage.Analyses, storage.Unprocessed, `{"from":[{"kind":"keypoints","id":1}]}`)
		start := time.Now()
		_, stop := b.run()
		defer stop()
		time.Sleep(time.Hour + time.Minute)
		if b.get(input).Status != storage.Success || b.get(made).Status != storage.Success || began.Sub(start) != time.Hour {
			t.Errorf("%s began %v after the start, want an hour", b.get(made).Status, began.Sub(start))
		}
	})
}
