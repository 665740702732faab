package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/bodymotion/motion/storage"
)

// QueueOptions of a Queue. The zero value is ready to use.
type QueueOptions struct {
	// Lease is how long a job stays with a process that does not renew it, before it is
	// handed out again; default 30 s, at least 1 s. It must be the same in every process.
	Lease time.Duration
	// MaxAttempts is how often a job that ends in errors is handed out before it is dead: it stays in River's table
	// as discarded until it is pushed again. Default 25, which takes about an hour.
	MaxAttempts int
	// Poll is how often each Work looks for jobs that have become due again after a pause; default 100 ms, at least 5 ms. The
	// server notifies it of new jobs (NOTIFY) within milliseconds. Hundreds of processes should poll once a second.
	Poll time.Duration
	// PollOnly finds new jobs by polling, too, which saves each Work a connection. It is
	// always set behind a pooler such as PgBouncer, which passes no notifications.
	PollOnly bool
	Logger   *slog.Logger // gets River's warnings and errors; default slog.Default()
}

// Queue is a storage.Queue, storage.JobCreator and storage.Counter in the database of a Store. Create one with NewQueue.
//
// Owners draw lots for each job; the winner's oldest job is handed out. A job whose handler returns storage.Snooze
// again and again is handed out after growing pauses, up to two seconds if the requested pause is shorter. A
// handler's context ends when the lease of its job cannot be renewed.
type Queue struct {
	store  *Store
	opt    QueueOptions
	client *river.Client[pgx.Tx] // for Push
	clock  *clock
}

var (
	_ storage.JobCreator = (*Queue)(nil)
	_ storage.Counter    = (*Queue)(nil)
)

// open are the states of a job that is not done.
var open = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
	rivertype.JobStateRetryable, rivertype.JobStateScheduled,
}

// queueName is the name of the queue and of the kind of all jobs.
const queueName = "motion"

// jobArgs are the arguments of a job in River.
type jobArgs struct {
	Owner  string       `json:"owner"`
	Record storage.Kind `json:"kind"`
	ID     int64        `json:"id"`
}

func (jobArgs) Kind() string { return queueName }

// json is a job as a parameter of a query, also if pgx does not know the parameter's type.
func (a jobArgs) json() string {
	b, _ := json.Marshal(a) // strings and a number: no error
	return string(b)
}

func (a jobArgs) key() storage.Key { return storage.Key{Owner: a.Owner, Kind: a.Record, ID: a.ID} }

// The priorities of jobs; River hands out the lowest first.
const (
	quickJob = 1
	slowJob  = 2
)

// NewQueue returns the Queue in the schema of a Store. It creates or migrates River's tables;
// other processes wait meanwhile. The Store must stay open.
func NewQueue(ctx context.Context, s *Store, opt QueueOptions) (*Queue, error) {
	if s == nil {
		return nil, fmt.Errorf("%w Store: it is nil", storage.ErrInvalid)
	}
	opt.Lease = cmp.Or(opt.Lease, 30*time.Second)
	opt.Poll = cmp.Or(opt.Poll, 100*time.Millisecond)
	opt.MaxAttempts = cmp.Or(opt.MaxAttempts, 25)
	opt.Logger = cmp.Or(opt.Logger, slog.Default())
	if opt.Lease < time.Second || opt.Poll < fetchPause || opt.MaxAttempts < 1 || opt.MaxAttempts > 10_000 {
		return nil, fmt.Errorf(
			"%w QueueOptions: a lease of %v, a poll every %v and %d attempts, want at least 1 s, at least %v and 1 to 10,000",
			storage.ErrInvalid, opt.Lease, opt.Poll, opt.MaxAttempts, fetchPause)
	}
	opt.PollOnly = opt.PollOnly || s.pooled
	opt.Logger = slog.New(warnings{opt.Logger.Handler()})
	q := &Queue{store: s, opt: opt, clock: new(clock)}
	if err := q.migrate(ctx); err != nil {
		return nil, fmt.Errorf("schema %s: %w", s.schema, kind(ctx, err))
	}
	err := q.clock.set(ctx, s)
	if err != nil {
		return nil, kind(ctx, err)
	}
	q.client, err = river.NewClient(dated{riverpgxv5.New(s.pool), q.clock}, &river.Config{
		Schema: s.schema, Logger: q.opt.Logger, FetchCooldown: river.FetchCooldownMin, // between two notifications
	})
	return q, err
}

// Push implements storage.Queue. A dead job gets all its attempts again. A Push that fails
// may have pushed the job: trying again does no harm.
func (q *Queue) Push(ctx context.Context, j storage.Job) error {
	err := pgx.BeginFunc(ctx, q.store.pool, func(tx pgx.Tx) error {
		if err := q.push(ctx, tx, j); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, q.store.sql(buryDeadSQL), jobArgs{j.Owner, j.Kind, j.ID}.json())
		return err
	})
	return kind(ctx, err)
}

const buryDeadSQL = `DELETE FROM motion.river_job WHERE state = 'discarded' AND queue = 'motion' AND args = $1::jsonb`

const holdsSQL = `SELECT EXISTS (SELECT FROM motion.river_job WHERE args @> $1::jsonb AND queue = 'motion'
	AND state IN ('available', 'pending', 'running', 'retryable', 'scheduled'))`

// Holds implements storage.Queue. Dead jobs do not count.
func (q *Queue) Holds(ctx context.Context, key storage.Key) (held bool, err error) {
	err = q.store.pool.QueryRow(ctx, q.store.sql(holdsSQL), jobArgs{key.Owner, key.Kind, key.ID}.json()).Scan(&held)
	return held, kind(ctx, err)
}

// backlogSQL uses River's index on state and queue: its time grows with the jobs that are not
// done (BenchmarkBacklog), and not with those that are.
const backlogSQL = `SELECT count(*) FILTER (WHERE state <> 'running'), count(*) FILTER (WHERE state = 'running') FROM motion.river_job
	WHERE queue = 'motion' AND state IN ('available', 'pending', 'running', 'retryable', 'scheduled')`

// Backlog implements storage.Counter. Dead jobs do not count.
func (q *Queue) Backlog(ctx context.Context) (b storage.Backlog, err error) {
	err = q.store.pool.QueryRow(ctx, q.store.sql(backlogSQL)).Scan(&b.Waiting, &b.Running)
	return b, kind(ctx, err)
}

// aheadSQL counts as owners who take turns do: of each other owner as many jobs as its own that are earlier, and one more
// of one who has waited longer.
const aheadSQL = `WITH mine AS (
	SELECT id, args ->> 'owner' AS owner FROM motion.river_job
	WHERE args @> $1::jsonb AND queue = 'motion' AND priority = $2 AND state IN ('available', 'pending', 'retryable', 'scheduled')
), jobs AS (
	SELECT args ->> 'owner' AS owner, count(*) FILTER (WHERE state = 'running') AS running,
		count(*) FILTER (WHERE state <> 'running') AS waiting, min(id) FILTER (WHERE state <> 'running') AS oldest,
		count(*) FILTER (WHERE state <> 'running' AND id < (SELECT id FROM mine)) AS earlier
	FROM motion.river_job WHERE queue = 'motion' AND priority = $2
		AND state IN ('available', 'pending', 'running', 'retryable', 'scheduled') GROUP BY 1
)
SELECT sum(jobs.running + CASE WHEN jobs.owner = own.owner THEN own.earlier
	ELSE least(jobs.waiting, own.earlier + (jobs.oldest < own.oldest)::int) END)::int
FROM jobs, jobs AS own JOIN mine USING (owner)`

// Ahead implements storage.Counter.
func (q *Queue) Ahead(ctx context.Context, key storage.Key) (n int, waits bool, err error) {
	var found *int
	err = q.store.pool.QueryRow(ctx, q.store.sql(aheadSQL), jobArgs{key.Owner, key.Kind, key.ID}.json(), slowJob).Scan(&found)
	if found != nil {
		n, waits = *found, true
	}
	return n, waits, kind(ctx, err)
}

func (q *Queue) CreatesIn(s storage.Store) bool {
	own, ok := storage.As[*Store](s)
	return ok && own == q.store
}

func (q *Queue) CreateWithJob(ctx context.Context, r storage.Record, slow bool) (storage.Record, error) {
	return q.store.create(ctx, r, func(tx pgx.Tx, key storage.Key) error {
		return q.push(ctx, tx, storage.Job{Key: key, Slow: slow})
	})
}

// push adds a job in a transaction.
func (q *Queue) push(ctx context.Context, tx pgx.Tx, j storage.Job) error {
	priority := quickJob
	if j.Slow {
		priority = slowJob
	}
	res, err := q.client.InsertTx(ctx, tx, jobArgs{j.Owner, j.Kind, j.ID}, &river.InsertOpts{
		Queue: queueName, Priority: priority, MaxAttempts: q.opt.MaxAttempts,
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: open},
	})
	if err != nil || !res.UniqueSkippedAsDuplicate || res.Job.State != rivertype.JobStateRunning {
		return err
	}
	// InsertTx has locked the row, so that complete waits until this is committed.
	_, err = tx.Exec(ctx, q.store.sql(`UPDATE motion.river_job SET metadata = metadata || '{"again": true}' WHERE id = $1`), res.Job.ID)
	return err
}

// pushedAgain reports whether a job was pushed while it ran, and clears that mark.
func (q *Queue) pushedAgain(ctx context.Context, tx pgx.Tx, id int64) (again bool, err error) {
	var metadata json.RawMessage
	if err := tx.QueryRow(ctx, q.store.sql(`SELECT metadata FROM motion.river_job WHERE id = $1 FOR UPDATE`), id).Scan(&metadata); err != nil {
		return false, err
	}
	var m struct{ Again bool }
	if err := json.Unmarshal(metadata, &m); err != nil || !m.Again {
		return false, err
	}
	_, err = tx.Exec(ctx, q.store.sql(`UPDATE motion.river_job SET metadata = metadata - 'again' WHERE id = $1`), id)
	return true, err
}

// warnings is a handler of warnings and errors alone.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && w.Handler.Enabled(ctx, l)
}

func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }
