package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// migrate migrates River's tables, one process at a time and one transaction per step: a step may
// depend on the commit of the former one. It uses one connection, so that processes that start
// at once cannot starve the one that holds the lock.
func (q *Queue) migrate(ctx context.Context) error {
	migrator, err := q.migrator(riverpgxv5.New(q.store.pool))
	if err != nil {
		return err
	}
	// The tables are nearly always current; then processes do not wait for each other. The code
	// below reports errors.
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
			// "IF NOT EXISTS" would wait for all writers of the table in any case.
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
	return rivermigrate.New(in, &rivermigrate.Config{Schema: q.store.schema, Logger: q.opt.Logger})
}

// indexed reports whether the index of turnsIndexSQL exists.
func (q *Queue) indexed(ctx context.Context, in interface {
	QueryRow(context.Context, string, ...any) pgx.Row
}) (ready bool, err error) {
	err = in.QueryRow(ctx, q.store.sql(`SELECT to_regclass('motion.river_job_turns') IS NOT NULL`)).Scan(&ready)
	return ready, err
}

// within is River's driver inside a transaction.
type within struct {
	*riverpgxv5.Driver
	tx pgx.Tx
}

// GetExecutor implements riverdriver.Driver.
func (w within) GetExecutor() riverdriver.Executor { return w.UnwrapExecutor(w.tx) }
