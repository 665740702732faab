package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage/postgres"
)

// postgreSQL is a server that this program starts, with default settings: it syncs at each commit.
type postgreSQL struct {
	*testkit.Postgres
	dir     string
	schemas int
	pooler  *testkit.PgBouncer // for new connections; nil: none
}

func startPostgreSQL() (*postgreSQL, error) {
	dir, err := os.MkdirTemp("", "motion-pg-")
	if err != nil {
		return nil, err
	}
	s, err := testkit.StartPostgres(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &postgreSQL{Postgres: s, dir: dir}, nil
}

func (s *postgreSQL) remove() error { return errors.Join(s.Stop(true), os.RemoveAll(s.dir)) }

// dsn returns the server's address for a pool of a number of connections.
func (s *postgreSQL) dsn(conns int) string {
	url := s.URL()
	if s.pooler != nil {
		url = s.pooler.URL()
	}
	return fmt.Sprintf("%s&pool_max_conns=%d", url, conns)
}

// schema returns the name of a new schema.
func (s *postgreSQL) schema() string {
	s.schemas++
	return fmt.Sprintf("scale_%d", s.schemas)
}

// open opens a store in a schema.
func (s *postgreSQL) open(ctx context.Context, schema string, conns int) (*postgres.Store, error) {
	return postgres.Open(ctx, s.dsn(conns), postgres.Options{Schema: schema})
}

// cost is the work of the server so far.
type cost struct{ commits, log float64 } // transactions, bytes

// work returns the server's cost, after closed sessions have reported theirs.
func (s *postgreSQL) work(ctx context.Context) (c cost, err error) {
	conn, err := pgx.Connect(ctx, s.URL())
	if err != nil {
		return c, err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, `SELECT xact_commit::float8, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8
		FROM pg_stat_database WHERE datname = current_database()`).Scan(&c.commits, &c.log)
	return c, err
}
