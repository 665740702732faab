package postgres

import (
	"context"
	"testing"
)

// Jobs tells in which states, but for one, River's jobs are.
func (s *Store) Jobs(t *testing.T, but string) (states string, err error) {
	t.Helper()
	err = s.pool.QueryRow(t.Context(), s.sql(`SELECT coalesce(string_agg(state::text || ' ' || args::text || coalesce(errors::text, ''), ', '), '')
		FROM motion.river_job WHERE state <> $1::text::motion.river_job_state`), but).Scan(&states)
	return states, err
}

// Exec runs SQL that is written for the schema motion.
func (s *Store) Exec(tb testing.TB, query string, args ...any) {
	tb.Helper()
	if _, err := s.pool.Exec(tb.Context(), s.sql(query), args...); err != nil {
		tb.Fatal(err)
	}
}

// Migrate brings the store's schema on by more scripts than this version has.
func (s *Store) Migrate(ctx context.Context, more ...string) error {
	return kind(ctx, s.migrate(ctx, append(migrations(), more...)))
}
