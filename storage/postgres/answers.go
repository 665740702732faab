package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

const (
	reserveSQL = `
		INSERT INTO motion.answers AS a (owner, key, hash, expires_at)
		VALUES ($1, $2, $3, clock_timestamp() + $4::bigint * interval '1 microsecond')
		ON CONFLICT (owner, key) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, expires_at = excluded.expires_at, answer = NULL
			WHERE a.expires_at <= clock_timestamp()
		RETURNING seq, xmax <> 0` // which only a row that there was has
	answerSQL = `SELECT hash, answer FROM motion.answers WHERE owner = $1 AND key = $2`
	// evictSQL leaves out what another transaction is removing.
	evictSQL = `
		DELETE FROM motion.answers WHERE seq IN (
			SELECT seq FROM motion.answers WHERE owner = $1 AND seq <= (
				SELECT seq FROM motion.answers WHERE owner = $1 ORDER BY seq DESC OFFSET $2 LIMIT 1)
			FOR UPDATE SKIP LOCKED)`
	keepSQL = `UPDATE motion.answers SET answer = $2, expires_at = clock_timestamp() + $3::bigint * interval '1 microsecond'
		WHERE seq = $1 AND answer IS NULL`
	releaseSQL = `DELETE FROM motion.answers WHERE seq = $1 AND answer IS NULL`
	forgetSQL  = `UPDATE motion.answers SET hash = $2, answer = NULL, expires_at = clock_timestamp() WHERE owner = $1 AND answer IS NOT NULL`
	// expireSQL uses the time of the statement, which an index finds.
	expireSQL = `DELETE FROM motion.answers WHERE expires_at <= statement_timestamp()
		AND (answer IS NOT NULL OR expires_at <= statement_timestamp() - $1::bigint * interval '1 microsecond')`
)

var _ storage.AnswerKeeper = (*Store)(nil)

// ReserveAnswer implements storage.AnswerKeeper. If the connection is lost while it commits, there
// may be a reservation that nobody knows of; it lapses.
func (s *Store) ReserveAnswer(ctx context.Context, r storage.Request, lease time.Duration, keys int) (storage.Reservation, error) {
	if err := driver.CheckAnswer(r, keys); err != nil {
		return storage.Reservation{}, err
	}
	for {
		found := storage.Reservation{Hash: r.Hash}
		err := s.pool.QueryRow(ctx, s.sql(reserveSQL), r.Owner, r.Key, r.Hash[:], lease.Microseconds()).Scan(&found.ID, &found.Lapsed)
		if err == nil {
			return found, s.run(ctx, evictSQL, r.Owner, keys)
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return storage.Reservation{}, kind(ctx, err)
		}
		hash := found.Hash[:]
		err = s.pool.QueryRow(ctx, s.sql(answerSQL), r.Owner, r.Key).Scan(&hash, &found.Answer)
		if errors.Is(err, pgx.ErrNoRows) {
			continue // removed in between
		}
		copy(found.Hash[:], hash)
		return found, kind(ctx, err)
	}
}

func (s *Store) KeepAnswer(ctx context.Context, id int64, answer []byte, keep time.Duration) error {
	return s.run(ctx, keepSQL, id, answer, keep.Microseconds())
}

func (s *Store) ReleaseAnswer(ctx context.Context, id int64) error { return s.run(ctx, releaseSQL, id) }

func (s *Store) ForgetAnswers(ctx context.Context, owner string) error {
	return s.run(ctx, forgetSQL, owner, make([]byte, 32))
}

func (s *Store) ExpireAnswers(ctx context.Context) error {
	return s.run(ctx, expireSQL, driver.Lapsed.Microseconds())
}

// run runs one statement.
func (s *Store) run(ctx context.Context, query string, args ...any) error {
	_, err := s.pool.Exec(ctx, s.sql(query), args...)
	return kind(ctx, err)
}
