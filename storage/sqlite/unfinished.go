package sqlite

import (
	"context"

	"github.com/bodymotion/motion/storage"
)

const (
	newestSQL     = `SELECT coalesce(max(seq), 0) FROM records`
	unfinishedSQL = columns + ` INDEXED BY records_unfinished
		WHERE status IN ('UNPROCESSED', 'PROCESSING') AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`
)

// portion is how many records Unfinished reads at a time.
const portion = 100

// Unfinished implements storage.Store. It reads the records in portions, so that no read
// transaction is open while fn runs. Records created meanwhile are left out; one that is
// finished before its turn may be.
func (s *Store) Unfinished(ctx context.Context, fn func(storage.Record) error) error {
	var at, newest int64
	if err := s.newest.QueryRowContext(ctx).Scan(&newest); err != nil {
		return kind(ctx, err)
	}
	for {
		rows, err := s.unfinished.QueryContext(ctx, at, newest, portion)
		if err != nil {
			return kind(ctx, err)
		}
		records, last, err := scan(rows, portion)
		if err != nil {
			return kind(ctx, err)
		}
		for _, r := range records {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(r); err != nil {
				return err
			}
		}
		if len(records) < portion {
			return nil
		}
		at = last
	}
}
