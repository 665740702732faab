package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// shifts are the sizes of the blocks in which migrations/0001.sql counts records, as powers of two, the largest first.
var shifts = []int{21, 14, 7}

const (
	totalSQL = `SELECT coalesce(sum(n), 0) FROM counts
		WHERE owner = ?1 AND kind = ?2 AND shift = 62 AND block = 0 AND (?3 = '' OR status = ?3)`
	// leapSQL counts records by blocks, newest first.
	leapSQL = `SELECT block, sum(n) FROM counts
		WHERE owner = ?1 AND kind = ?2 AND shift = ?3 AND block BETWEEN ?4 AND ?5 AND (?6 = '' OR status = ?6)
		GROUP BY block ORDER BY block DESC`
	columns = `SELECT seq, owner, kind, id, created_at, updated_at, coalesce(at, created_at), labels, status, failure, attempts, data FROM records`
	pageSQL = columns + ` INDEXED BY records_id
		WHERE owner = ? AND kind = ? AND id <= ? ORDER BY id DESC LIMIT ? OFFSET ?`
	pageOfSQL = columns + ` INDEXED BY records_status
		WHERE owner = ?1 AND kind = ?2 AND id <= ?3 AND status = ?6 ORDER BY id DESC LIMIT ?4 OFFSET ?5`
	headSQL       = columns + ` INDEXED BY records_id WHERE owner = ? AND kind = ? AND id = ?`
	scanSQL       = columns + ` INDEXED BY records_kind WHERE kind = ? AND id > ? ORDER BY id LIMIT ?`
	changedSQL    = columns + ` INDEXED BY records_changed WHERE owner = ? AND updated_at >= ? ORDER BY updated_at DESC LIMIT ?`
	newestSQL     = `SELECT coalesce(max(seq), 0) FROM records`
	unfinishedSQL = columns + ` INDEXED BY records_unfinished
		WHERE status IN ('UNPROCESSED', 'PROCESSING') AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`
)

func (s *store) Head(ctx context.Context, key storage.Key) (storage.Record, error) {
	records, _, err := read(ctx, s.prepared[headSQL], key.Owner, key.Kind, key.ID)
	return driver.Only(key, records, err)
}

func (s *store) Scan(ctx context.Context, of storage.Kind, after int64, limit int) ([]storage.Record, error) {
	return s.some(ctx, limit, scanSQL, of, after)
}

func (s *store) Changed(ctx context.Context, owner string, since time.Time, limit int) ([]storage.Record, error) {
	return s.some(ctx, limit, changedSQL, owner, since.UnixMicro())
}

// some runs a query for at most limit records, its last argument.
func (s *store) some(ctx context.Context, limit int, query string, args ...any) ([]storage.Record, error) {
	if err := driver.CheckPositive("limit", limit); err != nil {
		return nil, err
	}
	records, _, err := read(ctx, s.prepared[query], append(args, limit)...)
	return records, err
}

// Unfinished reads the records in batches, so that no read transaction is open while fn runs.
func (s *store) Unfinished(ctx context.Context, fn func(storage.Record) error) error {
	var newest int64
	if err := s.prepared[newestSQL].QueryRowContext(ctx).Scan(&newest); err != nil {
		return kind(ctx, err)
	}
	return driver.Unfinished(ctx, fn, func(after int64, limit int) ([]storage.Record, int64, error) {
		return read(ctx, s.prepared[unfinishedSQL], after, newest, limit)
	})
}

func (s *store) List(ctx context.Context, owner string, of storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	if err := driver.CheckFilter(f); err != nil {
		return nil, 0, err
	}
	// The total and the page are read in one transaction, so that they agree.
	tx, err := s.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, 0, kind(ctx, err)
	}
	defer tx.Rollback()
	if driver.ByAt(f) {
		return driver.List(ctx, index{s, tx, owner, of}, f)
	}
	var total int
	err = s.in(ctx, tx, totalSQL).QueryRowContext(ctx, owner, of, f.Status).Scan(&total)
	if err != nil || f.Offset >= total {
		return nil, total, kind(ctx, err)
	}
	newest, skip, err := s.leap(ctx, tx, owner, of, f)
	if err != nil {
		return nil, 0, kind(ctx, err)
	}
	query, args := pageSQL, []any{owner, of, newest, f.Limit, skip}
	if f.Status != "" {
		query, args = pageOfSQL, append(args, f.Status)
	}
	page, _, err := read(ctx, s.in(ctx, tx, query), args...)
	return page, total, err
}

// leap skips whole blocks of records before the offset, newest first. It returns the largest ID
// that is left, and the number of records to skip from there. The total must exceed the offset.
func (s *store) leap(ctx context.Context, tx *sql.Tx, owner string, of storage.Kind, f storage.Filter) (newest int64, skip int, err error) {
	oldest, newest, skip := int64(0), int64(math.MaxInt64), f.Offset
	for _, shift := range shifts {
		if skip < 1<<shifts[len(shifts)-1] {
			break // not worth a query
		}
		block, err := s.blockAt(ctx, tx, &skip, owner, of, shift, oldest>>shift, newest>>shift, f.Status)
		if err != nil {
			return 0, 0, err
		}
		oldest, newest = block<<shift, block<<shift|(1<<shift-1)
	}
	return newest, skip, nil
}

// blockAt runs leapSQL and returns the block of the record at an offset, which becomes the offset in that block.
func (s *store) blockAt(ctx context.Context, tx *sql.Tx, offset *int, args ...any) (block int64, err error) {
	rows, err := s.in(ctx, tx, leapSQL).QueryContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&block, &n); err != nil || *offset < n {
			return block, err
		}
		*offset -= n
	}
	return 0, cmp.Or(rows.Err(), errors.New("the counts of records are less than their total"))
}

// read runs a query for columns. It also returns the seq of the last record.
func read(ctx context.Context, stmt *sql.Stmt, args ...any) (records []storage.Record, seq int64, err error) {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, 0, kind(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		var r storage.Record
		var created, updated, at int64
		var labels sql.RawBytes
		err := rows.Scan(&seq, &r.Owner, &r.Kind, &r.ID, &created, &updated, &at, &labels, &r.Status, &r.Failure, &r.Attempts, &r.Data)
		if err == nil {
			r.Labels, err = parted(labels)
		}
		if err != nil {
			return nil, 0, kind(ctx, err)
		}
		r.CreatedAt, r.UpdatedAt, r.At = micros(created), micros(updated), micros(at)
		records = append(records, r)
	}
	return records, seq, kind(ctx, rows.Err())
}

const (
	countSQL, labelSQL, labelsSQL = driver.CountSQL, driver.LabelSQL, driver.LabelsSQL

	theseSQL = columns + ` INDEXED BY records_id WHERE owner = ? AND kind = ? AND id IN (SELECT value FROM json_each(?))`
)

// dialect turns queries of package driver into those of SQLite.
var dialect = strings.NewReplacer("$", "?", "motion.records r", "records r INDEXED BY records_status", "motion.", "")

// index is a driver.Index in a transaction.
type index struct {
	*store
	tx    *sql.Tx
	owner string
	kind  storage.Kind
}

func (x index) Rows(ctx context.Context, query string, args ...any) (list [][2]int64, err error) {
	rows, err := x.in(ctx, x.tx, query).QueryContext(ctx, append([]any{x.owner, x.kind}, args...)...)
	if err != nil {
		return nil, kind(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		var row [2]int64
		if err := rows.Scan(&row[0], &row[1]); err != nil {
			return nil, kind(ctx, err)
		}
		list = append(list, row)
	}
	return list, kind(ctx, rows.Err())
}

func (x index) Records(ctx context.Context, ids []int64) ([]storage.Record, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	records, _, err := read(ctx, x.in(ctx, x.tx, theseSQL), x.owner, x.kind, list)
	return records, err
}
