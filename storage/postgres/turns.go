package postgres

import (
	"context"
	"math/rand/v2"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// fair is River's driver with another query that takes jobs. River itself hands out jobs in FIFO order over all owners, so that one
// owner with a thousand jobs delays all others. Here the owners of waiting jobs draw lots, which needs no state that processes
// share. Long waits are unlikely: with two owners, one waits for more than twenty jobs of the other once in a million times.
type fair struct {
	*riverpgxv5.Driver
	store     *Store
	*handlers // of this process alone
	clock     *clock
}

var _ riverdriver.Driver[pgx.Tx] = fair{}

func (f fair) GetExecutor() riverdriver.Executor {
	return fairExecutor{f.Driver.GetExecutor(), f}
}

type fairExecutor struct {
	riverdriver.Executor
	fair
}

const (
	turnsIndexSQL = `CREATE INDEX river_job_turns
		ON motion.river_job (priority, hashtext((args ->> 'owner') COLLATE "C"), scheduled_at, id)
		WHERE state = 'available' AND queue = 'motion'`

	// takeSQL steps through the index from owner to owner, in the order of their hashes, and skips their jobs: in each priority at
	// most 32 owners from a random hash ($5) on, and as many from the lowest hash, which fill up if the first range has fewer. Its
	// time therefore does not grow with the number of jobs or owners. It selects more candidates than wanted, because other
	// processes may take some at the same time. $6 is 1, or -1 if slow jobs are first; $7 are the priorities.
	takeSQL = `
		WITH RECURSIVE ranges (priority, first, last, rest) AS (
			SELECT p, first, last, rest FROM unnest($7::smallint[]) p,
				(VALUES ($5::bigint, 2147483647::bigint, 0), (-2147483648, $5::bigint - 1, 1)) r (first, last, rest)
		), waiting AS (
			SELECT r.priority, r.rest, r.last, h.owner, 1 AS n FROM ranges r CROSS JOIN LATERAL (
				SELECT hashtext((args ->> 'owner') COLLATE "C") AS owner FROM motion.river_job
				WHERE state = 'available' AND queue = 'motion' AND priority = r.priority
					AND hashtext((args ->> 'owner') COLLATE "C") BETWEEN r.first AND r.last
				ORDER BY hashtext((args ->> 'owner') COLLATE "C") LIMIT 1) h
			UNION ALL
			SELECT w.priority, w.rest, w.last, h.owner, w.n + 1 FROM waiting w CROSS JOIN LATERAL (
				SELECT hashtext((args ->> 'owner') COLLATE "C") AS owner FROM motion.river_job
				WHERE state = 'available' AND queue = 'motion' AND priority = w.priority
					AND hashtext((args ->> 'owner') COLLATE "C") > w.owner AND hashtext((args ->> 'owner') COLLATE "C") <= w.last
				ORDER BY hashtext((args ->> 'owner') COLLATE "C") LIMIT 1) h
			WHERE w.n < 32
		), lots AS (
			SELECT priority, owner, count(*) OVER () AS owners,
				random() + CASE WHEN rest = 1 AND max(n * (1 - rest)) OVER (PARTITION BY priority) = 32 THEN 1 ELSE 0 END AS lot
			FROM waiting
		), candidates AS (
			SELECT j.id FROM lots l CROSS JOIN LATERAL (
				SELECT id, row_number() OVER (ORDER BY scheduled_at, id) AS turn FROM (
					SELECT id, scheduled_at FROM motion.river_job
					WHERE state = 'available' AND queue = 'motion' AND priority = l.priority
						AND hashtext((args ->> 'owner') COLLATE "C") = l.owner AND scheduled_at <= coalesce($1::timestamptz, now())
					ORDER BY scheduled_at, id LIMIT ($2::bigint + 16) / l.owners + 1) first) j
			ORDER BY l.priority * $6::integer, l.lot >= 1, j.turn, l.lot
		), taken AS MATERIALIZED (
			SELECT t.id FROM candidates c CROSS JOIN LATERAL (
				SELECT id FROM motion.river_job WHERE id = c.id AND state = 'available' FOR UPDATE SKIP LOCKED) t
			LIMIT $2
		)
		UPDATE motion.river_job j SET state = 'running', attempt = j.attempt + 1, attempted_at = coalesce($1::timestamptz, now()),
			attempted_by = (array_append(j.attempted_by, $3::text))[greatest(coalesce(array_length(j.attempted_by, 1), 0) + 2 - $4::integer, 1):]
		FROM taken WHERE j.id = taken.id RETURNING j.id`
)

// JobGetAvailable implements riverdriver.Executor. If the connection breaks between its two
// queries, the jobs that it took are handed out again when their leases expire.
func (f fairExecutor) JobGetAvailable(ctx context.Context, p *riverdriver.JobGetAvailableParams) (*riverdriver.JobGetAvailableResult, error) {
	order, most, priorities := 1, p.MaxToLock, []int16{quickJob, slowJob}
	switch {
	case p.Queue == spareName && int(f.slow.Load()) < f.n:
		return &riverdriver.JobGetAvailableResult{}, nil
	case p.Queue == spareName:
		priorities = priorities[:1]
	case f.share.SlowFirst():
		order, most = -1, 1
	}
	rows, err := f.store.pool.Query(ctx, f.store.sql(takeSQL), p.Now, most, p.ClientID, p.MaxAttemptedBy, int64(int32(rand.Uint32())), order, priorities)
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
