package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// fetchPause is the minimum time between two queries of a Work for jobs.
const fetchPause = 5 * time.Millisecond

// Work implements storage.Queue. It needs a few connections of the pool from time to time, and one outside the pool for notifications. If
// the server cannot be reached when Work begins, it returns storage.ErrUnavailable; it waits for the end of later outages.
func (q *Queue) Work(ctx context.Context, n int, handle func(context.Context, storage.Job) error) error {
	if err := driver.CheckPositive("number of handlers", n); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return nil
	}
	l := &leases{q: q, clock: q.clock, cancels: map[int64]context.CancelCauseFunc{}}
	if err := l.clock.set(ctx, q.store); ctx.Err() != nil {
		return nil
	} else if err != nil {
		return kind(ctx, err)
	}
	workers := river.NewWorkers()
	h := &handlers{n: min(n, river.QueueNumWorkersMax)}
	river.AddWorker(workers, &worker{leases: l, handlers: h, handle: handle})
	client, err := river.NewClient(fair{riverpgxv5.New(q.store.pool), q.store, h, l.clock}, &river.Config{
		Schema:   q.store.schema,
		Logger:   q.opt.Logger,
		PollOnly: q.opt.PollOnly,
		Queues: map[string]river.QueueConfig{
			queueName: {MaxWorkers: h.n, FetchCooldown: fetchPause, FetchPollInterval: q.opt.Poll},
			spareName: {MaxWorkers: 1, FetchCooldown: fetchPause, FetchPollInterval: q.opt.Poll},
		},
		Workers:                     workers,
		RetryPolicy:                 retries{},
		JobTimeout:                  -1,
		CompletedJobRetentionPeriod: time.Hour,
		DiscardedJobRetentionPeriod: -1, // dead jobs stay visible
	})
	if err != nil {
		return err
	}
	always := context.WithoutCancel(ctx)
	if err := client.Start(always); err != nil {
		return kind(always, err)
	}
	stopLeases := l.keep(always)
	<-ctx.Done()
	err = client.Stop(always) // waits for the handlers and stores the outcome of their jobs
	stopLeases()
	return kind(always, err)
}

// retries doubles the pause of a failed job each time.
type retries struct{}

// The shortest and the longest pause before a failed job is handed out again.
const (
	firstDelay = 100 * time.Millisecond
	maxDelay   = 5 * time.Minute
)

func (retries) NextRetry(job *rivertype.JobRow) time.Time {
	return time.Now().Add(min(firstDelay<<min(max(job.Attempt-1, 0), 20), maxDelay))
}

// worker hands River's jobs to a handler.
type worker struct {
	river.WorkerDefaults[jobArgs]
	leases *leases
	*handlers
	handle func(context.Context, storage.Job) error
}

// spareName is the queue of the handler for one job more. No job is in it: fairExecutor takes one of the other queue. River
// asks for jobs as soon as a handler is free only if all handlers of a queue were busy, so that this one has its own.
const spareName = "motion_spare"

// handlers are those of a Work, besides one more for a job that is not slow while all n work on slow ones.
type handlers struct {
	n     int
	slow  atomic.Int32 // that work on slow jobs
	share driver.Share
}

func (w *worker) Work(ctx context.Context, job *river.Job[jobArgs]) error {
	ctx, release := w.leases.take(ctx, job.ID)
	j, began := storage.Job{Key: job.Args.key(), Slow: job.Priority >= slowJob}, time.Now()
	w.share.Begin(j.Slow)
	if j.Slow {
		w.slow.Add(1)
		defer w.slow.Add(-1)
	}
	err := w.handle(ctx, j)
	w.share.End(j.Slow, time.Since(began))
	ended := ctx.Err()
	release()
	var snooze storage.Snooze
	switch {
	case errors.As(err, &snooze):
		return river.JobSnooze(pause(snooze.After, job.Metadata))
	case err != nil && ended != nil:
		return river.JobSnooze(0) // does not count as an attempt
	case err != nil:
		return err
	}
	return w.complete(context.WithoutCancel(ctx), job)
}

// complete removes a job that is done, unless it was pushed while it ran.
func (w *worker) complete(ctx context.Context, job *river.Job[jobArgs]) error {
	ctx, cancel := context.WithTimeout(ctx, w.leases.q.opt.Lease)
	defer cancel()
	again := false
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		err := pgx.BeginFunc(ctx, w.leases.q.store.pool, func(tx pgx.Tx) (err error) {
			if again, err = w.leases.q.pushedAgain(ctx, tx, job.ID); err != nil || again {
				return err
			}
			_, err = river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
			return err
		})
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil // another process has taken it over under another ID
		case err == nil && again:
			return river.JobSnooze(0)
		case err == nil || ctx.Err() != nil || !transient(err):
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// pause returns how long a job sleeps: as long as its handler asked, and longer the more often it
// has asked, because each attempt costs some writes.
func pause(asked time.Duration, metadata []byte) time.Duration {
	var m struct{ Snoozes int }
	if json.Unmarshal(metadata, &m) != nil || asked <= 0 {
		return max(asked, 0)
	}
	return max(asked, min(asked*time.Duration(1+min(m.Snoozes, 1000)/4), 2*time.Second))
}
