package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/storage"
)

// Each query is one round trip, and runs its parts on one state of the database.
const (
	createSQL = `
		WITH next AS (
			INSERT INTO motion.ids AS i (kind, last) VALUES ($2, 1)
			ON CONFLICT (kind) DO UPDATE SET last = i.last + 1 RETURNING last
		), made AS (
			INSERT INTO motion.records (owner, kind, id, created_at, updated_at, status, failure, attempts, data)
			SELECT $1, $2, last, statement_timestamp(), statement_timestamp(), $3, $4, $5, $6 FROM next
			RETURNING seq, id, created_at
		), kept AS (
			INSERT INTO motion.results (seq, result) SELECT seq, $7 FROM made WHERE $7::bytea IS NOT NULL
		)
		SELECT id, created_at, pg_current_xact_id()::text FROM made`
	updateSQL = `
		WITH changed AS (
			UPDATE motion.records SET status = $5, failure = $6, attempts = $7, data = $8,
				updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
			WHERE owner = $1 AND kind = $2 AND id = $3 AND status = $4
				AND ($10::timestamptz IS NULL OR updated_at = $10)
			RETURNING seq, created_at, updated_at
		), kept AS (
			INSERT INTO motion.results (seq, result) SELECT seq, $9 FROM changed WHERE $9::bytea IS NOT NULL
			ON CONFLICT (seq) DO UPDATE SET result = excluded.result
		), dropped AS (
			DELETE FROM motion.results r USING changed c WHERE r.seq = c.seq AND $9::bytea IS NULL
		)
		SELECT created_at, updated_at, pg_current_xact_id()::text FROM changed`
	statusSQL = `SELECT status FROM motion.records WHERE owner = $1 AND kind = $2 AND id = $3`
	deleteSQL = `DELETE FROM motion.records WHERE owner = $1 AND kind = $2 AND id = $3 RETURNING pg_current_xact_id()::text`

	// What the three have left behind, if they are committed and no one has come later.
	createdSQL = `SELECT EXISTS (SELECT FROM motion.records WHERE owner = $1 AND kind = $2 AND id = $3 AND created_at = $4)`
	updatedSQL = `SELECT updated_at = $4 FROM motion.records WHERE owner = $1 AND kind = $2 AND id = $3 AND updated_at <= $4`
	deletedSQL = `SELECT NOT EXISTS (SELECT FROM motion.records WHERE owner = $1 AND kind = $2 AND id = $3)`

	getSQL = `
		SELECT created_at, updated_at, status, failure, attempts, data, result
		FROM motion.records LEFT JOIN motion.results USING (seq) WHERE owner = $1 AND kind = $2 AND id = $3`
)

// Create implements storage.Store.
func (s *Store) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
	return s.create(ctx, r, func(pgx.Tx, storage.Key) error { return nil })
}

// create keeps a new record, and does what besides in the same transaction.
func (s *Store) create(ctx context.Context, r storage.Record, besides func(pgx.Tx, storage.Key) error) (storage.Record, error) {
	if r.Owner == "" || r.Kind == "" {
		return storage.Record{}, fmt.Errorf("%w record: owner and kind are required", storage.ErrInvalid)
	}
	err := s.write(ctx, func(tx pgx.Tx) (left trace, err error) {
		err = tx.QueryRow(ctx, s.sql(createSQL), r.Owner, r.Kind, r.Status, r.Failure, r.Attempts, r.Data, r.Result).
			Scan(&r.ID, &r.CreatedAt, &left.xid)
		if err != nil {
			return left, err
		}
		r.CreatedAt = r.CreatedAt.UTC()
		r.UpdatedAt = r.CreatedAt
		left.sql, left.args = createdSQL, []any{r.Owner, r.Kind, r.ID, r.CreatedAt}
		return left, besides(tx, r.Key)
	})
	if err != nil {
		return storage.Record{}, err
	}
	return private(r), nil
}

// Get implements storage.Store.
func (s *Store) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	r := storage.Record{Key: key}
	err := s.pool.QueryRow(ctx, s.sql(getSQL), key.Owner, key.Kind, key.ID).
		Scan(&r.CreatedAt, &r.UpdatedAt, &r.Status, &r.Failure, &r.Attempts, &r.Data, &r.Result)
	if errors.Is(err, pgx.ErrNoRows) {
		err = notFound(key)
	}
	if err != nil {
		return storage.Record{}, kind(ctx, err)
	}
	r.CreatedAt, r.UpdatedAt = r.CreatedAt.UTC(), r.UpdatedAt.UTC()
	return r, nil
}

// Update implements storage.Store.
func (s *Store) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	var unchanged *time.Time
	if at := r.UpdatedAt; !at.IsZero() {
		unchanged = &at
	}
	err := s.write(ctx, func(tx pgx.Tx) (left trace, err error) {
		err = tx.QueryRow(ctx, s.sql(updateSQL), r.Owner, r.Kind, r.ID, from, r.Status, r.Failure, r.Attempts, r.Data, r.Result, unchanged).
			Scan(&r.CreatedAt, &r.UpdatedAt, &left.xid)
		if errors.Is(err, pgx.ErrNoRows) {
			err = s.refused(ctx, tx, r.Key, from)
		}
		left.sql, left.args = updatedSQL, []any{r.Owner, r.Kind, r.ID, r.UpdatedAt}
		return left, err
	})
	if err != nil {
		return storage.Record{}, err
	}
	r.CreatedAt, r.UpdatedAt = r.CreatedAt.UTC(), r.UpdatedAt.UTC()
	return private(r), nil
}

// refused says why an update found no such record.
func (s *Store) refused(ctx context.Context, tx pgx.Tx, key storage.Key, from storage.Status) error {
	var status storage.Status
	err := tx.QueryRow(ctx, s.sql(statusSQL), key.Owner, key.Kind, key.ID).Scan(&status)
	if errors.Is(err, pgx.ErrNoRows) {
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
	return s.write(ctx, func(tx pgx.Tx) (left trace, err error) {
		left.sql, left.args = deletedSQL, []any{key.Owner, key.Kind, key.ID}
		err = tx.QueryRow(ctx, s.sql(deleteSQL), left.args...).Scan(&left.xid)
		if errors.Is(err, pgx.ErrNoRows) {
			err = notFound(key)
		}
		return left, err
	})
}

// private returns r with byte slices of its own.
func private(r storage.Record) storage.Record {
	r.Data, r.Result = bytes.Clone(r.Data), bytes.Clone(r.Result)
	return r
}
