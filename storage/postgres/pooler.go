package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// A pooler such as PgBouncer passes a server connection from one client to another, after each
// transaction or when the client disconnects. The state of a connection is then lost or visible
// to other clients: prepared statements and LISTEN. Behind a pooler, therefore, pgx caches the
// types of a statement instead of preparing it, and Work polls for jobs. Nothing else here
// depends on the state of a connection.

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
