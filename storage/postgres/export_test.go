package postgres

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// Jobs tells in which states, but for one, River's jobs are.
func (s *Store) Jobs(t *testing.T, but string) (states string, err error) {
	t.Helper()
	err = s.pool.QueryRow(t.Context(), s.sql(`SELECT coalesce(string_agg(state::text || ' ' || args::text || coalesce(errors::text, ''), ', '), '')
		FROM motion.river_job WHERE state <> $1::text::motion.river_job_state`), but).Scan(&states)
	return states, err
}

// JobsAfter returns how many jobs there are, and how many that were made, or are due, after a time.
func (s *Store) JobsAfter(t *testing.T, at time.Time) (all, after int) {
	t.Helper()
	query := s.sql(`SELECT count(*), count(*) FILTER (WHERE greatest(created_at, scheduled_at) > $1) FROM motion.river_job`)
	if err := s.pool.QueryRow(t.Context(), query, at).Scan(&all, &after); err != nil {
		t.Fatal(err)
	}
	return all, after
}

// Exec runs SQL that is written for the schema motion.
func (s *Store) Exec(tb testing.TB, query string, args ...any) {
	tb.Helper()
	if _, err := s.pool.Exec(tb.Context(), s.sql(query), args...); err != nil {
		tb.Fatal(err)
	}
}

// LabelBlocks returns how many blocks of the index of labels a statement reads.
func (s *Store) LabelBlocks(t *testing.T, statement string) int {
	t.Helper()
	conn, err := s.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	read := func() (n int) {
		const blocks = "SELECT coalesce(idx_blks_hit + idx_blks_read, 0) FROM pg_statio_all_indexes WHERE indexrelid = 'motion.labels_pkey'::regclass"
		_, err := conn.Exec(t.Context(), "SELECT pg_stat_force_next_flush()")
		if err == nil {
			err = conn.QueryRow(t.Context(), s.sql(blocks)).Scan(&n)
		}
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := read()
	if _, err := conn.Exec(t.Context(), s.sql(statement)); err != nil {
		t.Fatal(err)
	}
	return read() - before
}

// Migrate brings the store's schema on by more scripts than this version has.
func (s *Store) Migrate(ctx context.Context, more ...string) error {
	return kind(ctx, s.migrate(ctx, append(migrations(), more...)))
}

// Old returns a store in a new schema as a version of this package has left it.
func (s *Store) Old(tb testing.TB, schema string, version int) *Store {
	tb.Helper()
	old := &Store{pool: s.pool, schema: schema, names: strings.NewReplacer("motion.", schema+".")}
	if err := old.migrate(tb.Context(), migrations()[:version]); err != nil {
		tb.Fatal(err)
	}
	return old
}

// Lock locks a record, as a transaction does that changes it, until unlock is called.
func (s *Store) Lock(t *testing.T, key storage.Key) (unlock func()) {
	t.Helper()
	tx, err := s.pool.Begin(t.Context())
	if err == nil {
		_, err = tx.Exec(t.Context(), s.sql("SELECT FROM motion.records WHERE owner = $1 AND kind = $2 AND id = $3 FOR UPDATE"), key.Owner, key.Kind, key.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// Queries are those that must not walk over a whole table, and what they are asked.
var Queries = map[string]struct {
	SQL  string
	Args []any
}{
	"get":        {getSQL, []any{"alice", "keypoints", 5000}},
	"head":       {headSQL, []any{"alice", "keypoints", 5000}},
	"update":     {updateSQL, []any{"alice", "keypoints", 5000, "SUCCESS", "FAILURE", "", 1, nil, []byte("{}"), nil, nil, nil}},
	"relabel":    {relabelSQL, []any{"alice", "keypoints", 5000, time.Time{}, nil, nil}},
	"status":     {statusSQL, []any{"alice", "keypoints", 5000}},
	"list":       {listAnySQL, []any{"alice", "keypoints", "", 4000, 20}},
	"list of":    {listOfSQL, []any{"alice", "keypoints", "FAILURE", 1000, 20}},
	"unfinished": {unfinishedSQL, []any{0, 1 << 40, 100}},
	"newest":     {newestSQL, nil},
	"scan":       {scanSQL, []any{"keypoints", 4000, 20}},
	"count":      {driver.CountSQL, []any{"alice", "keypoints", 0, 9, "a"}},
	"label":      {driver.LabelSQL, []any{"alice", "keypoints", 0, math.MaxInt, "a", "", 20, 100}},
	"label of":   {driver.LabelSQL, []any{"alice", "keypoints", 0, math.MaxInt, "a", "FAILURE", 20, 100}},
	"labels":     {driver.LabelsSQL, []any{"alice", "keypoints", math.MinInt, math.MaxInt, "a", "", "a~", 100}},
	"labels of":  {driver.LabelsSQL, []any{"alice", "keypoints", math.MinInt, math.MaxInt, "a", "FAILURE", "a~", 100}},
	"these":      {theseSQL, []any{"alice", "keypoints", []int64{1, 5000, 9999}}},
	"changed":    {changedSQL, []any{"alice", time.Time{}, 20}},
}

// BacklogSQL is the query of Backlog.
const BacklogSQL = backlogSQL

// Plan tells how the server runs a query.
func (s *Store) Plan(t *testing.T, query string, args ...any) (plan string) {
	t.Helper()
	rows, err := s.pool.Query(t.Context(), "EXPLAIN "+s.sql(query), args...)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// Looks reports whether a Work looks for new jobs.
func (q *Queue) Looks() bool { return q.opt.PollOnly }

// ServerTime returns the time of the server at a time of a process, when both were set at the same moment.
func ServerTime(local, server, at time.Time) time.Time {
	c := clock{local: local, server: server}
	return *c.of(&at)
}

// SetClock makes the server's time another one than that of this process.
func (q *Queue) SetClock(local, server time.Time) { q.clock.local, q.clock.server = local, server }

// TakeAfter takes one job as a Work does that has worked on quick jobs for a while, and returns whether
// it is slow.
func (q *Queue) TakeAfter(tb testing.TB, quick time.Duration) (slow bool) {
	tb.Helper()
	h := &handlers{n: 9}
	h.share.End(false, quick)
	res, err := fair{riverpgxv5.New(q.store.pool), q.store, h, new(clock)}.GetExecutor().JobGetAvailable(tb.Context(), &riverdriver.JobGetAvailableParams{
		ClientID: "test", MaxAttemptedBy: 100, MaxToLock: 10, Queue: queueName, Schema: q.store.schema,
	})
	if err != nil || len(res.Jobs) == 0 {
		tb.Fatalf("%v (%v)", res, err)
	}
	return res.Jobs[0].Priority == slowJob
}

// Take takes one job that waits as Work does, or as River itself would.
func (q *Queue) Take(tb testing.TB, fairly bool) (taken int) {
	tb.Helper()
	var exec riverdriver.Executor = riverpgxv5.New(q.store.pool).GetExecutor()
	if fairly {
		exec = fair{riverpgxv5.New(q.store.pool), q.store, &handlers{n: 1}, new(clock)}.GetExecutor()
	}
	res, err := exec.JobGetAvailable(tb.Context(), &riverdriver.JobGetAvailableParams{
		ClientID: "test", MaxAttemptedBy: 100, MaxToLock: 1, Queue: queueName, Schema: q.store.schema,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return len(res.Jobs)
}

const deadSQL = `SELECT args, priority > 1, attempt, finalized_at, coalesce(errors[array_upper(errors, 1)] ->> 'error', '')
		FROM motion.river_job WHERE state = 'discarded' AND queue = 'motion' AND finalized_at IS NOT NULL
		ORDER BY finalized_at DESC, id DESC LIMIT $1`

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
