package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/storage"
)

const (
	deadSQL = `SELECT args, priority > 1, attempt, finalized_at, coalesce(errors[array_upper(errors, 1)] ->> 'error', '')
		FROM motion.river_job WHERE state = 'discarded' AND queue = 'motion' AND finalized_at IS NOT NULL
		ORDER BY finalized_at DESC, id DESC LIMIT $1`
	buryDeadSQL = `DELETE FROM motion.river_job WHERE state = 'discarded' AND queue = 'motion' AND args = $1::jsonb`
)

// DeadJob is a job that is not handed out any more, because its handlers have returned an
// error, or have died, QueueOptions.MaxAttempts times.
type DeadJob struct {
	storage.Job
	Attempts int
	Error    string    // the last one; "" where the process died
	At       time.Time // when it was given up; UTC
}

// Dead returns the dead jobs, at most limit, those that died last first. Push gives a dead
// job its attempts back.
func (q *Queue) Dead(ctx context.Context, limit int) ([]DeadJob, error) {
	rows, err := q.store.pool.Query(ctx, q.store.sql(deadSQL), limit)
	if err != nil {
		return nil, kind(ctx, err)
	}
	jobs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (d DeadJob, err error) {
		var args jobArgs
		err = row.Scan(&args, &d.Slow, &d.Attempts, &d.At, &d.Error)
		d.Key, d.At = args.key(), d.At.UTC()
		return d, err
	})
	return jobs, kind(ctx, err)
}
