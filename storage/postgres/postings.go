package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/internal/driver"
)

const (
	postedSQL   = `SELECT span, label, entries FROM motion.posted($1, $2, $3, $4, $5, $6)`
	theseSQL    = `SELECT 0::bigint, ` + columns + ` FROM motion.records p WHERE p.owner = $1 AND p.kind = $2 AND p.id = ANY ($3)`
	inStatusSQL = `SELECT has, id FROM motion.in_status($1, $2, $3)`
)

// listByAt is List for a filter that selects by At or Labels. It looks for the records again if they change meanwhile.
func (s *Store) listByAt(ctx context.Context, owner string, of storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	for try := 1; ; try++ {
		found, err := s.find(ctx, owner, of, f)
		if err != nil {
			return nil, 0, kind(ctx, err)
		}
		ids := driver.Page(f, found)
		if len(ids) == 0 {
			return nil, len(found), nil
		}
		page, _, _, err := s.read(ctx, theseSQL, owner, of, ids)
		if err != nil {
			return nil, 0, err
		}
		page = slices.DeleteFunc(page, func(r storage.Record) bool { return !driver.Match(f, &r) })
		if len(page) == len(ids) || try == 5 {
			slices.SortFunc(page, func(a, b storage.Record) int { return driver.LatestFirst(&a, &b) })
			return page, len(found), nil
		}
	}
}

// find returns the entries of the records that a filter selects.
func (s *Store) find(ctx context.Context, owner string, of storage.Kind, f storage.Filter) ([]driver.Entry, error) {
	var firsts, lasts []string
	for _, span := range driver.Spans(f) {
		firsts, lasts = append(firsts, span.First), append(lasts, span.Last)
	}
	from, to := driver.Bounds(f)
	rows, err := s.pool.Query(ctx, s.sql(postedSQL), owner, of, firsts, lasts, from.Bytes(), to.Bytes())
	if err != nil {
		return nil, err
	}
	spans := make([][][]driver.Entry, len(firsts))
	var span, n int
	var label, last string
	var block []byte
	_, err = pgx.ForEachRow(rows, []any{&n, &label, (*pgtype.DriverBytes)(&block)}, func() error {
		if n != span || label != last {
			span, last = n, label
			spans[n-1] = append(spans[n-1], nil)
		}
		run := &spans[n-1][len(spans[n-1])-1]
		*run = driver.Append(*run, block)
		return nil
	})
	found := driver.Meet(f, spans)
	if err != nil || f.Status == "" || len(found) == 0 {
		return found, err
	}
	return s.inStatus(ctx, owner, of, f.Status, found)
}

// inStatus returns those of the entries whose records have a status.
func (s *Store) inStatus(ctx context.Context, owner string, of storage.Kind, status storage.Status, found []driver.Entry) ([]driver.Entry, error) {
	rows, err := s.pool.Query(ctx, s.sql(inStatusSQL), owner, of, status)
	if err != nil {
		return nil, err
	}
	has := true
	var id *int64
	ids := map[uint64]bool{}
	_, err = pgx.ForEachRow(rows, []any{&has, &id}, func() error {
		if id != nil {
			ids[uint64(*id)] = true
		}
		return nil
	})
	return slices.DeleteFunc(found, func(e driver.Entry) bool { return ids[e.ID] != has }), err
}
