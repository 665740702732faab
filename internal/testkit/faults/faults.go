// Package faults makes faults in the calls of drivers of storage, for tests. Package storagetest gives it to the tests of others,
// and its documentation says what it does.
package faults

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/bodymotion/motion/storage"
)

// Fault is storagetest.Fault.
type Fault int

// The faults are those of storagetest.
const (
	None Fault = iota
	Fail
	Lose
	Delay
	Hang
)

func (f Fault) String() string { return [...]string{"none", "fail", "lose", "delay", "hang"}[f] }

// Faults is storagetest.Faults.
type Faults struct {
	Choose func(Call) Fault
	Err    error
	Pause  time.Duration

	mu    sync.Mutex
	calls int
	named map[string]int
}

// Call is storagetest.Call.
type Call struct {
	Name   string
	N, All int
}

// Store wraps a Store.
func (f *Faults) Store(s storage.Store) storage.Store {
	wrapped := faultyStore{s, f}
	if answers, ok := storage.As[storage.AnswerKeeper](s); ok {
		return faultyKeeper{wrapped, answers}
	}
	return wrapped
}

// Blobs wraps Blobs.
func (f *Faults) Blobs(b storage.Blobs) storage.Blobs { return faultyBlobs{b, f} }

// Queue wraps a Queue.
func (f *Faults) Queue(q storage.Queue) storage.Queue {
	wrapped := faultyQueue{q, f}
	if jobs, ok := storage.As[storage.JobCreator](q); ok {
		return faultyCreator{wrapped, jobs}
	}
	return wrapped
}

// next chooses the fault of a call.
func (f *Faults) next(name string) Fault {
	if f.Choose == nil {
		return None
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.named == nil {
		f.named = map[string]int{}
	}
	f.calls++
	f.named[name]++
	return f.Choose(Call{Name: name, N: f.named[name], All: f.calls})
}

const handling = "Queue.Handle"

// do makes a call with its fault.
func do[T any](ctx context.Context, f *Faults, name string, call func() (T, error)) (T, error) {
	var none T
	fault := f.next(name)
	if fault == Hang && name == handling {
		fault = Delay // the context of a handler may never end
	}
	switch fault {
	case Hang:
		<-ctx.Done()
		return none, ctx.Err()
	case Delay:
		pause := f.Pause
		if pause == 0 {
			pause = 100 * time.Millisecond
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	case Lose:
		answer, err := call()
		if c, ok := any(answer).(io.Closer); ok && err == nil {
			err = c.Close()
		}
		if err != nil {
			return none, err
		}
	}
	if fault == Fail || fault == Lose {
		err := f.Err
		if err == nil {
			err = storage.ErrUnavailable
		}
		return none, fmt.Errorf("faults: %s has the fault %v: %w", name, fault, err)
	}
	return call()
}

// does makes a call that returns only an error.
func does(ctx context.Context, f *Faults, name string, call func() error) error {
	_, err := do(ctx, f, name, func() (struct{}, error) { return struct{}{}, call() })
	return err
}

type faultyStore struct {
	storage.Store
	*Faults
}

func (s faultyStore) Unwrap() storage.Store { return s.Store }

func (s faultyStore) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
	return do(ctx, s.Faults, "Store.Create", func() (storage.Record, error) { return s.Store.Create(ctx, r) })
}

func (s faultyStore) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	return do(ctx, s.Faults, "Store.Get", func() (storage.Record, error) { return s.Store.Get(ctx, key) })
}

func (s faultyStore) Head(ctx context.Context, key storage.Key) (storage.Record, error) {
	return do(ctx, s.Faults, "Store.Head", func() (storage.Record, error) { return s.Store.Head(ctx, key) })
}

func (s faultyStore) List(ctx context.Context, owner string, kind storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	type page struct {
		records []storage.Record
		total   int
	}
	p, err := do(ctx, s.Faults, "Store.List", func() (p page, err error) {
		p.records, p.total, err = s.Store.List(ctx, owner, kind, f)
		return p, err
	})
	return p.records, p.total, err
}

func (s faultyStore) Scan(ctx context.Context, kind storage.Kind, after int64, limit int) ([]storage.Record, error) {
	return do(ctx, s.Faults, "Store.Scan", func() ([]storage.Record, error) { return s.Store.Scan(ctx, kind, after, limit) })
}

func (s faultyStore) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	return do(ctx, s.Faults, "Store.Update", func() (storage.Record, error) { return s.Store.Update(ctx, r, from) })
}

func (s faultyStore) Delete(ctx context.Context, keys ...storage.Key) error {
	return does(ctx, s.Faults, "Store.Delete", func() error { return s.Store.Delete(ctx, keys...) })
}

func (s faultyStore) Changed(ctx context.Context, owner string, since time.Time, limit int) ([]storage.Record, error) {
	return do(ctx, s.Faults, "Store.Changed", func() ([]storage.Record, error) { return s.Store.Changed(ctx, owner, since, limit) })
}

func (s faultyStore) Unfinished(ctx context.Context, fn func(storage.Record) error) error {
	return does(ctx, s.Faults, "Store.Unfinished", func() error { return s.Store.Unfinished(ctx, fn) })
}

type faultyKeeper struct {
	faultyStore
	answers storage.AnswerKeeper
}

func (k faultyKeeper) ReserveAnswer(ctx context.Context, r storage.Request, lease time.Duration, keys int) (storage.Reservation, error) {
	return do(ctx, k.Faults, "Answers.ReserveAnswer", func() (storage.Reservation, error) {
		return k.answers.ReserveAnswer(ctx, r, lease, keys)
	})
}

func (k faultyKeeper) KeepAnswer(ctx context.Context, id int64, answer []byte, keep time.Duration) error {
	return does(ctx, k.Faults, "Answers.KeepAnswer", func() error { return k.answers.KeepAnswer(ctx, id, answer, keep) })
}

func (k faultyKeeper) ReleaseAnswer(ctx context.Context, id int64) error {
	return does(ctx, k.Faults, "Answers.ReleaseAnswer", func() error { return k.answers.ReleaseAnswer(ctx, id) })
}

func (k faultyKeeper) ForgetAnswers(ctx context.Context, owner string) error {
	return does(ctx, k.Faults, "Answers.ForgetAnswers", func() error { return k.answers.ForgetAnswers(ctx, owner) })
}

func (k faultyKeeper) ExpireAnswers(ctx context.Context) error {
	return does(ctx, k.Faults, "Answers.ExpireAnswers", func() error { return k.answers.ExpireAnswers(ctx) })
}

type faultyBlobs struct {
	storage.Blobs
	*Faults
}

func (b faultyBlobs) Unwrap() storage.Blobs { return b.Blobs }

func (b faultyBlobs) Put(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) (storage.BlobInfo, error) {
	return do(ctx, b.Faults, "Blobs.Put", func() (storage.BlobInfo, error) { return b.Blobs.Put(ctx, key, r, opt) })
}

func (b faultyBlobs) Open(ctx context.Context, key string) (storage.Blob, error) {
	blob, err := do(ctx, b.Faults, "Blobs.Open", func() (storage.Blob, error) { return b.Blobs.Open(ctx, key) })
	if err != nil {
		return nil, err
	}
	return faultyBlob{blob, b.Faults, ctx}, nil
}

func (b faultyBlobs) Delete(ctx context.Context, key string) error {
	return does(ctx, b.Faults, "Blobs.Delete", func() error { return b.Blobs.Delete(ctx, key) })
}

func (b faultyBlobs) List(ctx context.Context, prefix string, fn func(storage.BlobInfo) error) error {
	return does(ctx, b.Faults, "Blobs.List", func() error { return b.Blobs.List(ctx, prefix, fn) })
}

type faultyBlob struct {
	storage.Blob
	*Faults
	opened context.Context
}

func (b faultyBlob) Unwrap() storage.Blob { return b.Blob }

func (b faultyBlob) Read(p []byte) (n int, err error) {
	return do(b.opened, b.Faults, "Blob.Read", func() (int, error) { return b.Blob.Read(p) })
}

type faultyQueue struct {
	storage.Queue
	*Faults
}

func (q faultyQueue) Unwrap() storage.Queue { return q.Queue }

func (q faultyQueue) Push(ctx context.Context, job storage.Job) error {
	return does(ctx, q.Faults, "Queue.Push", func() error { return q.Queue.Push(ctx, job) })
}

func (q faultyQueue) Holds(ctx context.Context, key storage.Key) (bool, error) {
	return do(ctx, q.Faults, "Queue.Holds", func() (bool, error) { return q.Queue.Holds(ctx, key) })
}

func (q faultyQueue) Work(ctx context.Context, n int, handle func(context.Context, storage.Job) error) error {
	return q.Queue.Work(ctx, n, func(ctx context.Context, job storage.Job) error {
		return does(ctx, q.Faults, handling, func() error { return handle(ctx, job) })
	})
}

type faultyCreator struct {
	faultyQueue
	jobs storage.JobCreator
}

func (c faultyCreator) CreatesIn(s storage.Store) bool { return c.jobs.CreatesIn(s) }

func (c faultyCreator) CreateWithJob(ctx context.Context, r storage.Record, slow bool) (storage.Record, error) {
	return do(ctx, c.Faults, "Queue.CreateWithJob", func() (storage.Record, error) { return c.jobs.CreateWithJob(ctx, r, slow) })
}
