package postgres

import (
	"context"
	"math/rand/v2"

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
	turnsIndexSQL = `CREATE INDEX river_job_turns
		ON motion.river_job (priority, hashtext((args ->> 'owner') COLLATE "C"), scheduled_at, id)
		WHERE state = 'available' AND queue = 'motion'`

	// takeSQL walks over the index from owner to owner, in the order of their hashes and not
	// over their jobs: in each priority to at most 32 from a hash on that is drawn ($5), and
	// to as many from the lowest, which count where there are fewer of the former. So the
	// time depends neither on the number of jobs nor, beyond those, on that of the owners.
	// There are more candidates than are wanted, because other processes may take some at the
	// same moment.
	takeSQL = `
		WITH RECURSIVE ranges (priority, first, last, rest) AS (
			SELECT p, first, last, rest FROM unnest('{1,2}'::smallint[]) p,
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
			ORDER BY l.priority, l.lot >= 1, j.turn, l.lot
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
	rows, err := f.store.pool.Query(ctx, f.store.sql(takeSQL), p.Now, p.MaxToLock, p.ClientID, p.MaxAttemptedBy, int64(int32(rand.Uint32())))
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
