package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"github.com/bodymotion/motion/storage"
)

// shifts are those of the blocks in which migrations/0001.sql counts records, the largest
// blocks first.
var shifts = []int{21, 14, 7}

const (
	totalSQL = `SELECT coalesce(sum(n), 0) FROM counts
		WHERE owner = ? AND kind = ? AND shift = 62 AND block = 0`
	totalOfSQL = totalSQL + ` AND status = ?`
	// leapSQL counts records by blocks, newest first.
	leapSQL = `SELECT block, sum(n) FROM counts
		WHERE owner = ?1 AND kind = ?2 AND shift = ?3 AND block BETWEEN ?4 AND ?5 AND (?6 = '' OR status = ?6)
		GROUP BY block ORDER BY block DESC`
	columns = `SELECT seq, owner, kind, id, created_at, updated_at, status, failure, attempts, data FROM records`
	pageSQL = columns + ` INDEXED BY records_id
		WHERE owner = ? AND kind = ? AND id <= ? ORDER BY id DESC LIMIT ? OFFSET ?`
	pageOfSQL = columns + ` INDEXED BY records_status
		WHERE owner = ? AND kind = ? AND id <= ? AND status = ? ORDER BY id DESC LIMIT ? OFFSET ?`
)

const scanSQL = columns + ` INDEXED BY records_kind WHERE kind = ? AND id > ? ORDER BY id LIMIT ?`

// Scan implements storage.Store.
func (s *Store) Scan(ctx context.Context, of storage.Kind, after int64, limit int) ([]storage.Record, error) {
	if limit < 1 {
		return nil, fmt.Errorf("%w limit: %d, want at least 1", storage.ErrInvalid, limit)
	}
	rows, err := s.scan.QueryContext(ctx, of, after, limit)
	if err != nil {
		return nil, kind(ctx, err)
	}
	records, _, err := scan(rows, min(limit, portion))
	if err != nil {
		return nil, kind(ctx, err)
	}
	return records, nil
}

const changedSQL = columns + ` INDEXED BY records_changed WHERE owner = ? AND updated_at >= ? ORDER BY updated_at DESC LIMIT ?`

// Changed implements storage.Store.
func (s *Store) Changed(ctx context.Context, owner string, since time.Time, limit int) ([]storage.Record, error) {
	if limit < 1 {
		return nil, fmt.Errorf("%w limit: %d, want at least 1", storage.ErrInvalid, limit)
	}
	rows, err := s.changed.QueryContext(ctx, owner, since.UnixMicro(), limit)
	if err != nil {
		return nil, kind(ctx, err)
	}
	records, _, err := scan(rows, min(limit, portion))
	return records, kind(ctx, err)
}

// List implements storage.Store. The time grows with Limit, and next to nothing with
// Offset and the number of records.
func (s *Store) List(ctx context.Context, owner string, of storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	if f.Offset < 0 || f.Limit < 1 {
		return nil, 0, fmt.Errorf("%w filter: offset %d and limit %d, want at least 0 and 1", storage.ErrInvalid, f.Offset, f.Limit)
	}
	// One transaction, so that the total and the page are of the same moment.
	tx, err := s.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, 0, kind(ctx, err)
	}
	defer tx.Rollback()
	l := list{s, tx, owner, of, f.Status}
	total, err := l.total(ctx)
	if err != nil || f.Offset >= total {
		return nil, total, kind(ctx, err)
	}
	newest, skip, err := l.leap(ctx, f.Offset)
	if err != nil {
		return nil, 0, kind(ctx, err)
	}
	page, err := l.page(ctx, newest, skip, min(f.Limit, total-f.Offset))
	if err != nil {
		return nil, 0, kind(ctx, err)
	}
	return page, total, nil
}

// list is what one call of List looks at.
type list struct {
	s      *Store
	tx     *sql.Tx
	owner  string
	kind   storage.Kind
	status storage.Status
}

func (l list) total(ctx context.Context) (n int, err error) {
	if l.status == "" {
		err = l.tx.StmtContext(ctx, l.s.total).QueryRowContext(ctx, l.owner, l.kind).Scan(&n)
	} else {
		err = l.tx.StmtContext(ctx, l.s.totalOf).QueryRowContext(ctx, l.owner, l.kind, l.status).Scan(&n)
	}
	return n, err
}

// leap passes over whole blocks of records, newest first, as long as they lie before
// the offset. It returns the largest id that is left and how many records to skip from
// there; there must be more records than offset.
func (l list) leap(ctx context.Context, offset int) (newest int64, skip int, err error) {
	oldest, newest, skip := int64(0), int64(math.MaxInt64), offset
	for _, shift := range shifts {
		if skip < 1<<shifts[len(shifts)-1] {
			break // not worth a query
		}
		block, left, err := l.leapBlocks(ctx, shift, oldest>>shift, newest>>shift, skip)
		if err != nil {
			return 0, 0, err
		}
		oldest, newest, skip = block<<shift, block<<shift|(1<<shift-1), left
	}
	return newest, skip, nil
}

// leapBlocks returns the block in which the record with that offset lies, and its offset
// there.
func (l list) leapBlocks(ctx context.Context, shift int, first, last int64, offset int) (block int64, left int, err error) {
	rows, err := l.tx.StmtContext(ctx, l.s.leap).QueryContext(ctx, l.owner, l.kind, shift, first, last, l.status)
	if err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&block, &n); err != nil {
			return 0, 0, err
		}
		if offset < n {
			return block, offset, rows.Close()
		}
		offset -= n
	}
	if err := rows.Err(); err != nil {
		return 0, 0, err
	}
	return 0, 0, fmt.Errorf("the counts of %s are less than their total", l.kind)
}

// page returns records from the id newest on, after skipping some.
func (l list) page(ctx context.Context, newest int64, skip, limit int) ([]storage.Record, error) {
	var rows *sql.Rows
	var err error
	if l.status == "" {
		rows, err = l.tx.StmtContext(ctx, l.s.page).QueryContext(ctx, l.owner, l.kind, newest, limit, skip)
	} else {
		rows, err = l.tx.StmtContext(ctx, l.s.pageOf).QueryContext(ctx, l.owner, l.kind, newest, l.status, limit, skip)
	}
	if err != nil {
		return nil, err
	}
	records, _, err := scan(rows, limit)
	return records, err
}

// scan reads and closes the rows of a query for columns, about n of them, and returns
// the seq of the last one too.
func scan(rows *sql.Rows, n int) (records []storage.Record, seq int64, err error) {
	defer rows.Close()
	records = make([]storage.Record, 0, n)
	for rows.Next() {
		var r storage.Record
		var created, updated int64
		if err := rows.Scan(&seq, &r.Owner, &r.Kind, &r.ID, &created, &updated, &r.Status, &r.Failure, &r.Attempts, &r.Data); err != nil {
			return nil, 0, err
		}
		r.CreatedAt, r.UpdatedAt = micros(created), micros(updated)
		records = append(records, r)
	}
	return records, seq, rows.Err()
}
