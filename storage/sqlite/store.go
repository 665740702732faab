package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/internal/driver"
)

const (
	nextIDSQL = `INSERT INTO ids (kind, last) VALUES (?, 1)
		ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last`
	insertSQL = `INSERT INTO records (owner, kind, id, created_at, updated_at, status, failure, attempts, data, at, labels)
		VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`
	// updateSQL changes nothing that lists select by but the status.
	updateSQL = `UPDATE records SET status = ?6, failure = ?7, attempts = ?8, data = ?9, updated_at = max(?10, updated_at + 1)
		WHERE owner = ?1 AND kind = ?2 AND id = ?3 AND status = ?4 AND ?5 IN (0, updated_at)
			AND coalesce(at, created_at) = coalesce(?11, created_at) AND labels IS ?12 RETURNING seq, created_at, updated_at`
	beforeSQL     = `SELECT status, created_at, updated_at, coalesce(at, created_at), labels FROM records WHERE owner = ? AND kind = ? AND id = ?`
	relabelSQL    = `UPDATE records SET at = ?4, labels = ?5 WHERE owner = ?1 AND kind = ?2 AND id = ?3`
	removeSQL     = `DELETE FROM records WHERE owner = ? AND kind = ? AND id = ? RETURNING coalesce(at, created_at), labels`
	setResultSQL  = `INSERT INTO results (seq, result) VALUES (?, ?) ON CONFLICT DO UPDATE SET result = excluded.result`
	dropResultSQL = `DELETE FROM results WHERE seq = ?`
	getSQL        = `SELECT created_at, updated_at, coalesce(at, created_at), labels, status, failure, attempts, data, result
		FROM records LEFT JOIN results USING (seq) WHERE owner = ? AND kind = ? AND id = ?`
)

// immediate is a transaction that takes the write lock when it begins.
var immediate = &sql.TxOptions{Isolation: sql.LevelSerializable}

// write runs fn in a write transaction.
func (s *Store) write(ctx context.Context, fn func(*sql.Tx) error) error {
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

// deleting is write for what makes room: on a full disk, it writes into the room that is kept back.
func (s *Store) deleting(ctx context.Context, fn func(*sql.Tx) error) error {
	err := s.write(ctx, fn)
	if errors.Is(err, storage.ErrUnavailable) && s.room.full.Load() && s.room.release() {
		err = s.write(ctx, fn)
	}
	return err
}

// Check returns storage.ErrUnavailable if the disk is full: a write has failed, and another one fails now, or there is
// no room to be kept back for deletions.
func (s *Store) Check(ctx context.Context) error {
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
func (s *Store) in(ctx context.Context, tx *sql.Tx, query string) *sql.Stmt {
	return tx.StmtContext(ctx, s.prepared[query])
}

func micros(n int64) time.Time { return time.UnixMicro(n).UTC() }

// keepResult stores the result of the record with that seq, or deletes it if it is nil.
func (s *Store) keepResult(ctx context.Context, tx *sql.Tx, seq int64, result []byte) error {
	query, args := setResultSQL, []any{seq, result}
	if result == nil {
		query, args = dropResultSQL, args[:1]
	}
	_, err := s.in(ctx, tx, query).ExecContext(ctx, args...)
	return err
}

func (s *Store) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
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
		if err == nil {
			err = s.post(ctx, tx, r, driver.Postings(r), true)
		}
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

func (s *Store) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	r := storage.Record{Key: key}
	var created, updated, at int64
	var labels []byte
	err := s.prepared[getSQL].QueryRowContext(ctx, key.Owner, key.Kind, key.ID).
		Scan(&created, &updated, &at, &labels, &r.Status, &r.Failure, &r.Attempts, &r.Data, &r.Result)
	if errors.Is(err, sql.ErrNoRows) {
		err = driver.NotFound(key)
	}
	if err != nil {
		return storage.Record{}, kind(ctx, err)
	}
	r.CreatedAt, r.UpdatedAt, r.At, r.Labels = micros(created), micros(updated), micros(at), parted(labels)
	return r, nil
}

func (s *Store) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	if err := driver.CheckLabels(r); err != nil {
		return storage.Record{}, err
	}
	err := s.write(ctx, func(tx *sql.Tx) error {
		seq, err := s.update(ctx, tx, &r, from)
		if errors.Is(err, sql.ErrNoRows) {
			if err = s.relabel(ctx, tx, r, from); err == nil {
				seq, err = s.update(ctx, tx, &r, from)
			}
		}
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

// update runs updateSQL. It returns sql.ErrNoRows if the record must not be updated, or has another time or other labels.
func (s *Store) update(ctx context.Context, tx *sql.Tx, r *storage.Record, from storage.Status) (seq int64, err error) {
	var unchanged, created, updated int64
	if !r.UpdatedAt.IsZero() {
		unchanged = r.UpdatedAt.UnixMicro()
	}
	at := sql.NullInt64{Int64: r.At.UnixMicro(), Valid: !r.At.IsZero()}
	err = s.in(ctx, tx, updateSQL).QueryRowContext(ctx, r.Owner, r.Kind, r.ID, from, unchanged,
		r.Status, r.Failure, r.Attempts, r.Data, time.Now().UnixMicro(), at, joined(r.Labels)).Scan(&seq, &created, &updated)
	if err != nil {
		return 0, err
	}
	r.CreatedAt, r.UpdatedAt = micros(created), micros(updated)
	r.At = driver.When(*r)
	return seq, nil
}

// relabel gives the record with the key of r the time and the labels of r, if an Update of it is allowed.
func (s *Store) relabel(ctx context.Context, tx *sql.Tx, r storage.Record, from storage.Status) error {
	old := storage.Record{Key: r.Key}
	var created, updated, at int64
	var labels []byte
	err := s.in(ctx, tx, beforeSQL).QueryRowContext(ctx, r.Owner, r.Kind, r.ID).Scan(&old.Status, &created, &updated, &at, &labels)
	if errors.Is(err, sql.ErrNoRows) {
		return driver.NotFound(r.Key)
	}
	if err != nil {
		return err
	}
	if old.Status != from || !r.UpdatedAt.IsZero() && r.UpdatedAt.UnixMicro() != updated {
		return driver.Conflict(r.Key, old.Status, from)
	}
	r.CreatedAt, old.At, old.Labels = micros(created), micros(at), parted(labels)
	r.At = driver.When(r)
	_, err = s.in(ctx, tx, relabelSQL).ExecContext(ctx, r.Owner, r.Kind, r.ID, r.At.UnixMicro(), joined(r.Labels))
	if err != nil {
		return err
	}
	left, joins := driver.Relabelled(old, r)
	if err := s.post(ctx, tx, old, left, false); err != nil {
		return err
	}
	return s.post(ctx, tx, r, joins, true)
}

func (s *Store) Delete(ctx context.Context, keys ...storage.Key) error {
	return s.deleting(ctx, func(tx *sql.Tx) error {
		found := false
		for _, key := range keys {
			var at int64
			var labels []byte
			err := s.in(ctx, tx, removeSQL).QueryRowContext(ctx, key.Owner, key.Kind, key.ID).Scan(&at, &labels)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err == nil {
				r := storage.Record{Key: key, At: micros(at), Labels: parted(labels)}
				err = s.post(ctx, tx, r, driver.Postings(r), false)
			}
			if err != nil {
				return err
			}
			found = true
		}
		return driver.Gone(found, keys)
	})
}

// joined returns labels as a column has them.
func joined(labels []string) []byte {
	if len(labels) == 0 {
		return nil
	}
	return []byte(strings.Join(labels, "\x00"))
}

// parted returns the labels of a column.
func parted(column []byte) []string {
	if len(column) == 0 {
		return nil
	}
	return strings.Split(string(column), "\x00")
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
