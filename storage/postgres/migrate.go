package postgres

import (
	"context"
	"embed"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

//go:embed migrations/*.sql
var files embed.FS

// migrations returns the scripts, each of which migrates a schema to the next version.
func migrations() []string { return driver.Migrations(files) }

// migrate runs the scripts that the schema has not seen, all or none.
func (s *Store) migrate(ctx context.Context, scripts []string) error {
	// The schema is nearly always current; then processes that start at once do not wait for each other. The code below reports errors.
	var at int
	err := s.pool.QueryRow(ctx, s.sql("SELECT version FROM motion.version"), pgx.QueryExecModeSimpleProtocol).Scan(&at)
	if err == nil && at == len(scripts) {
		return nil
	}
	return locked(ctx, s.pool, s.schema, func(tx pgx.Tx) error {
		at, err := s.version(ctx, tx)
		if err != nil {
			return err
		}
		pending, err := driver.Pending(scripts, "schema", at)
		if err != nil || len(pending) == 0 {
			return err
		}
		if _, err := tx.Exec(ctx, "SET LOCAL search_path = "+s.schema); err != nil {
			return err
		}
		for i, script := range pending {
			if _, err := tx.Exec(ctx, script, pgx.QueryExecModeSimpleProtocol); err != nil {
				return fmt.Errorf("to version %d: %w", at+i+1, err)
			}
		}
		_, err = tx.Exec(ctx, "UPDATE version SET version = $1", len(scripts))
		return err
	})
}

// locked runs fn in a transaction, for one process and schema at a time.
func locked(ctx context.Context, pool *pgxpool.Pool, schema string, fn func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended('github.com/bodymotion/motion:' || $1, 0))", schema); err != nil {
			return err
		}
		// A session may cache that a table does not exist, until it locks any table; the advisory lock does not clear that cache.
		if _, err := tx.Exec(ctx, "SELECT FROM pg_class LIMIT 0"); err != nil {
			return err
		}
		return fn(tx)
	})
}

// version returns the version of the schema. If the schema is missing or empty, it creates one of version 0.
func (s *Store) version(ctx context.Context, tx pgx.Tx) (at int, err error) {
	var exists, ours, empty bool
	err = tx.QueryRow(ctx, `SELECT to_regnamespace($1) IS NOT NULL, to_regclass($1 || '.version') IS NOT NULL,
		NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace($1))`, s.schema).Scan(&exists, &ours, &empty)
	switch {
	case err != nil:
		return 0, err
	case ours:
		err = tx.QueryRow(ctx, s.sql("SELECT version FROM motion.version")).Scan(&at)
		return at, err
	case !empty:
		return 0, fmt.Errorf("%w schema: it holds the tables of another program", storage.ErrInvalid)
	case !exists:
		// "IF NOT EXISTS" would need the right to create schemas in any case.
		if _, err := tx.Exec(ctx, "CREATE SCHEMA "+s.schema); err != nil {
			return 0, err
		}
	}
	const create = "CREATE TABLE motion.version (version integer NOT NULL); INSERT INTO motion.version VALUES (0)"
	_, err = tx.Exec(ctx, s.sql(create), pgx.QueryExecModeSimpleProtocol)
	return 0, err
}

// migrate migrates River's tables, one process at a time and one transaction per step: a step may depend on the commit of the
// former one. It uses one connection, so that processes that start at once cannot starve the one that holds the lock.
func (q *Queue) migrate(ctx context.Context) error {
	migrator, err := q.migrator(riverpgxv5.New(q.store.pool))
	if err != nil {
		return err
	}
	// The tables are nearly always current; then processes do not wait for each other. The code below reports errors.
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

func (w within) GetExecutor() riverdriver.Executor { return w.UnwrapExecutor(w.tx) }
