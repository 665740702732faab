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

	labelSQL = `SELECT label, entries FROM postings WHERE owner = ?1 AND kind = ?2 AND label = ?3 AND low < ?6 AND low >=
		coalesce((SELECT max(low) FROM postings WHERE owner = ?1 AND kind = ?2 AND label = ?4 AND low <= ?5), x'') ORDER BY low`
	labelsSQL = `SELECT label, entries FROM postings
		WHERE owner = ?1 AND kind = ?2 AND label BETWEEN ?3 AND ?4 AND low < ?6 ORDER BY label, low`
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

// listByAt is List for a filter that selects by At or Labels.
func (s *Store) listByAt(ctx context.Context, tx *sql.Tx, owner string, of storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	var spans [][][]driver.Entry
	for _, span := range driver.Spans(f) {
		runs, err := s.runs(ctx, tx, owner, of, f, span)
		if err != nil {
			return nil, 0, err
		}
		spans = append(spans, runs)
	}
	found := driver.Meet(f, spans)
	if f.Status != "" && len(found) > 0 {
		is, err := s.statuses(ctx, tx, owner, of, f.Status)
		if err != nil {
			return nil, 0, err
		}
		found = slices.DeleteFunc(found, func(e driver.Entry) bool { return !is(e.ID) })
	}
	ids, err := json.Marshal(driver.Page(f, found))
	if err != nil {
		return nil, 0, err
	}
	page, _, err := read(ctx, s.in(ctx, tx, theseSQL), owner, of, ids)
	slices.SortFunc(page, func(a, b storage.Record) int { return driver.LatestFirst(&a, &b) })
	return page, len(found), err
}

// runs returns the entries of each label of a span.
func (s *Store) runs(ctx context.Context, tx *sql.Tx, owner string, of storage.Kind, f storage.Filter, span driver.Span) (runs [][]driver.Entry, err error) {
	query := labelSQL
	if span.First != span.Last {
		query = labelsSQL
	}
	from, to := driver.Bounds(f)
	rows, err := s.in(ctx, tx, query).QueryContext(ctx, owner, of, span.First, span.Last, from.Bytes(), to.Bytes())
	if err != nil {
		return nil, kind(ctx, err)
	}
	defer rows.Close()
	var label, block sql.RawBytes
	var last []byte
	for rows.Next() {
		if err := rows.Scan(&label, &block); err != nil {
			return nil, kind(ctx, err)
		}
		if runs == nil || string(last) != string(label) {
			runs, last = append(runs, nil), append(last[:0], label...)
		}
		runs[len(runs)-1] = driver.Append(runs[len(runs)-1], block)
	}
	return runs, kind(ctx, rows.Err())
}

// statuses returns a function that reports whether a record has a status.
func (s *Store) statuses(ctx context.Context, tx *sql.Tx, owner string, of storage.Kind, status storage.Status) (func(id uint64) bool, error) {
	var all, with int
	err := s.in(ctx, tx, totalSQL).QueryRowContext(ctx, owner, of, "").Scan(&all)
	if err == nil {
		err = s.in(ctx, tx, totalSQL).QueryRowContext(ctx, owner, of, status).Scan(&with)
	}
	if err != nil {
		return nil, kind(ctx, err)
	}
	query, read := inStatusSQL, true
	if with > all-with {
		query, read = notStatusSQL, false
	}
	rows, err := s.in(ctx, tx, query).QueryContext(ctx, owner, of, status)
	if err != nil {
		return nil, kind(ctx, err)
	}
	defer rows.Close()
	ids := map[uint64]bool{}
	for rows.Next() {
		var id uint64
		if err := rows.Scan(&id); err != nil {
			return nil, kind(ctx, err)
		}
		ids[id] = true
	}
	return func(id uint64) bool { return ids[id] == read }, kind(ctx, rows.Err())
}
