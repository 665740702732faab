package driver

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/bodymotion/motion/storage"
)

// A database finds records by At and Labels in a table labels with the primary key (owner, kind, label, at, id); at is in
// microseconds since 1970, UTC. It has a row for each label of a record, and one for the label "", which every record has.

// The queries of List, as PostgreSQL has them, for rows of two numbers.
const (
	CountSQL  = `SELECT count(*), 0` + labelled + `l.label = $5`
	LabelSQL  = `SELECT l.at, l.id` + labelled + `l.label = $5` + inStatus + ` ORDER BY l.at DESC, l.id DESC LIMIT $7 OFFSET $8`
	LabelsSQL = `SELECT l.at, l.id` + labelled + `l.label BETWEEN $5 AND $7` + inStatus + ` LIMIT $8`
	labelled  = ` FROM motion.labels l WHERE l.owner = $1 AND l.kind = $2 AND l.at >= $3 AND l.at < $4 AND `
	inStatus  = ` AND ($6 = '' OR EXISTS (
		SELECT 1 FROM motion.records r WHERE r.owner = $1 AND r.kind = $2 AND r.status = $6 AND r.id = l.id LIMIT 1 OFFSET 0))`
)

// Index runs the queries of List for an owner and kind.
type Index interface {
	// Rows returns the rows of a query whose arguments are the owner, the kind, and args.
	Rows(ctx context.Context, query string, args ...any) ([][2]int64, error)
	// Records returns those of some records that exist, in any order.
	Records(ctx context.Context, ids []int64) ([]storage.Record, error)
}

// few records are read to see whether they match, instead of all rows of a span that has as many or more.
const few = 256

// List is Store.List for a filter that selects by At or Labels.
func List(ctx context.Context, ix Index, f storage.Filter) (page []storage.Record, total int, err error) {
	s := search{ix, f, math.MinInt64, math.MaxInt64}
	if !f.From.IsZero() {
		s.from = f.From.Add(time.Microsecond - 1).UnixMicro()
	}
	if !f.To.IsZero() {
		s.to = f.To.Add(time.Microsecond - 1).UnixMicro()
	}
	spans := spansOf(f)
	if len(spans) == 1 && spans[0].one() && f.Status == "" {
		return s.listOne(ctx, spans[0].first)
	}
	found, n, err := s.inEach(ctx, spans, "", few)
	switch {
	case err != nil:
	case n == 0:
		found, _, err = s.inEach(ctx, spans, f.Status, math.MaxInt)
	case n < len(spans) || f.Status != "":
		all, err := s.records(ctx, found)
		all = slices.DeleteFunc(all, func(r storage.Record) bool { return !Match(f, &r) })
		return cut(f, all), len(all), err
	}
	if err == nil {
		page, err = s.records(ctx, cut(f, found))
	}
	return page, len(found), err
}

// span is a range of labels, both ends included.
type span struct{ first, last string }

func (s span) one() bool { return s.first == s.last }

// spansOf returns what a record must have a label of each of to be in a list.
func spansOf(f storage.Filter) (spans []span) {
	for _, l := range f.Labels {
		spans = append(spans, span{l, l})
	}
	for _, b := range f.Begins {
		spans = append(spans, span{b, Last(b)})
	}
	if spans == nil {
		spans = []span{{}}
	}
	return spans
}

// search is one List. A row is the at and the id of a record.
type search struct {
	Index
	f        storage.Filter
	from, to int64 // what at is compared with
}

// listOne is List for one label alone. It counts the rows in the database.
func (s search) listOne(ctx context.Context, label string) (page []storage.Record, total int, err error) {
	counted, err := s.Rows(ctx, CountSQL, s.from, s.to, label)
	if err != nil {
		return nil, 0, err
	}
	if total = int(counted[0][0]); s.f.Offset < total {
		var rows [][2]int64
		if rows, err = s.rows(ctx, span{label, label}, "", s.f.Limit, s.f.Offset); err == nil {
			page, err = s.records(ctx, rows)
		}
	}
	return page, total, err
}

// inEach returns the rows, the latest first, that are in each of the n spans with fewer rows than limit.
func (s search) inEach(ctx context.Context, spans []span, status storage.Status, limit int) (found [][2]int64, n int, err error) {
	for _, l := range spans {
		rows, err := s.rows(ctx, l, status, limit, 0)
		if err != nil {
			return nil, 0, err
		}
		if len(rows) == limit {
			continue
		}
		slices.SortFunc(rows, latest)
		if rows = slices.Compact(rows); n > 0 { // a record may have several labels of a span
			rows = both(found, rows)
		}
		found, status = rows, "" // once is enough
		n++
	}
	return found, n, nil
}

// rows returns those of a span, and of records with a status: the latest first of one label, else in any order.
func (s search) rows(ctx context.Context, l span, status storage.Status, limit, offset int) ([][2]int64, error) {
	if l.one() {
		return s.Rows(ctx, LabelSQL, s.from, s.to, l.first, status, limit, offset)
	}
	return s.Rows(ctx, LabelsSQL, s.from, s.to, l.first, status, l.last, limit)
}

// records returns the records of some rows, the latest first.
func (s search) records(ctx context.Context, rows [][2]int64) (list []storage.Record, err error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row[1]
	}
	list, err = s.Records(ctx, ids)
	slices.SortFunc(list, func(a, b storage.Record) int { return LatestFirst(&a, &b) })
	return list, err
}

func latest(a, b [2]int64) int { return cmp.Or(cmp.Compare(b[0], a[0]), cmp.Compare(b[1], a[1])) }

// both returns the rows that are in two sorted lists.
func both(a, b [][2]int64) (rows [][2]int64) {
	for len(a) > 0 && len(b) > 0 {
		c := latest(a[0], b[0])
		if c == 0 {
			rows = append(rows, a[0])
		}
		if c <= 0 {
			a = a[1:]
		}
		if c >= 0 {
			b = b[1:]
		}
	}
	return rows
}

// cut returns the page of a list that a filter asks for.
func cut[T any](f storage.Filter, all []T) []T {
	rest := all[min(f.Offset, len(all)):]
	return rest[:min(f.Limit, len(rest))]
}
