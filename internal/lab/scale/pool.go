package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
)

// poolSize is the number of connections of PgBouncer to the server.
const poolSize = 20

// pool measures jobs and latency through PgBouncer in transaction mode, each right after the same
// without it. Then many idle workers share its connections.
func pool(ctx context.Context, b *bench) error {
	pooler, err := b.pg.StartPgBouncer("transaction", poolSize)
	if errors.Is(err, testkit.ErrMissing) {
		b.say("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer pooler.Kill()
	ways := []struct {
		name string
		*testkit.PgBouncer
	}{{"postgres", nil}, {"through PgBouncer", pooler}}
	defer func() { b.pg.pooler = nil }()

	b.say("store\testimate\tprocesses\tjobs/s\t× direct\ttransactions/job")
	for _, c := range []struct {
		sleep     time.Duration
		processes int
		each      int
	}{{0, 1, b.amount(1000, 100)}, {0, 4, b.amount(500, 50)}, {50 * time.Millisecond, 4, b.amount(300, 40)}} {
		var direct float64
		for _, way := range ways {
			b.pg.pooler = way.PgBouncer
			rate, job, err := b.costs(ctx, c.processes, c.each*c.processes, childArgs{Sleep: c.sleep, Handlers: 4})
			if err != nil {
				return err
			}
			if way.PgBouncer == nil {
				direct = rate
			}
			b.say("%s\t%v\t%d\t%.0f\t%.2f\t%.1f", way.name, c.sleep, c.processes, rate, rate/direct, job.commits)
		}
	}
	b.say("\nstore\tjobs\trequest, p50\trequest to start of the handler, p50\tp99\tmax")
	for _, way := range ways {
		b.pg.pooler = way.PgBouncer
		if err := b.postgresLatency(ctx, way.name+", another process", b.amount(500, 50)); err != nil {
			return err
		}
	}
	return b.idle(ctx, pooler, b.amount(200, 20))
}

// idle opens stores and queues as many worker processes would, lets them poll once a second, and
// requests a job now and then.
func (b *bench) idle(ctx context.Context, pooler *testkit.PgBouncer, workers int) error {
	begin := time.Now()
	queues, err := b.queues(ctx, workers)
	if err != nil {
		return err
	}
	opened := time.Since(begin)

	workCtx, stop := context.WithCancel(ctx)
	defer stop()
	begun, errs := newTimes(), make([]error, workers)
	var wg sync.WaitGroup
	for i, q := range queues {
		pause(ctx, time.Second/time.Duration(workers)) // processes do not all poll at the same time
		wg.Go(func() {
			errs[i] = q.Work(workCtx, 1, func(_ context.Context, j storage.Job) error {
				begun.note(j.Key)
				return nil
			})
		})
	}
	before, err := b.pg.work(ctx)
	if err != nil {
		return err
	}
	begin = time.Now()
	n := b.amount(200, 10)
	var asked []int64
	var clients, servers int
	for i := range n {
		asked = append(asked, time.Now().UnixMicro())
		if err := queues[i%workers].Push(ctx, storage.Job{Key: storage.Key{Owner: owner, Kind: storage.Keypoints, ID: int64(i)}}); err != nil {
			return err
		}
		c, s, err := pools(ctx, pooler)
		if err = cmp.Or(err, pause(ctx, 100*time.Millisecond)); err != nil {
			return err
		}
		clients, servers = max(clients, c), max(servers, s)
	}
	after, err := b.pg.work(ctx)
	during := time.Since(begin).Seconds()
	for err == nil && begun.len() < n {
		err = pause(ctx, 20*time.Millisecond)
	}
	stop()
	wg.Wait()
	if err := errors.Join(append(errs, err)...); err != nil {
		return err
	}
	var waits []time.Duration
	for i, at := range asked {
		waits = append(waits, time.Duration(begun.at[int64(i)]-at)*time.Microsecond)
	}
	b.say("\nidle workers\topened at once in\tconnections to PgBouncer\tto the server\ttransactions/s\tpush to start of the handler, p50\tp99")
	b.say("%d, polling once a second\t%.1f s\t%d\t%d of %d\t%.0f\t%d ms\t%d ms", workers, opened.Seconds(), clients, servers, poolSize,
		(after.commits-before.commits)/during, percentile(waits, 0.5).Milliseconds(), percentile(waits, 0.99).Milliseconds())
	return nil
}

// queues opens stores and queues, all at once.
func (b *bench) queues(ctx context.Context, n int) ([]*postgres.Queue, error) {
	schema := b.pg.schema()
	var wg sync.WaitGroup
	queues, errs := make([]*postgres.Queue, n), make([]error, n)
	for i := range n {
		wg.Go(func() {
			s, err := b.pg.open(ctx, schema, 3)
			if err == nil {
				context.AfterFunc(ctx, func() { s.Close() })
				queues[i], err = postgres.NewQueue(ctx, s, postgres.QueueOptions{Poll: time.Second, Logger: quiet})
			}
			errs[i] = err
		})
	}
	wg.Wait()
	return queues, errors.Join(errs...)
}

// len returns the number of recorded records.
func (t *times) len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.at)
}

// pools returns the numbers of connections of PgBouncer to clients and to the server.
func pools(ctx context.Context, pooler *testkit.PgBouncer) (clients, servers int, err error) {
	cfg, err := pgx.ParseConfig(pooler.URL())
	if err != nil {
		return 0, 0, err
	}
	cfg.Database, cfg.DefaultQueryExecMode = "pgbouncer", pgx.QueryExecModeSimpleProtocol
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return 0, 0, err
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, "SHOW POOLS")
	if err != nil {
		return 0, 0, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToMap)
	for _, row := range all {
		if row["database"] == "pgbouncer" {
			continue
		}
		for name, v := range row {
			var n int
			if _, err := fmt.Sscan(fmt.Sprint(v), &n); err != nil {
				continue // not a number
			}
			switch {
			case name == "cl_active" || name == "cl_waiting":
				clients += n
			case strings.HasPrefix(name, "sv_"):
				servers += n
			}
		}
	}
	return clients, servers, err
}
