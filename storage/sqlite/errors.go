package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"

	"github.com/bodymotion/motion/storage"
)

// kind returns ctx's error if ctx has ended, and else gives an error of SQLite that may pass,
// such as a full disk or a lock, the kind storage.ErrUnavailable.
func kind(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	for _, code := range []sqlite3.ErrorCode{
		sqlite3.BUSY, sqlite3.LOCKED, sqlite3.PROTOCOL, sqlite3.FULL, sqlite3.IOERR, sqlite3.CANTOPEN, sqlite3.NOMEM,
	} {
		if errors.Is(err, code) {
			return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
		}
	}
	return err
}
