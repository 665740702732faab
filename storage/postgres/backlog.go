package postgres

import (
	"context"

	"github.com/bodymotion/motion/storage"
)

// backlogSQL uses River's index on state and queue: its time grows with the jobs that are not
// done (BenchmarkBacklog), and not with those that are.
const backlogSQL = `SELECT count(*) FILTER (WHERE state <> 'running'), count(*) FILTER (WHERE state = 'running') FROM motion.river_job
	WHERE queue = 'motion' AND state IN ('available', 'pending', 'running', 'retryable', 'scheduled')`

// Backlog implements storage.Counter. Dead jobs do not count.
func (q *Queue) Backlog(ctx context.Context) (b storage.Backlog, err error) {
	err = q.store.pool.QueryRow(ctx, q.store.sql(backlogSQL)).Scan(&b.Waiting, &b.Running)
	return b, kind(ctx, err)
}
