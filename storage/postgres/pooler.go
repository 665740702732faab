package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// A pooler such as PgBouncer hands a connection to the server from one client to another,
// after each transaction or when the client goes. What belongs to a connection is lost or met
// by strangers then: prepared statements, and what is listened to. So where one stands
// between, pgx asks for the types of a statement once and sends it whole each time, and a
// Work looks for jobs. Nothing else here outlasts a transaction.

// execMode is the setting of pgx's addresses that says how statements are sent.
const execMode = "default_query_exec_mode"

// pooled reports whether the connection ends at a pooler and not at the server: the number of
// a session, by which it can be cancelled, is the server's process then only by chance.
func pooled(ctx context.Context, conn *pgx.Conn) (bool, error) {
	var process uint32
	err := conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&process)
	return process != conn.PgConn().PID(), err
}

// unprepared has cfg prepare no statements where a pooler stands between.
func unprepared(ctx context.Context, cfg *pgx.ConnConfig) error {
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	between, err := pooled(ctx, conn)
	if between {
		cfg.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	return err
}

// recognize notes whether a pooler stands between.
func (s *Store) recognize(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	s.pooled, err = pooled(ctx, conn.Conn())
	return err
}
