package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// River hands out the jobs that came first, whoever they belong to: one owner with a
// thousand of them would keep all others waiting. fair is River's driver but for the query
// that takes jobs: there the owners who have jobs waiting draw lots. That needs nothing that
// processes would have to share, and to wait long becomes unlikely soon: among two owners,
// for more than twenty jobs of the other one once in a million times.
type fair struct {
	*riverpgxv5.Driver
	store *Store
}

var _ riverdriver.Driver[pgx.Tx] = fair{}

// GetExecutor implements riverdriver.Driver.
func (f fair) GetExecutor() riverdriver.Executor {
	return fairExecutor{f.Driver.GetExecutor(), f.store}
}

type fairExecutor struct {
	riverdriver.Executor
	store *Store
}

const (
	turnsIndexSQL = `CREATE INDEX IF NOT EXISTS river_job_turns
		ON motion.river_job (priority, (args ->> 'owner') COLLATE "C", scheduled_at, id)
		WHERE state = 'available' AND queue = 'motion'`

	// takeSQL walks from owner to owner over the index, so that the time grows with the
	// number of owners who have jobs waiting, and not with that of the jobs. There are more
	// candidates than are wanted, because other processes may take some at the same moment.
	takeSQL = `
		WITH RECURSIVE waiting AS (
			(SELECT priority, (args ->> 'owner') COLLATE "C" AS owner FROM motion.river_job
				WHERE state = 'available' AND queue = 'motion'
				ORDER BY priority, (args ->> 'owner') COLLATE "C" LIMIT 1)
			UNION ALL
			SELECT n.priority, n.owner FROM waiting w CROSS JOIN LATERAL (
				SELECT priority, (args ->> 'owner') COLLATE "C" AS owner FROM motion.river_job
				WHERE state = 'available' AND queue = 'motion'
					AND (priority, (args ->> 'owner') COLLATE "C") > (w.priority, w.owner)
				ORDER BY priority, (args ->> 'owner') COLLATE "C" LIMIT 1) n
		), lots AS (
			SELECT priority, owner, random() AS lot, count(*) OVER () AS owners FROM waiting
		), candidates AS (
			SELECT j.id, l.priority, l.lot, j.turn FROM lots l CROSS JOIN LATERAL (
				SELECT id, row_number() OVER (ORDER BY scheduled_at, id) AS turn FROM (
					SELECT id, scheduled_at FROM motion.river_job
					WHERE state = 'available' AND queue = 'motion' AND priority = l.priority
						AND (args ->> 'owner') COLLATE "C" = l.owner AND scheduled_at <= coalesce($1::timestamptz, now())
					ORDER BY scheduled_at, id LIMIT ($2::bigint + 16) / l.owners + 1) first) j
			ORDER BY l.priority, j.turn, l.lot
		), taken AS MATERIALIZED (
			SELECT t.id FROM candidates c CROSS JOIN LATERAL (
				SELECT id FROM motion.river_job WHERE id = c.id AND state = 'available' FOR UPDATE SKIP LOCKED) t
			LIMIT $2
		)
		UPDATE motion.river_job j SET state = 'running', attempt = j.attempt + 1, attempted_at = coalesce($1::timestamptz, now()),
			attempted_by = (array_append(j.attempted_by, $3::text))[greatest(coalesce(array_length(j.attempted_by, 1), 0) + 2 - $4::integer, 1):]
		FROM taken WHERE j.id = taken.id RETURNING j.id`
)

// JobGetAvailable implements riverdriver.Executor. Jobs that it has taken and cannot return,
// because the connection breaks between the two, are handed out again when their leases have
// run out.
func (f fairExecutor) JobGetAvailable(ctx context.Context, p *riverdriver.JobGetAvailableParams) (*riverdriver.JobGetAvailableResult, error) {
	rows, err := f.store.pool.Query(ctx, f.store.sql(takeSQL), p.Now, p.MaxToLock, p.ClientID, p.MaxAttemptedBy)
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil || len(ids) == 0 {
		return &riverdriver.JobGetAvailableResult{}, err
	}
	jobs, err := f.JobGetByIDMany(ctx, &riverdriver.JobGetByIDManyParams{ID: ids, Schema: p.Schema})
	return &riverdriver.JobGetAvailableResult{Jobs: jobs}, err
}
