package motion

import (
	"context"
	"fmt"
	"time"

	"github.com/bodymotion/motion/storage"
)

// storageTime is how long a call of storage may take that transfers no file. After it, the call ends with
// ErrUnavailable: requests are told to try again, and so do jobs.
const storageTime = 15 * time.Second

// timed makes a call of storage that may take storageTime.
func timed[T any](ctx context.Context, call func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	v, err := call(limited)
	return v, late(ctx, limited, err)
}

// late returns the error of a call with the context limited, ErrUnavailable if that has ended before ctx.
func late(ctx, limited context.Context, err error) error {
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: storage has not answered within %v: %v", ErrUnavailable, storageTime, err)
	}
	return err
}

// timedCall is timed for a call without a result.
func timedCall(ctx context.Context, call func(context.Context) error) error {
	_, err := timed(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, call(ctx) })
	return err
}

// timedStore is the Store of a Service: its calls are timed, and the feeds are told what the Service changes.
type timedStore struct {
	storage.Store
	feeds *feeds
}

func (s timedStore) Unwrap() storage.Store { return s.Store }

func (s timedStore) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
	r, err := timed(ctx, func(ctx context.Context) (storage.Record, error) { return s.Store.Create(ctx, r) })
	if err == nil {
		s.feeds.tell(r)
	}
	return r, err
}

func (s timedStore) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	return timed(ctx, func(ctx context.Context) (storage.Record, error) { return s.Store.Get(ctx, key) })
}

func (s timedStore) Head(ctx context.Context, key storage.Key) (storage.Record, error) {
	return timed(ctx, func(ctx context.Context) (storage.Record, error) { return s.Store.Head(ctx, key) })
}

func (s timedStore) List(ctx context.Context, owner string, kind storage.Kind, f storage.Filter) (records []storage.Record, total int, err error) {
	records, err = timed(ctx, func(ctx context.Context) (records []storage.Record, err error) {
		records, total, err = s.Store.List(ctx, owner, kind, f)
		return records, err
	})
	return records, total, err
}

func (s timedStore) Scan(ctx context.Context, kind storage.Kind, after int64, limit int) ([]storage.Record, error) {
	return timed(ctx, func(ctx context.Context) ([]storage.Record, error) { return s.Store.Scan(ctx, kind, after, limit) })
}

func (s timedStore) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	r, err := timed(ctx, func(ctx context.Context) (storage.Record, error) { return s.Store.Update(ctx, r, from) })
	if err == nil {
		s.feeds.tell(r)
	}
	return r, err
}

func (s timedStore) Delete(ctx context.Context, keys ...storage.Key) error {
	err := timedCall(ctx, func(ctx context.Context) error { return s.Store.Delete(ctx, keys...) })
	if err == nil {
		s.feeds.tellDeleted(keys)
	}
	return err
}

func (s timedStore) Changed(ctx context.Context, owner string, since time.Time, limit int) ([]storage.Record, error) {
	return timed(ctx, func(ctx context.Context) ([]storage.Record, error) { return s.Store.Changed(ctx, owner, since, limit) })
}

// Unfinished times the pauses between the calls of fn.
func (s timedStore) Unfinished(ctx context.Context, fn func(storage.Record) error) error {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	silence := time.AfterFunc(storageTime, cancel)
	defer silence.Stop()
	return late(ctx, limited, s.Store.Unfinished(limited, func(r storage.Record) error {
		silence.Stop()
		defer silence.Reset(storageTime)
		return fn(r)
	}))
}

// timedAnswers is an AnswerKeeper whose calls are timed.
type timedAnswers struct{ storage.AnswerKeeper }

func (k timedAnswers) ReserveAnswer(ctx context.Context, r storage.Request, lease time.Duration, keys int) (storage.Reservation, error) {
	return timed(ctx, func(ctx context.Context) (storage.Reservation, error) {
		return k.AnswerKeeper.ReserveAnswer(ctx, r, lease, keys)
	})
}

func (k timedAnswers) KeepAnswer(ctx context.Context, id int64, answer []byte, keep time.Duration) error {
	return timedCall(ctx, func(ctx context.Context) error { return k.AnswerKeeper.KeepAnswer(ctx, id, answer, keep) })
}

func (k timedAnswers) ReleaseAnswer(ctx context.Context, id int64) error {
	return timedCall(ctx, func(ctx context.Context) error { return k.AnswerKeeper.ReleaseAnswer(ctx, id) })
}

func (k timedAnswers) ForgetAnswers(ctx context.Context, owner string) error {
	return timedCall(ctx, func(ctx context.Context) error { return k.AnswerKeeper.ForgetAnswers(ctx, owner) })
}

// timedQueue is a Queue whose calls besides Work are timed.
type timedQueue struct{ storage.Queue }

func (q timedQueue) Unwrap() storage.Queue { return q.Queue }

func (q timedQueue) Push(ctx context.Context, job storage.Job) error {
	return timedCall(ctx, func(ctx context.Context) error { return q.Queue.Push(ctx, job) })
}

func (q timedQueue) Holds(ctx context.Context, key storage.Key) (bool, error) {
	return timed(ctx, func(ctx context.Context) (bool, error) { return q.Queue.Holds(ctx, key) })
}
