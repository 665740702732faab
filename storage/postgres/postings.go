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
	postedSQL   = `SELECT convert_to(label, 'UTF8'), entries FROM motion.posted($1, $2, $3, $4, $5, $6)`
	lengthsSQL  = `SELECT motion.lengths($1, $2, $3)`
	blocksSQL   = `SELECT motion.blocks($1, $2, $3, $4, $5)`
	inStatusSQL = `SELECT has, id FROM motion.in_status($1, $2, $3)`
	theseSQL    = `SELECT 0::bigint, ` + columns + ` FROM motion.records p WHERE p.owner = $1 AND p.kind = $2 AND p.id = ANY ($3)`
	sizesSQL    = `SELECT (SELECT count(*) FROM motion.postings WHERE owner = $1 AND kind = $2 AND label BETWEEN s.first AND s.last)
		FROM unnest($3::text[], $4::text[]) WITH ORDINALITY s (first, last, n) ORDER BY s.n`
)

// index is a driver.Index.
type index struct {
	*Store
	owner string
	kind  storage.Kind
}

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

// each calls fn after each row of a query for the owner and kind was scanned.
func (x index) each(ctx context.Context, query string, scan []any, fn func(), args ...any) error {
	rows, err := x.pool.Query(ctx, x.sql(query), append([]any{x.owner, x.kind}, args...)...)
	if err == nil {
		_, err = pgx.ForEachRow(rows, scan, func() error { fn(); return nil })
	}
	return err
}

func (x index) Sizes(ctx context.Context, spans []driver.Span) (sizes []int, err error) {
	var firsts, lasts []string
	for _, span := range spans {
		firsts, lasts = append(firsts, span.First), append(lasts, span.Last)
	}
	var n int
	err = x.each(ctx, sizesSQL, []any{&n}, func() { sizes = append(sizes, n) }, firsts, lasts)
	return sizes, err
}

func (x index) Read(ctx context.Context, f storage.Filter, span driver.Span, fn func(label, block []byte)) error {
	from, to := driver.Bounds(f)
	var label, block pgtype.DriverBytes
	return x.each(ctx, postedSQL, []any{&label, &block}, func() { fn(label, block) }, span.First, span.Last, from.Bytes(), to.Bytes())
}

func (x index) Lengths(ctx context.Context, label string) (lengths []int, err error) {
	err = x.each(ctx, lengthsSQL, []any{&lengths}, func() {}, label)
	return lengths, err
}

func (x index) Blocks(ctx context.Context, label string, first, n int) (entries []driver.Entry, err error) {
	var block []byte
	var blocks [][]byte
	err = x.each(ctx, blocksSQL, []any{&block}, func() { blocks = append(blocks, slices.Clone(block)) }, label, first, n)
	for _, block := range slices.Backward(blocks) {
		entries = driver.Append(entries, block)
	}
	return entries, err
}

func (x index) InStatus(ctx context.Context, status storage.Status) (func(driver.Entry) bool, error) {
	has := true
	var id *int64
	ids := map[uint64]bool{}
	err := x.each(ctx, inStatusSQL, []any{&has, &id}, func() {
		if id != nil {
			ids[uint64(*id)] = true
		}
	}, status)
	return func(e driver.Entry) bool { return ids[e.ID] == has }, err
}

func (x index) Records(ctx context.Context, ids []int64) ([]storage.Record, error) {
	page, _, _, err := x.read(ctx, theseSQL, x.owner, x.kind, ids)
	return page, err
}
