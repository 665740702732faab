package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

// clock tells the time of the server. River gives jobs the time of the process, which may be wrong, or change; others would then
// hand out a job hours later.
type clock struct {
	mu            sync.Mutex
	local, server time.Time // the same moment
}

// set asks the server.
func (c *clock) set(ctx context.Context, s *Store) error {
	local := time.Now()
	var server time.Time
	if err := s.pool.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&server); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.local, c.server = local, server
	return nil
}

// of returns the time of the server at a time of this process. What is between that and the last set is measured with the
// monotonic clock, which does not jump, if t has its reading.
func (c *clock) of(t *time.Time) *time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t == nil || c.local.IsZero() {
		return t
	}
	at := c.server.Add(t.Sub(c.local))
	return &at
}

// dated is River's driver for jobs that are pushed: they get the time of the server.
type dated struct {
	*riverpgxv5.Driver
	clock *clock
}

func (d dated) UnwrapExecutor(tx pgx.Tx) riverdriver.ExecutorTx {
	return datedTx{d.Driver.UnwrapExecutor(tx), d.clock}
}

type datedTx struct {
	riverdriver.ExecutorTx
	clock *clock
}

func (d datedTx) JobInsertFastMany(ctx context.Context, p *riverdriver.JobInsertFastManyParams) ([]*riverdriver.JobInsertFastResult, error) {
	now := time.Now()
	for _, j := range p.Jobs {
		j.CreatedAt, j.ScheduledAt = d.clock.of(&now), d.clock.of(&now)
	}
	return d.ExecutorTx.JobInsertFastMany(ctx, p)
}

func (f fairExecutor) JobSetStateIfRunningMany(ctx context.Context, p *riverdriver.JobSetStateIfRunningManyParams) ([]*rivertype.JobRow, error) {
	set := *p
	set.ScheduledAt = make([]*time.Time, len(p.ScheduledAt))
	for i, t := range p.ScheduledAt {
		set.ScheduledAt[i] = f.clock.of(t)
	}
	return f.Executor.JobSetStateIfRunningMany(ctx, &set)
}

func (f fairExecutor) JobSchedule(ctx context.Context, p *riverdriver.JobScheduleParams) ([]*riverdriver.JobScheduleResult, error) {
	due := *p
	due.Now = f.clock.of(p.Now)
	return f.Executor.JobSchedule(ctx, &due)
}
