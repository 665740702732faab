package postgres

import (
	"context"
	"time"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

const (
	columns = `p.seq, p.owner, p.kind, p.id, p.created_at, p.updated_at, coalesce(p.at, p.created_at), p.labels, p.status, p.failure, p.attempts, p.data`

	// Every row has the total; an empty page is one row with the total alone. One query reads both, so that they agree.
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
	headSQL    = `SELECT 0::bigint, ` + columns + ` FROM motion.records p WHERE p.owner = $1 AND p.kind = $2 AND p.id = $3`
	scanSQL    = `SELECT 0::bigint, ` + columns + ` FROM motion.scan($1, $2, $3) p`
	changedSQL = `SELECT 0::bigint, ` + columns + ` FROM motion.changed($1, $2, $3) p`
)

// List implements storage.Store. Its time grows with Limit and hardly with Offset and the number of records; by At or Labels it grows
// with the number of records that have them, unless another label of the filter has few.
func (s *Store) List(ctx context.Context, owner string, of storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	if err := driver.CheckFilter(f); err != nil {
		return nil, 0, err
	}
	if driver.ByAt(f) {
		return s.listByAt(ctx, owner, of, f)
	}
	query := listAnySQL
	if f.Status != "" {
		query = listOfSQL
	}
	records, total, _, err := s.read(ctx, query, owner, of, f.Status, f.Offset, f.Limit)
	return records, total, err
}

// read runs a query for a total and columns. It also returns the seq of the last record.
func (s *Store) read(ctx context.Context, query string, args ...any) (records []storage.Record, total int, last int64, err error) {
	rows, err := s.pool.Query(ctx, s.sql(query), args...)
	if err != nil {
		return nil, 0, 0, kind(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		if rows.RawValues()[1] == nil { // the page is empty
			err = rows.Scan(&total, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil)
		} else {
			var r storage.Record
			err = rows.Scan(&total, &last, &r.Owner, &r.Kind, &r.ID, &r.CreatedAt, &r.UpdatedAt, &r.At, &r.Labels,
				&r.Status, &r.Failure, &r.Attempts, &r.Data)
			r.CreatedAt, r.UpdatedAt, r.At = r.CreatedAt.UTC(), r.UpdatedAt.UTC(), r.At.UTC()
			records = append(records, r)
		}
		if err != nil {
			return nil, 0, 0, kind(ctx, err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, 0, 0, kind(ctx, err)
	}
	return records, total, last, nil
}

func (s *Store) Head(ctx context.Context, key storage.Key) (storage.Record, error) {
	records, _, _, err := s.read(ctx, headSQL, key.Owner, key.Kind, key.ID)
	return driver.Only(key, records, err)
}

func (s *Store) Scan(ctx context.Context, of storage.Kind, after int64, limit int) ([]storage.Record, error) {
	return s.some(ctx, limit, scanSQL, of, after)
}

func (s *Store) Changed(ctx context.Context, owner string, since time.Time, limit int) ([]storage.Record, error) {
	return s.some(ctx, limit, changedSQL, owner, since)
}

// some runs a query for at most limit records, its last argument.
func (s *Store) some(ctx context.Context, limit int, query string, args ...any) ([]storage.Record, error) {
	if err := driver.CheckPositive("limit", limit); err != nil {
		return nil, err
	}
	records, _, _, err := s.read(ctx, query, append(args, limit)...)
	return records, err
}

// Unfinished implements storage.Store. It reads the records in batches, so that no connection is held while fn runs.
// It leaves out records created during the call, and may leave out those that finish before their turn.
func (s *Store) Unfinished(ctx context.Context, fn func(storage.Record) error) error {
	var newest int64
	if err := s.pool.QueryRow(ctx, s.sql(newestSQL)).Scan(&newest); err != nil {
		return kind(ctx, err)
	}
	return driver.Unfinished(ctx, fn, func(after int64, limit int) ([]storage.Record, int64, error) {
		records, _, last, err := s.read(ctx, unfinishedSQL, after, newest, limit)
		return records, last, err
	})
}
