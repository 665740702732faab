package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/storage"
)

const (
	columns = `p.seq, p.owner, p.kind, p.id, p.created_at, p.updated_at, p.status, p.failure, p.attempts, p.data`

	// The total stands in every row, and in a row of its own where the page is empty. One
	// query, so that the total and the page are of the same moment.
	listSQL = `
		SELECT t.n, ` + columns + `
		FROM (SELECT coalesce(sum(n), 0)::bigint AS n FROM motion.counts
			WHERE owner = $1 AND kind = $2 AND shift = 62 AND block = 0 AND ($3 = '' OR status = $3)) t
		LEFT JOIN LATERAL motion.leap($1, $2, $3, $4) l ON l.newest IS NOT NULL
		LEFT JOIN LATERAL (SELECT * FROM motion.records r
			WHERE r.owner = $1 AND r.kind = $2 AND r.id <= l.newest AND `
	listAnySQL = listSQL + `$3 = ''` + listEnd
	listOfSQL  = listSQL + `r.status = $3` + listEnd
	listEnd    = `
			ORDER BY r.id DESC LIMIT $5 OFFSET l.rest) p ON true
		ORDER BY p.id DESC`

	newestSQL     = `SELECT coalesce(max(seq), 0) FROM motion.records`
	unfinishedSQL = `SELECT 0::bigint, ` + columns + ` FROM motion.records p
		WHERE p.status IN ('UNPROCESSED', 'PROCESSING') AND p.seq > $1 AND p.seq <= $2 ORDER BY p.seq LIMIT $3`
	scanSQL    = `SELECT 0::bigint, ` + columns + ` FROM motion.scan($1, $2, $3) p`
	changedSQL = `SELECT 0::bigint, ` + columns + ` FROM motion.changed($1, $2, $3) p`
)

// List implements storage.Store. The time grows with Limit, and next to nothing with
// Offset and the number of records.
func (s *Store) List(ctx context.Context, owner string, of storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	if f.Offset < 0 || f.Limit < 1 {
		return nil, 0, fmt.Errorf("%w filter: offset %d and limit %d, want at least 0 and 1", storage.ErrInvalid, f.Offset, f.Limit)
	}
	query := listAnySQL
	if f.Status != "" {
		query = listOfSQL
	}
	records, total, _, err := s.read(ctx, query, owner, of, f.Status, f.Offset, f.Limit)
	return records, total, err
}

// read runs a query for a total and columns. It returns the seq of the last record too.
func (s *Store) read(ctx context.Context, query string, args ...any) (records []storage.Record, total int, last int64, err error) {
	rows, err := s.pool.Query(ctx, s.sql(query), args...)
	if err != nil {
		return nil, 0, 0, kind(ctx, err)
	}
	var row struct {
		seq, id, attempts            *int64
		owner, kind, status, failure *string
		created, updated             *time.Time
		data                         []byte
	}
	_, err = pgx.ForEachRow(rows, []any{
		&total, &row.seq, &row.owner, &row.kind, &row.id, &row.created, &row.updated, &row.status, &row.failure, &row.attempts, &row.data,
	}, func() error {
		if row.seq == nil {
			return nil // the page is empty
		}
		last = *row.seq
		records = append(records, storage.Record{
			Key:       storage.Key{Owner: *row.owner, Kind: storage.Kind(*row.kind), ID: *row.id},
			CreatedAt: row.created.UTC(), UpdatedAt: row.updated.UTC(),
			Status: storage.Status(*row.status), Failure: *row.failure, Attempts: int(*row.attempts),
			Data: row.data,
		})
		row.data = nil
		return nil
	})
	if err != nil {
		return nil, 0, 0, kind(ctx, err)
	}
	return records, total, last, nil
}

// Scan implements storage.Store.
func (s *Store) Scan(ctx context.Context, of storage.Kind, after int64, limit int) ([]storage.Record, error) {
	if limit < 1 {
		return nil, fmt.Errorf("%w limit: %d, want at least 1", storage.ErrInvalid, limit)
	}
	records, _, _, err := s.read(ctx, scanSQL, of, after, limit)
	return records, err
}

// Changed implements storage.Store.
func (s *Store) Changed(ctx context.Context, owner string, since time.Time, limit int) ([]storage.Record, error) {
	if limit < 1 {
		return nil, fmt.Errorf("%w limit: %d, want at least 1", storage.ErrInvalid, limit)
	}
	records, _, _, err := s.read(ctx, changedSQL, owner, since, limit)
	return records, err
}

// portion is how many records Unfinished reads at a time.
const portion = 100

// Unfinished implements storage.Store. It reads the records in portions, so that no
// connection is held while fn runs: records made in the meantime are left out, and a record
// that is finished before its turn may be.
func (s *Store) Unfinished(ctx context.Context, fn func(storage.Record) error) error {
	var at, newest int64
	if err := s.pool.QueryRow(ctx, s.sql(newestSQL)).Scan(&newest); err != nil {
		return kind(ctx, err)
	}
	for {
		records, _, last, err := s.read(ctx, unfinishedSQL, at, newest, portion)
		if err != nil {
			return err
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
