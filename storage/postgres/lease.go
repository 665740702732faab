package postgres

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// River itself rescues a job after it has been running for an hour. Here the attempted_at of a job is its lease: it
// is renewed while the handler runs, and a job whose lease has expired is handed out again. It gets a new ID then, so
// that a process that was cut off for too long cannot change it any more.
const (
	renewSQL = `UPDATE motion.river_job SET attempted_at = clock_timestamp() WHERE id = ANY($1) AND state = 'running' RETURNING id`
	// rescueSQL keeps a job's position in the order.
	rescueSQL = `
		WITH lost AS (
			DELETE FROM motion.river_job WHERE id IN (
				SELECT id FROM motion.river_job
				WHERE state = 'running' AND queue = 'motion' AND attempted_at < clock_timestamp() - $1::bigint * interval '1 microsecond'
				FOR UPDATE SKIP LOCKED)
			RETURNING *
		)
		INSERT INTO motion.river_job (args, attempt, attempted_at, attempted_by, created_at, errors, kind, max_attempts,
			metadata, priority, queue, scheduled_at, tags, unique_key, unique_states, state, finalized_at)
		SELECT args, attempt, attempted_at, attempted_by, created_at, errors, kind, max_attempts,
			metadata, priority, queue, scheduled_at, tags, unique_key, unique_states,
			CASE WHEN attempt < max_attempts THEN 'available' ELSE 'discarded' END::motion.river_job_state,
			CASE WHEN attempt < max_attempts THEN NULL ELSE now() END
		FROM lost`
)

// errLease is the cause with which a handler's context is cancelled.
var errLease = errors.New("the lease of the job has not been renewed")

// leases are the leases of the jobs that a Work runs.
type leases struct {
	q     *Queue
	clock *clock

	mu      sync.Mutex
	cancels map[int64]context.CancelCauseFunc // of the handlers' contexts, by job ID
}

// take returns the context for the handler of a job, which ends with the lease.
func (l *leases) take(ctx context.Context, id int64) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cancels[id] = cancel
	return ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.cancels, id)
		cancel(nil)
	}
}

// held returns a copy of cancels.
func (l *leases) held() map[int64]context.CancelCauseFunc {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.cancels)
}

// keep renews the leases six times per lease time, and rescues jobs whose leases have expired, until stop is called.
func (l *leases) keep(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		beat := l.q.opt.Lease / 6
		ticker := time.NewTicker(beat)
		defer ticker.Stop()
		renewed := time.Now()
		for {
			now := time.Now()
			if err := l.renew(ctx, beat); err == nil {
				renewed = now
			} else if ctx.Err() == nil {
				l.q.opt.Logger.Warn("leases not renewed", "error", err)
				if time.Since(renewed) > 3*beat {
					for _, cancel := range l.held() {
						cancel(errLease)
					}
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}()
	return func() { cancel(); <-done }
}

// renew renews the leases, cancels the handlers of jobs that another process has taken over, and rescues jobs whose leases have expired.
func (l *leases) renew(ctx context.Context, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := l.clock.set(ctx, l.q.store); err != nil {
		return err
	}
	if held := l.held(); len(held) > 0 {
		rows, err := l.q.store.pool.Query(ctx, l.q.store.sql(renewSQL), slices.Collect(maps.Keys(held)))
		if err != nil {
			return err
		}
		ours, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return err
		}
		for _, id := range ours {
			delete(held, id)
		}
		for _, cancel := range held { // taken over, or just finished
			cancel(errLease)
		}
	}
	_, err := l.q.store.pool.Exec(ctx, l.q.store.sql(rescueSQL), l.q.opt.Lease.Microseconds())
	return err
}
