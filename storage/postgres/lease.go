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

// River itself takes a job for lost when it has been running for an hour. Here the time of
// a job's attempt is its lease: it is renewed while the handler runs, and a job whose lease
// has run out is handed out again. It gets a new number then, so that what a process that
// was away for too long still has to say about it reaches nobody.
const (
	renewSQL = `UPDATE motion.river_job SET attempted_at = clock_timestamp() WHERE id = ANY($1) AND state = 'running' RETURNING id`
	// rescueSQL keeps a job's place in the order.
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

// errLease is the cause of the end of a handler's context.
var errLease = errors.New("the lease of the job has not been renewed")

// leases are those of the jobs that a Work runs.
type leases struct {
	q *Queue

	mu      sync.Mutex
	running map[int64]*lease // by the number of the job
}

type lease struct{ end context.CancelCauseFunc }

func newLeases(q *Queue) *leases { return &leases{q: q, running: map[int64]*lease{}} }

// take returns the context for the handler of a job, which ends with its lease; release
// gives the lease back.
func (l *leases) take(ctx context.Context, id int64) (_ context.Context, release func()) {
	ctx, end := context.WithCancelCause(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[id] = &lease{end}
	return ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.running, id)
		end(nil)
	}
}

// all returns the leases of this moment.
func (l *leases) all() map[int64]*lease {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.running)
}

// keep renews the leases six times in each, and looks for those of others that have run
// out, until stop is called.
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
				l.q.logger.Warn("leases not renewed", "error", err)
				if time.Since(renewed) > 3*beat {
					for _, lease := range l.all() {
						lease.end(errLease)
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

// renew renews the leases, ends the handlers of jobs that have been taken over, and hands
// out again what others have lost.
func (l *leases) renew(ctx context.Context, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if held := l.all(); len(held) > 0 {
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
		for _, lease := range held { // taken over, or at an end already
			lease.end(errLease)
		}
	}
	_, err := l.q.store.pool.Exec(ctx, l.q.store.sql(rescueSQL), l.q.opt.Lease.Microseconds())
	return err
}
