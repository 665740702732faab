package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/storage"
)

// commitWait is how long a commit may take, including the query for its outcome.
const commitWait = 10 * time.Second

// trace identifies a transaction after its commit.
type trace struct {
	xid  string // the transaction ID
	sql  string // asks whether it was committed: true, false, or no row if that is unknown
	args []any
}

// write runs fn in a transaction. ctx can end the call before the commit, and not later: if the
// call returns ctx's error, nothing has changed.
func (s *Store) write(ctx context.Context, fn func(pgx.Tx) (trace, error)) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return kind(ctx, err)
	}
	done, err := fn(tx)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitWait)
	defer cancel()
	if err != nil {
		// If this fails, the connection is broken and the server rolls back.
		_ = tx.Rollback(end)
		return kind(ctx, err)
	}
	err = tx.Commit(end)
	if err == nil || !lost(err) && end.Err() == nil {
		return kind(end, err)
	}
	committed, unknown := s.outcome(end, done)
	switch {
	case unknown != nil:
		return errors.Join(fmt.Errorf("%w: it is unknown whether this was committed: %w", storage.ErrUnavailable, err), unknown)
	case committed:
		return nil
	}
	return fmt.Errorf("%w: not committed: %w", storage.ErrUnavailable, err)
}

// outcome asks the server whether a transaction was committed whose commit returned an error.
func (s *Store) outcome(ctx context.Context, done trace) (committed bool, unknown error) {
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		var status string
		err := s.pool.QueryRow(ctx, "SELECT coalesce(pg_xact_status($1::text::xid8), 'aborted')", done.xid).Scan(&status)
		switch {
		case err == nil && status == "committed":
			// It may be another transaction: after a crash, the server reuses the IDs of
			// transactions of which it kept nothing.
			err = s.pool.QueryRow(ctx, s.sql(done.sql), done.args...).Scan(&committed)
			if err == nil || errors.Is(err, pgx.ErrNoRows) {
				return committed, err
			}
		case err == nil && status == "aborted", code(err) == "22023": // 22023: the ID is not in use yet
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, errors.Join(ctx.Err(), err)
		case <-time.After(pause):
		}
	}
}
