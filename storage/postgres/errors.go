package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/bodymotion/motion/storage"
)

// kind returns ctx's error if ctx has ended, and else gives an error of PostgreSQL its kind: storage.ErrUnavailable
// if trying again may help, storage.ErrInvalid for text that the server cannot store.
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
	case code(err) == "08P01" && strings.Contains(err.Error(), "unsupported startup parameter"): // from PgBouncer
		return fmt.Errorf("%w address of a database: remove the setting from it, or add it to PgBouncer's ignore_startup_parameters: %w", storage.ErrInvalid, err)
	case transient(err):
		return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
	case code(err) == "42P05", code(err) == "26000": // the statement is already prepared, or is not prepared
		return fmt.Errorf("the server is behind a pooler that keeps no prepared statements: set %s=cache_describe in the address: %w", execMode, err)
	case code(err) == "22021", code(err) == "22P05": // a zero byte, or not UTF-8
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

// transient reports whether trying again may help.
func transient(err error) bool {
	c := code(err)
	if c == "" {
		return lost(err)
	}
	return slices.ContainsFunc([]string{
		"08",    // connection
		"40",    // rolled back because of a conflict
		"53",    // out of disk, memory or connections
		"55P03", // a lock is held
		"57",    // the server shuts down, or has cancelled the query
		"58",    // I/O error
		"25006", // a standby, during a failover
	}, func(prefix string) bool { return strings.HasPrefix(c, prefix) })
}

// lost reports whether the connection broke or could not be made.
func lost(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, pgconn.ErrConnClosed) || pgconn.SafeToRetry(err) ||
		strings.HasPrefix(code(err), "57P0") || strings.HasPrefix(code(err), "08") // "08": from a pooler
}
