package postgres

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/bodymotion/motion/storage"
)

// Options of a Store. The zero value is ready to use.
type Options struct {
	// Schema holds the tables and nothing else: a-z, 0-9 and '_', at most 46 bytes, not
	// beginning with a digit; default "motion". It is created if it does not exist.
	Schema string
}

// Store is a storage.Store and a storage.AnswerKeeper in a schema of a PostgreSQL database. Open and New return one.
type Store struct {
	pool   *pgxpool.Pool
	owned  bool
	pooled bool // the connections go through a pooler such as PgBouncer
	schema string
	names  *strings.Replacer
}

var _ storage.Store = (*Store)(nil)

// goodSchema leaves room for the names that River derives from the schema's.
var goodSchema = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,45}$`)

// Open connects to the database that dsn names, a URL ("postgres://…") or a list of settings
// ("host=… dbname=…"), and does what New does. Close closes the connections.
//
// Behind a pooler such as PgBouncer no statements are prepared, unless dsn sets default_query_exec_mode.
func Open(ctx context.Context, dsn string, opt Options) (*Store, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("%w address of a database: %w", storage.ErrInvalid, err)
	}
	if !strings.Contains(dsn, execMode) {
		if err := unprepared(ctx, cfg.ConnConfig); err != nil {
			return nil, kind(ctx, err)
		}
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, kind(ctx, err)
	}
	s, err := New(ctx, pool, opt)
	if err != nil {
		pool.Close()
		return nil, err
	}
	s.owned = true
	return s, nil
}

// New returns the Store in the database of a pool. The pool stays the caller's and must not be closed before the last
// use of the Store. New creates the tables, or migrates those of an older version of this package; other processes
// wait meanwhile. A schema of a newer version is storage.ErrInvalid and stays as it is.
//
// Behind a pooler such as PgBouncer that keeps no prepared statements, the pool must not
// prepare any: set ConnConfig.DefaultQueryExecMode to pgx.QueryExecModeCacheDescribe.
func New(ctx context.Context, pool *pgxpool.Pool, opt Options) (*Store, error) {
	if pool == nil {
		return nil, fmt.Errorf("%w pool: it is nil", storage.ErrInvalid)
	}
	opt.Schema = cmp.Or(opt.Schema, "motion")
	if !goodSchema.MatchString(opt.Schema) || strings.HasPrefix(opt.Schema, "pg_") {
		return nil, fmt.Errorf("%w Options.Schema: %q", storage.ErrInvalid, opt.Schema)
	}
	s := &Store{pool: pool, schema: opt.Schema, names: strings.NewReplacer("motion.", opt.Schema+".")}
	if err := s.recognize(ctx); err != nil {
		return nil, kind(ctx, err)
	}
	if err := s.migrate(ctx, migrations()); err != nil {
		return nil, fmt.Errorf("schema %s: %w", s.schema, kind(ctx, err))
	}
	return s, nil
}

// Close waits for running calls and closes the connections that Open made.
func (s *Store) Close() error {
	if s.owned {
		s.pool.Close()
	}
	return nil
}

// sql returns a query written for the schema motion with the Store's schema.
func (s *Store) sql(query string) string { return s.names.Replace(query) }

// A pooler such as PgBouncer passes a server connection from one client to another: its prepared statements and LISTEN are lost or visible
// to others. Behind a pooler, therefore, pgx caches the types of a statement instead of preparing it, and Work polls for jobs.

// execMode is the setting of pgx's addresses that selects how statements are sent.
const execMode = "default_query_exec_mode"

// pooled reports whether the connection ends at a pooler and not at the server: a pooler does not
// announce the process ID of the server's session.
func pooled(ctx context.Context, conn *pgx.Conn) (bool, error) {
	var process uint32
	err := conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&process)
	return process != conn.PgConn().PID(), err
}

// unprepared makes cfg prepare no statements if the server is behind a pooler.
func unprepared(ctx context.Context, cfg *pgx.ConnConfig) error {
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	behind, err := pooled(ctx, conn)
	if behind {
		cfg.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	return err
}

// recognize sets s.pooled.
func (s *Store) recognize(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	s.pooled, err = pooled(ctx, conn.Conn())
	return err
}
