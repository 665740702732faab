// Package worker moves records through their states while their jobs are worked on, over a
// Store and a Queue. What the work is, it is told as functions.
//
// Unprocessed → Processing → Success or Failure. An interrupted job returns to Unprocessed and
// is started again, at most MaxAttempts times in all; shutdown and storage outages do not
// count as attempts. A job leaves the queue only when its record is final or gone, so that no
// record is left without a job, whatever other processes do.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
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

	// Discard removes the files that an attempt may have left of a record which has failed
	// or is gone.
	Discard func(context.Context, storage.Key) error

	Workers      int           // jobs at a time
	MaxAttempts  int           // starts before a record fails
	DrainTimeout time.Duration // how long Run lets jobs finish

	Progress func(key storage.Key, done, total int)
	Finished func(storage.Record) // a record that is final now
	Logger   *slog.Logger
}

// Worker works on jobs.
type Worker struct {
	Config

	mu      sync.Mutex
	running map[storage.Key]context.CancelFunc
}

// New returns a Worker.
func New(cfg Config) *Worker {
	return &Worker{Config: cfg, running: map[storage.Key]context.CancelFunc{}}
}

// Resume queues all unfinished records again, for a Queue that does not do so itself. No other
// process may be working on them.
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

// Run works on jobs until ctx ends, lets those that run finish for at most DrainTimeout, and
// hands back the others.
func (w *Worker) Run(ctx context.Context) error {
	hard, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(w.DrainTimeout, stop)
		context.AfterFunc(hard, func() { timer.Stop() })
	})()
	return w.Queue.Work(ctx, w.Workers, func(ctx context.Context, job storage.Job) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(hard, cancel)()
		w.mu.Lock()
		w.running[job.Key] = cancel
		w.mu.Unlock()
		defer func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			delete(w.running, job.Key)
		}()
		return w.handle(ctx, job)
	})
}

// Cancel interrupts the job of a record, if it runs here.
func (w *Worker) Cancel(key storage.Key) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cancel := w.running[key]; cancel != nil {
		cancel()
	}
}

// do does the work of a record. A panic is an error.
func (w *Worker) do(ctx context.Context, r storage.Record) (out Output, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	work := w.Works[r.Kind]
	if work == nil {
		return Output{}, fmt.Errorf("no work is known for %s", r.Kind)
	}
	m := &meter{Worker: w, record: r, stored: time.Now()}
	return work(ctx, r, func(done, total int) { m.tell(ctx, done, total) })
}
