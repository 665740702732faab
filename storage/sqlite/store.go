package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/bodymotion/motion/storage"
)

const (
	nextIDSQL = `INSERT INTO ids (kind, last) VALUES (?, 1)
		ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last`
	insertSQL = `INSERT INTO records (owner, kind, id, created_at, updated_at, status, failure, attempts, data)
		VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7, ?8)`
	updateSQL = `UPDATE records SET status = ?, failure = ?, attempts = ?, data = ?, updated_at = max(?, updated_at + 1)
		WHERE owner = ? AND kind = ? AND id = ? AND status = ? AND (? = 0 OR updated_at = ?) RETURNING seq, created_at, updated_at`
	statusSQL     = `SELECT status FROM records WHERE owner = ? AND kind = ? AND id = ?`
	removeSQL     = `DELETE FROM records WHERE owner = ? AND kind = ? AND id = ?`
	setResultSQL  = `INSERT INTO results (seq, result) VALUES (?, ?) ON CONFLICT DO UPDATE SET result = excluded.result`
	dropResultSQL = `DELETE FROM results WHERE seq = ?`
	getSQL        = `SELECT created_at, updated_at, status, failure, attempts, data, result
		FROM records LEFT JOIN results USING (seq) WHERE owner = ? AND kind = ? AND id = ?`
)

// immediate is a transaction that writes, and waits for its turn at its beginning.
var immediate = &sql.TxOptions{Isolation: sql.LevelSerializable}

// write runs fn in a transaction that writes.
func (s *Store) write(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := s.writer.BeginTx(ctx, immediate)
	if err != nil {
		return kind(ctx, err)
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return kind(ctx, err)
	}
	return kind(ctx, tx.Commit())
}

func micros(n int64) time.Time { return time.UnixMicro(n).UTC() }

// keepResult keeps the result of the record with that seq.
func (s *Store) keepResult(ctx context.Context, tx *sql.Tx, seq int64, result []byte) error {
	if result == nil {
		_, err := tx.StmtContext(ctx, s.dropResult).ExecContext(ctx, seq)
		return err
	}
	_, err := tx.StmtContext(ctx, s.setResult).ExecContext(ctx, seq, result)
	return err
}

// Create implements storage.Store.
func (s *Store) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
	if r.Owner == "" || r.Kind == "" {
		return storage.Record{}, fmt.Errorf("%w record: owner and kind are required", storage.ErrInvalid)
	}
	err := s.write(ctx, func(tx *sql.Tx) error {
		if err := tx.StmtContext(ctx, s.nextID).QueryRowContext(ctx, r.Kind).Scan(&r.ID); err != nil {
			return err
		}
		now := time.Now().UnixMicro()
		r.CreatedAt, r.UpdatedAt = micros(now), micros(now)
		res, err := tx.StmtContext(ctx, s.insert).ExecContext(ctx,
			r.Owner, r.Kind, r.ID, now, r.Status, r.Failure, r.Attempts, r.Data)
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
	return private(r), nil
}

// Get implements storage.Store.
func (s *Store) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	r := storage.Record{Key: key}
	var created, updated int64
	err := s.get.QueryRowContext(ctx, key.Owner, key.Kind, key.ID).
		Scan(&created, &updated, &r.Status, &r.Failure, &r.Attempts, &r.Data, &r.Result)
	if errors.Is(err, sql.ErrNoRows) {
		err = notFound(key)
	}
	if err != nil {
		return storage.Record{}, kind(ctx, err)
	}
	r.CreatedAt, r.UpdatedAt = micros(created), micros(updated)
	return r, nil
}

// Update implements storage.Store.
func (s *Store) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	var unchanged int64
	if !r.UpdatedAt.IsZero() {
		unchanged = r.UpdatedAt.UnixMicro()
	}
	err := s.write(ctx, func(tx *sql.Tx) error {
		var seq, created, updated int64
		err := tx.StmtContext(ctx, s.update).QueryRowContext(ctx,
			r.Status, r.Failure, r.Attempts, r.Data, time.Now().UnixMicro(),
			r.Owner, r.Kind, r.ID, from, unchanged, unchanged).Scan(&seq, &created, &updated)
		if errors.Is(err, sql.ErrNoRows) {
			return s.refused(ctx, tx, r.Key, from)
		}
		if err != nil {
			return err
		}
		r.CreatedAt, r.UpdatedAt = micros(created), micros(updated)
		return s.keepResult(ctx, tx, seq, r.Result)
	})
	if err != nil {
		return storage.Record{}, err
	}
	return private(r), nil
}

// refused says why an update found no such record.
func (s *Store) refused(ctx context.Context, tx *sql.Tx, key storage.Key, from storage.Status) error {
	var status storage.Status
	err := tx.StmtContext(ctx, s.status).QueryRowContext(ctx, key.Owner, key.Kind, key.ID).Scan(&status)
	if errors.Is(err, sql.ErrNoRows) {
		return notFound(key)
	}
	if err != nil {
		return err
	}
	if status == from {
		return fmt.Errorf("%s/%d was changed meanwhile: %w", key.Kind, key.ID, storage.ErrConflict)
	}
	return fmt.Errorf("%s/%d is %s, not %s: %w", key.Kind, key.ID, status, from, storage.ErrConflict)
}

// Delete implements storage.Store.
func (s *Store) Delete(ctx context.Context, key storage.Key) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		res, err := tx.StmtContext(ctx, s.remove).ExecContext(ctx, key.Owner, key.Kind, key.ID)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return notFound(key)
	})
}
