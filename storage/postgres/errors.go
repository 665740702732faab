package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/bodymotion/motion/storage"
)

// kind gives an error of PostgreSQL its kind: the context's own error where it has ended,
// storage.ErrUnavailable for what may pass, and storage.ErrInvalid for text that the
// server cannot keep.
func kind(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	if errors.Is(err, storage.ErrUnavailable) {
		return err
	}
	switch {
	case code(err) == "08P01" && strings.Contains(err.Error(), "unsupported startup parameter"): // says PgBouncer
		return fmt.Errorf("%w address of a database: take the setting out of it, or name it in PgBouncer's ignore_startup_parameters: %w", storage.ErrInvalid, err)
	case passes(err):
		return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
	case code(err) == "42P05", code(err) == "26000": // a statement is prepared already, or is not
		return fmt.Errorf("a pooler stands before the server, and keeps no prepared statements: set %s=cache_describe in the address: %w", execMode, err)
	case code(err) == "22021", code(err) == "22P05": // a zero byte, or no UTF-8
		return fmt.Errorf("%w text: %w", storage.ErrInvalid, err)
	}
	return err
}

// code returns the SQLSTATE of a server's error, "" for others.
func code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// passes reports whether trying again may help.
func passes(err error) bool {
	if c := code(err); c != "" {
		for _, prefix := range []string{
			"08",    // connection
			"40",    // rolled back because of others
			"53",    // disk, memory or connections are used up
			"55P03", // a lock is held
			"57",    // the server goes down, or has ended the query
			"58",    // input or output
			"25006", // a standby, during a failover
		} {
			if strings.HasPrefix(c, prefix) {
				return true
			}
		}
		return false
	}
	return lost(err)
}

// lost reports whether the connection broke, or was not to be had.
func lost(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, pgconn.ErrConnClosed) || pgconn.SafeToRetry(err) ||
		strings.HasPrefix(code(err), "57P0") || strings.HasPrefix(code(err), "08") // the latter: as a pooler says it
}

func notFound(key storage.Key) error {
	return fmt.Errorf("%s/%d: %w", key.Kind, key.ID, storage.ErrNotFound)
}
