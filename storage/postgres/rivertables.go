package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// migrate brings River's tables up to date, one process at a time and step by step: a step may
// need what the former one has committed. It needs one connection only, so that processes
// which start at once cannot keep the last ones of a pool from the one that has its turn.
func (q *Queue) migrate(ctx context.Context) error {
	migrator, err := q.migrator(riverpgxv5.New(q.store.pool))
	if err != nil {
		return err
	}
	// Nearly always they are up to date, and nobody waits for anybody. What this does not
	// find is told below.
	if res, err := migrator.Validate(ctx, nil); err == nil && res.OK {
		if ready, err := q.indexed(ctx, q.store.pool); err == nil && ready {
			return nil
		}
	}
	for done := false; !done; {
		err := locked(ctx, q.store.pool, q.store.schema, func(tx pgx.Tx) error {
			migrator, err := q.migrator(within{riverpgxv5.New(q.store.pool), tx})
			if err != nil {
				return err
			}
			res, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, &rivermigrate.MigrateOpts{MaxSteps: 1})
			if err != nil || len(res.Versions) > 0 {
				return err
			}
			done = true
			// Not "IF NOT EXISTS", which waits for all who write to the table in any case.
			if ready, err := q.indexed(ctx, tx); err != nil || ready {
				return err
			}
			_, err = tx.Exec(ctx, q.store.sql(turnsIndexSQL))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (q *Queue) migrator(in riverdriver.Driver[pgx.Tx]) (*rivermigrate.Migrator[pgx.Tx], error) {
	return rivermigrate.New(in, &rivermigrate.Config{Schema: q.store.schema, Logger: q.logger})
}

// indexed reports whether our index is there.
func (q *Queue) indexed(ctx context.Context, in interface {
	QueryRow(context.Context, string, ...any) pgx.Row
}) (ready bool, err error) {
	err = in.QueryRow(ctx, q.store.sql(`SELECT to_regclass('motion.river_job_turns') IS NOT NULL`)).Scan(&ready)
	return ready, err
}

// within is River's driver, but that it does everything in a transaction.
type within struct {
	*riverpgxv5.Driver
	tx pgx.Tx
}

// GetExecutor implements riverdriver.Driver.
func (w within) GetExecutor() riverdriver.Executor { return w.UnwrapExecutor(w.tx) }
