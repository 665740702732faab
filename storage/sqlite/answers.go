package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

const (
	lapseSQL   = `DELETE FROM answers WHERE owner = ? AND key = ? AND expires_at <= ?`
	reserveSQL = `INSERT INTO answers (owner, key, hash, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING seq`
	answerSQL  = `SELECT hash, answer FROM answers WHERE owner = ? AND key = ?`
	// surplusSQL finds the latest of an owner's answers that are too many.
	surplusSQL = `SELECT seq FROM answers WHERE owner = ? ORDER BY seq DESC LIMIT 1 OFFSET ?`
	evictSQL   = `DELETE FROM answers WHERE owner = ? AND seq <= ?`
	keepSQL    = `UPDATE answers SET answer = ?, expires_at = ? WHERE seq = ? AND answer IS NULL`
	releaseSQL = `DELETE FROM answers WHERE seq = ? AND answer IS NULL`
	forgetSQL  = `UPDATE answers SET hash = zeroblob(32), answer = NULL, expires_at = ? WHERE owner = ? AND answer IS NOT NULL`
	expireSQL  = `DELETE FROM answers WHERE expires_at <= ? AND (answer IS NOT NULL OR expires_at <= ?)`
)

func (s *store) ReserveAnswer(ctx context.Context, r storage.Request, lease time.Duration, keys int) (storage.Reservation, error) {
	if err := driver.CheckAnswer(r, keys); err != nil {
		return storage.Reservation{}, err
	}
	found := storage.Reservation{Hash: r.Hash}
	err := s.write(ctx, func(tx *sql.Tx) error {
		now := time.Now()
		lapsed, err := s.exec(ctx, tx, lapseSQL, r.Owner, r.Key, now.UnixMicro())
		if err != nil {
			return err
		}
		found.Lapsed = lapsed > 0
		err = s.in(ctx, tx, reserveSQL).QueryRowContext(ctx, r.Owner, r.Key, r.Hash[:], now.Add(lease).UnixMicro()).Scan(&found.ID)
		if errors.Is(err, sql.ErrNoRows) {
			hash := found.Hash[:]
			err = s.in(ctx, tx, answerSQL).QueryRowContext(ctx, r.Owner, r.Key).Scan(&hash, &found.Answer)
			copy(found.Hash[:], hash)
			return err
		}
		if err != nil {
			return err
		}
		var last int64
		err = s.in(ctx, tx, surplusSQL).QueryRowContext(ctx, r.Owner, keys).Scan(&last)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			_, err = s.exec(ctx, tx, evictSQL, r.Owner, last)
		}
		return err
	})
	if err != nil {
		return storage.Reservation{}, err
	}
	return found, nil
}

func (s *store) KeepAnswer(ctx context.Context, id int64, answer []byte, keep time.Duration) error {
	return s.run(ctx, keepSQL, answer, time.Now().Add(keep).UnixMicro(), id)
}

func (s *store) ReleaseAnswer(ctx context.Context, id int64) error { return s.run(ctx, releaseSQL, id) }

func (s *store) ForgetAnswers(ctx context.Context, owner string) error {
	err := s.deleting(ctx, func(tx *sql.Tx) error {
		_, err := s.exec(ctx, tx, forgetSQL, time.Now().UnixMicro(), owner)
		return err
	})
	if err == nil {
		err = s.emptyLog(ctx)
	}
	return err
}

func (s *store) ExpireAnswers(ctx context.Context) error {
	now := time.Now()
	return s.run(ctx, expireSQL, now.UnixMicro(), now.Add(-driver.Lapsed).UnixMicro())
}

// run runs one query in a write transaction.
func (s *store) run(ctx context.Context, query string, args ...any) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := s.exec(ctx, tx, query, args...)
		return err
	})
}
