package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// Each query is one round trip, and its parts see one state of the database.
const (
	createSQL = `
		WITH next AS (
			INSERT INTO motion.ids AS i (kind, last) VALUES ($2, 1)
			ON CONFLICT (kind) DO UPDATE SET last = i.last + 1 RETURNING last
		), made AS (
			INSERT INTO motion.records (owner, kind, id, created_at, updated_at, status, failure, attempts, data, at, labels)
			SELECT $1, $2, last, statement_timestamp(), statement_timestamp(), $3, $4, $5, $6, coalesce($8, statement_timestamp()), $9 FROM next
			RETURNING seq, id, created_at
		), kept AS (
			INSERT INTO motion.results (seq, result) SELECT seq, $7 FROM made WHERE $7::bytea IS NOT NULL
		)
		SELECT id, created_at, pg_current_xact_id()::text FROM made`
	// Labels that are the same stay as they are stored.
	updateSQL = `
		WITH changed AS (
			UPDATE motion.records SET status = $5, failure = $6, attempts = $7, data = $8,
				updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond'), at = coalesce($11, created_at),
				labels = CASE WHEN labels IS DISTINCT FROM $12 THEN $12 ELSE labels END
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
	relabelSQL = `
		UPDATE motion.records SET updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond'),
			at = coalesce($5, created_at), labels = $6
		WHERE owner = $1 AND kind = $2 AND id = $3 AND updated_at = $4 RETURNING updated_at, pg_current_xact_id()::text`
	statusSQL = `SELECT status FROM motion.records WHERE owner = $1 AND kind = $2 AND id = $3`
	deleteSQL = `SELECT motion.remove($1, $2, $3), pg_current_xact_id()::text`

	// These ask whether create, update and delete were committed, if nobody wrote later.
	createdSQL = `SELECT EXISTS (SELECT FROM motion.records WHERE owner = $1 AND kind = $2 AND id = $3 AND created_at = $4)`
	updatedSQL = `SELECT updated_at = $4 FROM motion.records WHERE owner = $1 AND kind = $2 AND id = $3 AND updated_at <= $4`
	deletedSQL = `SELECT NOT EXISTS (SELECT FROM motion.records r, unnest($1::text[], $2::text[], $3::bigint[]) k (owner, kind, id)
		WHERE r.owner = k.owner AND r.kind = k.kind AND r.id = k.id)`

	getSQL = `
		SELECT created_at, updated_at, coalesce(at, created_at), labels, status, failure, attempts, data, result
		FROM motion.records LEFT JOIN motion.results USING (seq) WHERE owner = $1 AND kind = $2 AND id = $3`
)

func (s *Store) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
	return s.create(ctx, r, func(pgx.Tx, storage.Key) error { return nil })
}

// create creates a record and calls also in the same transaction.
func (s *Store) create(ctx context.Context, r storage.Record, also func(pgx.Tx, storage.Key) error) (storage.Record, error) {
	if err := driver.CheckNew(r); err != nil {
		return storage.Record{}, err
	}
	err := s.write(ctx, func(tx pgx.Tx) (done trace, err error) {
		err = tx.QueryRow(ctx, s.sql(createSQL), r.Owner, r.Kind, r.Status, r.Failure, r.Attempts, r.Data, r.Result, maybe(r.At), labels(r)).
			Scan(&r.ID, &r.CreatedAt, &done.xid)
		if err != nil {
			return done, err
		}
		r.CreatedAt = r.CreatedAt.UTC()
		r.UpdatedAt, r.At = r.CreatedAt, driver.When(r)
		done.sql, done.args = createdSQL, []any{r.Owner, r.Kind, r.ID, r.CreatedAt}
		return done, also(tx, r.Key)
	})
	if err != nil {
		return storage.Record{}, err
	}
	return driver.Clone(r), nil
}

func (s *Store) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	r := storage.Record{Key: key}
	err := s.pool.QueryRow(ctx, s.sql(getSQL), key.Owner, key.Kind, key.ID).
		Scan(&r.CreatedAt, &r.UpdatedAt, &r.At, &r.Labels, &r.Status, &r.Failure, &r.Attempts, &r.Data, &r.Result)
	if errors.Is(err, pgx.ErrNoRows) {
		err = driver.NotFound(key)
	}
	if err != nil {
		return storage.Record{}, kind(ctx, err)
	}
	r.CreatedAt, r.UpdatedAt, r.At = r.CreatedAt.UTC(), r.UpdatedAt.UTC(), r.At.UTC()
	return r, nil
}

// maybe returns nil for no time.
func maybe(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// labels returns the labels of r, nil if there are none.
func labels(r storage.Record) []string { return append([]string(nil), r.Labels...) }

func (s *Store) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	if err := driver.CheckLabels(r); err != nil {
		return storage.Record{}, err
	}
	err := s.write(ctx, func(tx pgx.Tx) (done trace, err error) {
		err = tx.QueryRow(ctx, s.sql(updateSQL), r.Owner, r.Kind, r.ID, from, r.Status, r.Failure, r.Attempts, r.Data, r.Result,
			maybe(r.UpdatedAt), maybe(r.At), labels(r)).Scan(&r.CreatedAt, &r.UpdatedAt, &done.xid)
		if errors.Is(err, pgx.ErrNoRows) {
			return done, s.refusal(ctx, tx, r.Key, from)
		}
		if err != nil {
			return done, err
		}
		r.CreatedAt, r.UpdatedAt = r.CreatedAt.UTC(), r.UpdatedAt.UTC()
		r.At = driver.When(r)
		done.sql, done.args = updatedSQL, []any{r.Owner, r.Kind, r.ID, r.UpdatedAt}
		return done, nil
	})
	if err != nil {
		return storage.Record{}, err
	}
	return driver.Clone(r), nil
}

var _ storage.Relabeler = (*Store)(nil)

// Relabel implements storage.Relabeler.
func (s *Store) Relabel(ctx context.Context, records ...storage.Record) (left []storage.Key, err error) {
	err = s.write(ctx, func(tx pgx.Tx) (done trace, err error) {
		for _, r := range records {
			if err := driver.CheckLabels(r); err != nil {
				return done, err
			}
			err := tx.QueryRow(ctx, s.sql(relabelSQL), r.Owner, r.Kind, r.ID, r.UpdatedAt, maybe(r.At), labels(r)).Scan(&r.UpdatedAt, &done.xid)
			switch {
			case errors.Is(err, pgx.ErrNoRows):
				left = append(left, r.Key)
			case err != nil:
				return done, err
			default:
				done.sql, done.args = updatedSQL, []any{r.Owner, r.Kind, r.ID, r.UpdatedAt}
			}
		}
		return done, nil
	})
	if err != nil {
		return nil, err
	}
	return left, nil
}

// refusal returns why an Update of a record changes nothing.
func (s *Store) refusal(ctx context.Context, tx pgx.Tx, key storage.Key, from storage.Status) error {
	var is storage.Status
	err := tx.QueryRow(ctx, s.sql(statusSQL), key.Owner, key.Kind, key.ID).Scan(&is)
	if errors.Is(err, pgx.ErrNoRows) {
		return driver.NotFound(key)
	}
	if err != nil {
		return err
	}
	return driver.Conflict(key, is, from)
}

func (s *Store) Delete(ctx context.Context, keys ...storage.Key) error {
	var owners, kinds []string
	var ids []int64
	for _, key := range keys {
		owners, kinds, ids = append(owners, key.Owner), append(kinds, string(key.Kind)), append(ids, key.ID)
	}
	return s.write(ctx, func(tx pgx.Tx) (done trace, err error) {
		done.sql, done.args = deletedSQL, []any{owners, kinds, ids}
		var gone int
		if err = tx.QueryRow(ctx, s.sql(deleteSQL), done.args...).Scan(&gone, &done.xid); err == nil {
			err = driver.Gone(gone > 0, keys)
		}
		return done, err
	})
}

// commitWait is how long a commit may take, including the query for its outcome.
const commitWait = 10 * time.Second

// trace identifies a transaction after its commit.
type trace struct {
	xid  string // the transaction ID
	sql  string // asks whether it was committed: true, false, or no row if that is unknown
	args []any
}

// write runs fn in a transaction. ctx can end the call before the commit, and not later: if the
// call returns ctx's error, nothing has changed.
func (s *Store) write(ctx context.Context, fn func(pgx.Tx) (trace, error)) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return kind(ctx, err)
	}
	done, err := fn(tx)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitWait)
	defer cancel()
	if err != nil {
		// If this fails, the connection is broken and the server rolls back.
		_ = tx.Rollback(end)
		return kind(ctx, err)
	}
	err = tx.Commit(end)
	if err == nil || !lost(err) && end.Err() == nil {
		return kind(end, err)
	}
	committed, unknown := s.outcome(end, done)
	switch {
	case unknown != nil:
		return errors.Join(fmt.Errorf("%w: it is unknown whether this was committed: %w", storage.ErrUnavailable, err), unknown)
	case committed:
		return nil
	}
	return fmt.Errorf("%w: not committed: %w", storage.ErrUnavailable, err)
}

// outcome asks the server whether a transaction was committed whose commit returned an error.
func (s *Store) outcome(ctx context.Context, done trace) (committed bool, unknown error) {
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		var status string
		err := s.pool.QueryRow(ctx, "SELECT coalesce(pg_xact_status($1::text::xid8), 'aborted')", done.xid).Scan(&status)
		switch {
		case err == nil && status == "committed":
			// It may be another transaction: after a crash, the server reuses the IDs of transactions of which it kept nothing.
			err = s.pool.QueryRow(ctx, s.sql(done.sql), done.args...).Scan(&committed)
			if err == nil || errors.Is(err, pgx.ErrNoRows) {
				return committed, err
			}
		case err == nil && status == "aborted", code(err) == "22023": // 22023: the ID is not in use yet
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, errors.Join(ctx.Err(), err)
		case <-time.After(pause):
		}
	}
}
