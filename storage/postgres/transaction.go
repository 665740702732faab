package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/storage"
)

// commitWait is how long a commit may take, and its outcome is asked for.
const commitWait = 10 * time.Second

// write runs fn in a transaction; fn returns the transaction's id. The call ends with ctx as
// long as nothing is committed, and then no more: whoever gets the context's error knows
// that nothing has changed.
func (s *Store) write(ctx context.Context, fn func(pgx.Tx) (xid string, err error)) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return kind(ctx, err)
	}
	xid, err := fn(tx)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitWait)
	defer cancel()
	if err != nil {
		// The server does the same where the connection is broken.
		_ = tx.Rollback(end)
		return kind(ctx, err)
	}
	err = tx.Commit(end)
	if err != nil && (lost(err) || end.Err() != nil) {
		err = s.outcome(end, xid, err)
	}
	return kind(end, err)
}

// outcome asks what has become of a transaction whose commit ended in an error: nil when it
// is committed.
func (s *Store) outcome(ctx context.Context, xid string, commit error) error {
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		var status string
		err := s.pool.QueryRow(ctx, "SELECT coalesce(pg_xact_status($1::text::xid8), 'aborted')", xid).Scan(&status)
		if err == nil && status == "committed" {
			return nil
		}
		if err == nil && status == "aborted" {
			return fmt.Errorf("%w: not committed: %w", storage.ErrUnavailable, commit)
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("%w: it is unknown whether this was committed: %w", storage.ErrUnavailable, commit), err)
		case <-time.After(pause):
		}
	}
}
