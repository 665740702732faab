package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// theseSQL finds records by their IDs.
const theseSQL = `SELECT 0::bigint, ` + columns + ` FROM motion.records p WHERE p.owner = $1 AND p.kind = $2 AND p.id = ANY ($3)`

// listByAt is List for a filter that selects by At or Labels. It looks again if records change meanwhile.
func (s *Store) listByAt(ctx context.Context, owner string, of storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	for try := 1; ; try++ {
		page, total, err := driver.List(ctx, index{s, owner, of}, f)
		if err != nil {
			return nil, 0, kind(ctx, err)
		}
		n := len(page)
		page = slices.DeleteFunc(page, func(r storage.Record) bool { return !driver.Match(f, &r) })
		if full := n == max(0, min(f.Limit, total-f.Offset)); full && len(page) == n || try == 5 {
			return page, total, nil
		}
	}
}

// index is a driver.Index.
type index struct {
	*Store
	owner string
	kind  storage.Kind
}

func (x index) Rows(ctx context.Context, query string, args ...any) ([][2]int64, error) {
	rows, err := x.pool.Query(ctx, x.sql(query), append([]any{x.owner, x.kind}, args...)...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (row [2]int64, err error) { return row, r.Scan(&row[0], &row[1]) })
}

func (x index) Records(ctx context.Context, ids []int64) ([]storage.Record, error) {
	records, _, _, err := x.read(ctx, theseSQL, x.owner, x.kind, ids)
	return records, err
}
