package postgres

import (
	"context"
	"embed"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/internal/driver"
)

//go:embed migrations/*.sql
var files embed.FS

// migrations returns the scripts, each of which migrates a schema to the next version.
func migrations() []string { return driver.Migrations(files) }

// migrate runs the scripts that the schema has not seen, all or none.
func (s *Store) migrate(ctx context.Context, scripts []string) error {
	// The schema is nearly always current; then processes that start at once do not wait for
	// each other. The code below reports errors.
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
		// A session may cache that a table does not exist, until it locks any table; the
		// advisory lock does not clear that cache.
		if _, err := tx.Exec(ctx, "SELECT FROM pg_class LIMIT 0"); err != nil {
			return err
		}
		return fn(tx)
	})
}

// version returns the version of the schema. If the schema is missing or empty, it creates one of
// version 0.
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
	_, err = tx.Exec(ctx, s.sql("CREATE TABLE motion.version (version integer NOT NULL); INSERT INTO motion.version VALUES (0)"), pgx.QueryExecModeSimpleProtocol)
	return 0, err
}
