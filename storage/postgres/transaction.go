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

// trace is what a transaction leaves behind.
type trace struct {
	xid  string // its id
	sql  string // asks whether it is committed: true, false, or no row where that is unknown
	args []any
}

// write runs fn in a transaction. The call ends with ctx as long as nothing is committed,
// and then no more: whoever gets the context's error knows that nothing has changed.
func (s *Store) write(ctx context.Context, fn func(pgx.Tx) (trace, error)) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return kind(ctx, err)
	}
	left, err := fn(tx)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitWait)
	defer cancel()
	if err != nil {
		// The server does the same where the connection is broken.
		_ = tx.Rollback(end)
		return kind(ctx, err)
	}
	err = tx.Commit(end)
	if err == nil || !lost(err) && end.Err() == nil {
		return kind(end, err)
	}
	committed, unknown := s.outcome(end, left)
	switch {
	case unknown != nil:
		return errors.Join(fmt.Errorf("%w: it is unknown whether this was committed: %w", storage.ErrUnavailable, err), unknown)
	case committed:
		return nil
	}
	return fmt.Errorf("%w: not committed: %w", storage.ErrUnavailable, err)
}

// outcome asks what has become of a transaction whose commit ended in an error.
func (s *Store) outcome(ctx context.Context, left trace) (committed bool, unknown error) {
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		var status string
		err := s.pool.QueryRow(ctx, "SELECT coalesce(pg_xact_status($1::text::xid8), 'aborted')", left.xid).Scan(&status)
		switch {
		case err == nil && status == "committed":
			// Or it is another one: a server that crashes forgets the last ids it has given,
			// where nothing of their transactions was kept, and gives them again.
			err = s.pool.QueryRow(ctx, s.sql(left.sql), left.args...).Scan(&committed)
			if err == nil || errors.Is(err, pgx.ErrNoRows) {
				return committed, err
			}
		case err == nil && status == "aborted", code(err) == "22023": // the latter: not given yet
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, errors.Join(ctx.Err(), err)
		case <-time.After(pause):
		}
	}
}
