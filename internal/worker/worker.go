// Package worker moves records through their states while their jobs are worked on, over a
// Store and a Queue. What the work is, it is told as functions.
//
// Unprocessed → Processing → Success or Failure. An interrupted job returns to Unprocessed and is started again, at
// most MaxAttempts times in all; shutdown and storage outages do not count as attempts. A job leaves the queue only
// when its record is final or gone, so that no record is left without a job, whatever other processes do.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/storage"
)

// Work does the job of a record. It calls progress after each step, from one goroutine at a
// time. A *Failure ends the job for good; other errors may be tried again.
type Work func(ctx context.Context, r storage.Record, progress func(done, total int)) (Output, error)

// Output is the outcome of work: what replaces the record's Data and Result. nil keeps them.
type Output struct{ Data, Result []byte }

// Failure is an error that trying again cannot help. Its Detail goes to the client.
type Failure struct {
	Detail string
	Cause  error // for the log; may be nil
}

func (f *Failure) Error() string {
	if f.Cause == nil {
		return f.Detail
	}
	return f.Detail + " (" + f.Cause.Error() + ")"
}

func (f *Failure) Unwrap() error { return f.Cause }

// faultDetail is the failure of a record whose work failed MaxAttempts times.
const faultDetail = "There is a problem on the service."

// Config is what a Worker is made of. Progress and Finished are optional.
type Config struct {
	Store storage.Store
	Queue storage.Queue
	Works map[storage.Kind]Work

	// Discard removes the files that an attempt may have left of a record which has failed or is gone.
	Discard func(context.Context, storage.Key) error
	// Remove deletes a record that was made from one which was being deleted.
	Remove func(context.Context, storage.Key) error

	Workers      int           // jobs at a time
	MaxAttempts  int           // starts before a record fails
	DrainTimeout time.Duration // how long Run lets jobs finish before it interrupts them

	// Local says that no other process works on the jobs of Queue: a job whose inputs were not finished
	// is pushed again as soon as one of them is.
	Local bool

	Progress func(key storage.Key, done, total int)
	Finished func(storage.Record) // a record that is final now
	Logger   *slog.Logger
}

// Worker works on jobs.
type Worker struct {
	Config

	mu      sync.Mutex
	running map[storage.Key]context.CancelFunc
	asleep  map[storage.Job][]storage.Key // jobs that wait for their inputs, and these

	runs    atomic.Int32 // calls of Run, without those that have failed
	awaited atomic.Bool  // a record is awaited, or was in vain
}

// New returns a Worker.
func New(cfg Config) *Worker {
	return &Worker{Config: cfg, running: map[storage.Key]context.CancelFunc{}, asleep: map[storage.Job][]storage.Key{}}
}

// Resume queues all unfinished records again, for a Queue that does not do so itself. No other process may be working on them.
func (w *Worker) Resume(ctx context.Context) error {
	return w.Store.Unfinished(ctx, func(r storage.Record) error {
		if r.Status == storage.Processing {
			r.Status = storage.Unprocessed
			if _, err := w.Store.Update(ctx, r, storage.Processing); err != nil && !errors.Is(err, storage.ErrConflict) {
				return err
			}
		}
		return w.Queue.Push(ctx, storage.Job{Key: r.Key, Slow: catalog.Slow(r)})
	})
}

// interruptTime is how long interrupted work may go on before Run abandons it.
const interruptTime = time.Second

// errAbandoned is the error of work that ignores the end of its context.
var errAbandoned = errors.New("the work ignores the end of its context")

// Run works on jobs until ctx ends, lets those that run finish for at most DrainTimeout, interrupts the others and hands them back. Work
// that goes on interruptTime later is handed back all the same and abandoned: its goroutine still runs when Run returns an error.
func (w *Worker) Run(ctx context.Context) error {
	w.runs.Add(1)
	over, end := context.WithCancel(context.Background())
	var shutdown sync.WaitGroup
	defer shutdown.Wait()
	defer end()
	interrupted, interrupt := context.WithCancel(context.WithoutCancel(ctx))
	defer interrupt()
	shift := &shift{Worker: w, abandon: make(chan struct{})}
	shutdown.Go(func() {
		select {
		case <-ctx.Done():
		case <-over.Done():
		}
		if sleep(over, w.DrainTimeout) {
			interrupt()
		}
		if sleep(over, interruptTime) {
			close(shift.abandon)
		}
	})
	err := w.Queue.Work(ctx, w.Workers, func(ctx context.Context, job storage.Job) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(interrupted, cancel)()
		w.mu.Lock()
		w.running[job.Key] = cancel
		w.mu.Unlock()
		defer func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			delete(w.running, job.Key)
		}()
		var outcome error
		if crash := panics.Call(func() error { outcome = shift.handle(ctx, job); return nil }); crash != nil {
			return shift.crashed(ctx, job.Key, crash)
		}
		return outcome
	})
	if err != nil && ctx.Err() == nil {
		w.runs.Add(-1)
	}
	if n := shift.abandoned.Load(); n > 0 {
		err = errors.Join(err, fmt.Errorf("%d jobs still run: %w", n, errAbandoned))
	}
	return err
}

// sleep waits. It reports false if ctx has ended.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return ctx.Err() == nil
}

// Cancel interrupts the job of a record, if it runs here.
func (w *Worker) Cancel(key storage.Key) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cancel := w.running[key]; cancel != nil {
		cancel()
	}
}

// shift is one Run of a Worker.
type shift struct {
	*Worker
	abandon   chan struct{} // closed when work that goes on is abandoned
	abandoned atomic.Int32  // jobs
}

// do does the work of a record. A panic is an error.
func (s *shift) do(ctx context.Context, r storage.Record) (Output, error) {
	work := s.Works[r.Kind]
	if work == nil {
		return Output{}, fmt.Errorf("no work is known for %s", r.Kind)
	}
	m := &meter{Worker: s.Worker, record: r, stored: time.Now(), every: progressSoon}
	type outcome struct {
		Output
		error
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{error: errors.New("the work has ended its goroutine")}
		defer func() { done <- o }()
		defer panics.Catch(&o.error)
		o.Output, o.error = work(ctx, r, func(done, total int) { m.tell(ctx, done, total) })
	}()
	select {
	case o := <-done:
		return o.Output, o.error
	case <-s.abandon:
		s.abandoned.Add(1)
		s.Logger.Error("job abandoned", "kind", r.Kind, "id", r.ID, "owner", r.Owner, "error", errAbandoned)
		return Output{}, errAbandoned
	}
}

// awaitTime is how long a record waits before Await asks whether somebody works.
const awaitTime = 5 * time.Second

// Await is told of a new record whose job only this process can work on. If Run was not called
// and the record still waits awaitTime later, a forgotten Run is logged, once.
func (w *Worker) Await(key storage.Key) {
	if w.runs.Load() > 0 || !w.awaited.CompareAndSwap(false, true) {
		return
	}
	time.AfterFunc(awaitTime, func() {
		ctx, cancel := context.WithTimeout(context.Background(), awaitTime)
		defer cancel()
		var r storage.Record
		err := panics.Call(func() (err error) { r, err = w.Store.Head(ctx, key); return err })
		if w.runs.Load() > 0 || err != nil || r.Status != storage.Unprocessed {
			w.awaited.Store(false)
			return
		}
		w.Logger.Warn("a record waits, but nothing works on it: call Run of the motion.Service, in a goroutine of its own",
			"kind", key.Kind, "id", key.ID, "owner", key.Owner, "waiting", awaitTime)
	})
}
