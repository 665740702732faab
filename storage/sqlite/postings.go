package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/internal/driver"
)

const (
	blockSQL = `SELECT seq, entries FROM postings
		WHERE owner = ? AND kind = ? AND label = ? AND low <= ? ORDER BY low DESC LIMIT 1`
	addBlockSQL  = `INSERT INTO postings (owner, kind, label, low, entries) VALUES (?, ?, ?, ?, ?)`
	setBlockSQL  = `UPDATE postings SET entries = ? WHERE seq = ?`
	dropBlockSQL = `DELETE FROM postings WHERE seq = ?`

	sizeSQL  = `SELECT count(*) FROM postings INDEXED BY postings_low WHERE owner = ? AND kind = ? AND label BETWEEN ? AND ?`
	labelSQL = `SELECT label, entries FROM postings WHERE owner = ?1 AND kind = ?2 AND label = ?3 AND low < ?6 AND low >=
		coalesce((SELECT max(low) FROM postings WHERE owner = ?1 AND kind = ?2 AND label = ?4 AND low <= ?5), x'') ORDER BY low`
	labelsSQL = `SELECT label, entries FROM postings
		WHERE owner = ?1 AND kind = ?2 AND label BETWEEN ?3 AND ?4 AND low < ?6 ORDER BY label, low`
	lengthsSQL = `SELECT coalesce(group_concat(n), '') FROM
		(SELECT length(entries) / 16 AS n FROM postings WHERE owner = ? AND kind = ? AND label = ? ORDER BY low DESC)`
	blocksSQL = `SELECT entries FROM postings WHERE owner = ? AND kind = ? AND label = ? ORDER BY low DESC LIMIT ? OFFSET ?`
	// inStatusSQL and notStatusSQL are two ways to the same records: one reads those with the status, one the others.
	inStatusSQL  = `SELECT id FROM records INDEXED BY records_status WHERE owner = ?1 AND kind = ?2 AND status = ?3`
	notStatusSQL = `SELECT id FROM records INDEXED BY records_status WHERE owner = ?1 AND kind = ?2 AND status IN
		(SELECT status FROM counts WHERE owner = ?1 AND kind = ?2 AND shift = 62 AND block = 0 AND status <> ?3)`
	theseSQL = columns + ` INDEXED BY records_id WHERE owner = ? AND kind = ? AND id IN (SELECT value FROM json_each(?))`
)

// post takes a record out of the postings of some labels, or adds it to them.
func (s *Store) post(ctx context.Context, tx *sql.Tx, r storage.Record, labels []string, adds bool) error {
	entry := driver.EntryOf(r.At, r.ID).Bytes()
	for _, label := range labels {
		var seq int64
		var block, next, low []byte
		err := s.in(ctx, tx, blockSQL).QueryRowContext(ctx, r.Owner, r.Kind, label, entry).Scan(&seq, &block)
		switch {
		case errors.Is(err, sql.ErrNoRows) && adds:
			next, low, err = entry, []byte{}, nil
		case errors.Is(err, sql.ErrNoRows):
			continue
		case err == nil && adds:
			block, next = driver.Put(block, entry)
			low = next[:min(len(next), len(entry))]
		case err == nil:
			block = driver.Cut(block, entry)
		}
		if err == nil && seq != 0 && len(block) > 0 {
			_, err = s.in(ctx, tx, setBlockSQL).ExecContext(ctx, block, seq)
		} else if err == nil && seq != 0 {
			_, err = s.in(ctx, tx, dropBlockSQL).ExecContext(ctx, seq)
		}
		if err == nil && next != nil {
			_, err = s.in(ctx, tx, addBlockSQL).ExecContext(ctx, r.Owner, r.Kind, label, low, next)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// index is a driver.Index in a transaction.
type index struct {
	*Store
	tx    *sql.Tx
	owner string
	kind  storage.Kind
}

// each calls fn for each row of a query for the owner and kind.
func (x index) each(ctx context.Context, query string, fn func(*sql.Rows) error, args ...any) error {
	rows, err := x.in(ctx, x.tx, query).QueryContext(ctx, append([]any{x.owner, x.kind}, args...)...)
	if err != nil {
		return kind(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return kind(ctx, err)
		}
	}
	return kind(ctx, rows.Err())
}

func (x index) Sizes(ctx context.Context, spans []driver.Span) ([]int, error) {
	sizes := make([]int, len(spans))
	for i, span := range spans {
		err := x.each(ctx, sizeSQL, func(r *sql.Rows) error { return r.Scan(&sizes[i]) }, span.First, span.Last)
		if err != nil {
			return nil, err
		}
	}
	return sizes, nil
}

func (x index) Read(ctx context.Context, f storage.Filter, span driver.Span, fn func(label, block []byte)) error {
	query := labelSQL
	if span.First != span.Last {
		query = labelsSQL
	}
	from, to := driver.Bounds(f)
	var label, block sql.RawBytes
	return x.each(ctx, query, func(r *sql.Rows) error {
		err := r.Scan(&label, &block)
		if err == nil {
			fn(label, block)
		}
		return err
	}, span.First, span.Last, from.Bytes(), to.Bytes())
}

func (x index) Lengths(ctx context.Context, label string) (lengths []int, err error) {
	var list []byte
	if err := x.in(ctx, x.tx, lengthsSQL).QueryRowContext(ctx, x.owner, x.kind, label).Scan(&list); err != nil {
		return nil, kind(ctx, err)
	}
	err = json.Unmarshal(slices.Concat([]byte("["), list, []byte("]")), &lengths)
	return lengths, err
}

func (x index) Blocks(ctx context.Context, label string, first, n int) (entries []driver.Entry, err error) {
	var blocks [][]byte
	err = x.each(ctx, blocksSQL, func(r *sql.Rows) error {
		var block []byte
		err := r.Scan(&block)
		blocks = append(blocks, block)
		return err
	}, label, n, first)
	for _, block := range slices.Backward(blocks) {
		entries = driver.Append(entries, block)
	}
	return entries, err
}

func (x index) InStatus(ctx context.Context, status storage.Status) (func(driver.Entry) bool, error) {
	var all, with int
	err := x.in(ctx, x.tx, totalSQL).QueryRowContext(ctx, x.owner, x.kind, "").Scan(&all)
	if err == nil {
		err = x.in(ctx, x.tx, totalSQL).QueryRowContext(ctx, x.owner, x.kind, status).Scan(&with)
	}
	if err != nil {
		return nil, kind(ctx, err)
	}
	query, has := inStatusSQL, true
	if with > all-with {
		query, has = notStatusSQL, false
	}
	ids := map[uint64]bool{}
	err = x.each(ctx, query, func(r *sql.Rows) error {
		var id uint64
		err := r.Scan(&id)
		ids[id] = true
		return err
	}, status)
	return func(e driver.Entry) bool { return ids[e.ID] == has }, err
}

func (x index) Records(ctx context.Context, ids []int64) ([]storage.Record, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	page, _, err := read(ctx, x.in(ctx, x.tx, theseSQL), x.owner, x.kind, list)
	return page, err
}
