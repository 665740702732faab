package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

const (
	nextIDSQL = `INSERT INTO ids (kind, last) VALUES (?, 1)
		ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last`
	insertSQL = `INSERT INTO records (owner, kind, id, created_at, updated_at, status, failure, attempts, data, at, labels)
		VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`
	updateSQL = `UPDATE records SET status = ?6, failure = ?7, attempts = ?8, data = ?9, updated_at = max(?10, updated_at + 1),
		at = coalesce(?11, created_at), labels = ?12
		WHERE owner = ?1 AND kind = ?2 AND id = ?3 AND status = ?4 AND ?5 IN (0, updated_at) RETURNING seq, created_at, updated_at`
	relabelSQL = `UPDATE records SET updated_at = max(?4, updated_at + 1), at = coalesce(?6, created_at), labels = ?7
		WHERE owner = ?1 AND kind = ?2 AND id = ?3 AND updated_at = ?5`
	statusSQL     = `SELECT status FROM records WHERE owner = ? AND kind = ? AND id = ?`
	removeSQL     = `DELETE FROM records WHERE owner = ? AND kind = ? AND id = ?`
	setResultSQL  = `INSERT INTO results (seq, result) VALUES (?, ?) ON CONFLICT DO UPDATE SET result = excluded.result`
	dropResultSQL = `DELETE FROM results WHERE seq = ?`
	getSQL        = `SELECT created_at, updated_at, coalesce(at, created_at), labels, status, failure, attempts, data, result
		FROM records LEFT JOIN results USING (seq) WHERE owner = ? AND kind = ? AND id = ?`
)

// immediate is a transaction that takes the write lock when it begins.
var immediate = &sql.TxOptions{Isolation: sql.LevelSerializable}

// write runs fn in a write transaction.
func (s *store) write(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := s.writer.BeginTx(ctx, immediate)
	if err != nil {
		return kind(ctx, err)
	}
	defer tx.Rollback()
	if err = fn(tx); err == nil {
		err = tx.Commit()
	}
	if errors.Is(err, sqlite3.FULL) || errors.Is(err, sqlite3.IOERR) {
		s.room.full.Store(true)
	}
	return kind(ctx, err)
}

// deleting is write for what makes room: on a full disk, it writes into the room that is kept back. First it moves what the
// write-ahead log has into the file, as long as there is room for that: the log is written from its beginning then.
func (s *store) deleting(ctx context.Context, fn func(*sql.Tx) error) error {
	err := s.write(ctx, fn)
	if errors.Is(err, storage.ErrUnavailable) && s.room.full.Load() {
		s.room.release()
		if err := s.emptyLog(ctx); err != nil && ctx.Err() != nil {
			return err
		}
		err = s.write(ctx, fn)
	}
	return err
}

// emptyLog moves what the write-ahead log has into the file, and empties it unless others read for longer than Options.Wait.
func (s *store) emptyLog(ctx context.Context) error {
	_, err := s.writer.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return kind(ctx, err)
}

func (s *store) Check(ctx context.Context) error {
	if !s.room.full.Load() {
		return nil
	}
	err := s.room.keep()
	if err == nil {
		err = s.write(ctx, func(tx *sql.Tx) error {
			var id int64
			return s.in(ctx, tx, nextIDSQL).QueryRowContext(ctx, "check").Scan(&id)
		})
	}
	if err != nil {
		return fmt.Errorf("%w: the disk of the records is full: %w", storage.ErrUnavailable, err)
	}
	s.room.full.Store(false)
	return nil
}

// in returns the prepared statement of a query, for a transaction.
func (s *store) in(ctx context.Context, tx *sql.Tx, query string) *sql.Stmt {
	return tx.StmtContext(ctx, s.prepared[query])
}

// exec runs a query in a transaction and returns how many rows it has changed.
func (s *store) exec(ctx context.Context, tx *sql.Tx, query string, args ...any) (rows int64, err error) {
	res, err := s.in(ctx, tx, query).ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func micros(n int64) time.Time { return time.UnixMicro(n).UTC() }

// keepResult stores the result of the record with that seq, or deletes it if it is nil.
func (s *store) keepResult(ctx context.Context, tx *sql.Tx, seq int64, result []byte) error {
	query, args := setResultSQL, []any{seq, result}
	if result == nil {
		query, args = dropResultSQL, args[:1]
	}
	_, err := s.exec(ctx, tx, query, args...)
	return err
}

func (s *store) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
	if err := driver.CheckNew(r); err != nil {
		return storage.Record{}, err
	}
	write := s.write
	if r.Kind == storage.Deletions {
		write = s.deleting
	}
	err := write(ctx, func(tx *sql.Tx) error {
		if err := s.in(ctx, tx, nextIDSQL).QueryRowContext(ctx, r.Kind).Scan(&r.ID); err != nil {
			return err
		}
		now := time.Now().UnixMicro()
		r.CreatedAt, r.UpdatedAt = micros(now), micros(now)
		r.At = driver.When(r)
		res, err := s.in(ctx, tx, insertSQL).ExecContext(ctx,
			r.Owner, r.Kind, r.ID, now, r.Status, r.Failure, r.Attempts, r.Data, r.At.UnixMicro(), joined(r.Labels))
		if err != nil || r.Result == nil {
			return err
		}
		seq, err := res.LastInsertId()
		if err != nil {
			return err
		}
		return s.keepResult(ctx, tx, seq, r.Result)
	})
	if err != nil {
		return storage.Record{}, err
	}
	return driver.Clone(r), nil
}

func (s *store) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	r := storage.Record{Key: key}
	var created, updated, at int64
	var labels []byte
	err := s.prepared[getSQL].QueryRowContext(ctx, key.Owner, key.Kind, key.ID).
		Scan(&created, &updated, &at, &labels, &r.Status, &r.Failure, &r.Attempts, &r.Data, &r.Result)
	if errors.Is(err, sql.ErrNoRows) {
		err = driver.NotFound(key)
	}
	if err == nil {
		r.Labels, err = parted(labels)
	}
	if err != nil {
		return storage.Record{}, kind(ctx, err)
	}
	r.CreatedAt, r.UpdatedAt, r.At = micros(created), micros(updated), micros(at)
	return r, nil
}

func (s *store) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	if err := driver.CheckLabels(r); err != nil {
		return storage.Record{}, err
	}
	var unchanged int64
	if !r.UpdatedAt.IsZero() {
		unchanged = r.UpdatedAt.UnixMicro()
	}
	err := s.write(ctx, func(tx *sql.Tx) error {
		var seq, created, updated int64
		err := s.in(ctx, tx, updateSQL).QueryRowContext(ctx, r.Owner, r.Kind, r.ID, from, unchanged,
			r.Status, r.Failure, r.Attempts, r.Data, time.Now().UnixMicro(), when(r), joined(r.Labels)).Scan(&seq, &created, &updated)
		if errors.Is(err, sql.ErrNoRows) {
			return s.refusal(ctx, tx, r.Key, from)
		}
		if err != nil {
			return err
		}
		r.CreatedAt, r.UpdatedAt = micros(created), micros(updated)
		r.At = driver.When(r)
		return s.keepResult(ctx, tx, seq, r.Result)
	})
	if err != nil {
		return storage.Record{}, err
	}
	return driver.Clone(r), nil
}

func (s *store) Relabel(ctx context.Context, records ...storage.Record) (left []storage.Key, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		for _, r := range records {
			if err := driver.CheckLabels(r); err != nil {
				return err
			}
			n, err := s.exec(ctx, tx, relabelSQL, r.Owner, r.Kind, r.ID,
				time.Now().UnixMicro(), r.UpdatedAt.UnixMicro(), when(r), joined(r.Labels))
			if err != nil {
				return err
			}
			if n == 0 {
				left = append(left, r.Key)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return left, nil
}

// when returns At as a column has it.
func when(r storage.Record) sql.NullInt64 {
	return sql.NullInt64{Int64: r.At.UnixMicro(), Valid: !r.At.IsZero()}
}

// refusal returns why an Update of a record changes nothing.
func (s *store) refusal(ctx context.Context, tx *sql.Tx, key storage.Key, from storage.Status) error {
	var is storage.Status
	err := s.in(ctx, tx, statusSQL).QueryRowContext(ctx, key.Owner, key.Kind, key.ID).Scan(&is)
	if errors.Is(err, sql.ErrNoRows) {
		return driver.NotFound(key)
	}
	if err != nil {
		return err
	}
	return driver.Conflict(key, is, from)
}

func (s *store) Delete(ctx context.Context, keys ...storage.Key) error {
	return s.deleting(ctx, func(tx *sql.Tx) error {
		var found int64
		for _, key := range keys {
			n, err := s.exec(ctx, tx, removeSQL, key.Owner, key.Kind, key.ID)
			if err != nil {
				return err
			}
			found += n
		}
		return driver.Gone(found > 0, keys)
	})
}

// joined returns labels as a column has them.
func joined(labels []string) (column sql.NullString) {
	if len(labels) > 0 {
		list, _ := json.Marshal(labels) // texts
		column = sql.NullString{String: string(list), Valid: true}
	}
	return column
}

// parted returns the labels of a column.
func parted(column []byte) (labels []string, err error) {
	if column != nil {
		err = json.Unmarshal(column, &labels)
	}
	return labels, err
}

// kind returns ctx's error if ctx has ended, and else gives an error of SQLite that may pass,
// such as a full disk or a lock, the kind storage.ErrUnavailable.
func kind(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	if slices.ContainsFunc([]sqlite3.ErrorCode{
		sqlite3.BUSY, sqlite3.LOCKED, sqlite3.PROTOCOL, sqlite3.FULL, sqlite3.IOERR, sqlite3.CANTOPEN, sqlite3.NOMEM,
	}, func(code sqlite3.ErrorCode) bool { return errors.Is(err, code) }) {
		return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
	}
	return err
}
