package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/ncruces/go-sqlite3/driver"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/sqlite"
)

// lists measures a page of 20 with its total, from the Store and over HTTP, of short and long lists.
// Page 5,000 begins after 99,980 records; 1,000 records have 50 pages.
func lists(ctx context.Context, b *bench) error {
	b.say("store\trecords\tpage\tStore.List\t× page 1 of 1,000\tGET over HTTP\t× page 1 of 1,000")
	for _, name := range []string{"sqlite", "postgres"} {
		var first, firstHTTP time.Duration
		for _, n := range []int{1000, b.amount(1_000_000, 101_000)} {
			s, closeStore, err := b.filled(ctx, name, n)
			if err != nil {
				return err
			}
			h, err := apiOf(s, filepath.Join(b.dir, "lists"))
			if err != nil {
				return err
			}
			url, stop, err := listen(h)
			if err != nil {
				return err
			}
			for _, page := range []int{1, min(5000, n/20)} {
				f := storage.Filter{Offset: (page - 1) * 20, Limit: 20}
				direct, err := b.each(func() error {
					records, total, err := s.List(ctx, owner, storage.Keypoints, f)
					if err == nil && (len(records) != 20 || total != n) {
						err = fmt.Errorf("%d records of %d", len(records), total)
					}
					return err
				})
				if err != nil {
					return err
				}
				over, err := b.each(func() error {
					return get(ctx, http.DefaultClient, fmt.Sprintf("%s/keypoints/?size=20&page=%d", url, page))
				})
				if err != nil {
					return err
				}
				if first == 0 {
					first, firstHTTP = direct, over
				}
				b.say("%s\t%d\t%d\t%.2f ms\t%.1f\t%.2f ms\t%.1f", name, n, page,
					float64(direct)/1e6, float64(direct)/float64(first), float64(over)/1e6, float64(over)/float64(firstHTTP))
			}
			if err := stop(); err != nil {
				return err
			}
			if err := closeStore(); err != nil {
				return err
			}
		}
	}
	return nil
}

// each returns the median time of a call.
func (b *bench) each(call func() error) (time.Duration, error) {
	var took []time.Duration
	for range b.amount(2000, 50) {
		begin := time.Now()
		if err := call(); err != nil {
			return 0, err
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}

// filled returns a store with n keypoint records of the owner.
func (b *bench) filled(ctx context.Context, name string, n int) (storage.Store, func() error, error) {
	data := []byte(`{"from":[{"kind":"movies","id":17}],"request":{"movieId":17}}`)
	if name == "sqlite" {
		path := filepath.Join(b.dir, fmt.Sprintf("lists-%d.db", n))
		s, err := sqlite.Open(path, sqlite.Options{})
		if err != nil {
			return nil, nil, err
		}
		db, err := driver.Open("file:" + path)
		if err != nil {
			return nil, nil, err
		}
		defer db.Close()
		_, err = db.ExecContext(ctx, `
			INSERT INTO records (owner, kind, id, created_at, updated_at, status, failure, attempts, data)
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
			SELECT ?2, 'keypoints', i, i, i, 'SUCCESS', '', 1, ?3 FROM n`, n, owner, data)
		return s, s.Close, err
	}
	schema := b.pg.schema()
	s, err := b.pg.open(ctx, schema, 4)
	if err != nil {
		return nil, nil, err
	}
	return s, s.Close, fill(ctx, b.pg.dsn(1), schema, n, data)
}

func fill(ctx context.Context, dsn, schema string, n int, data []byte) error {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.Exec(ctx, `
		INSERT INTO `+schema+`.records (owner, kind, id, created_at, updated_at, status, failure, attempts, data)
		SELECT $2, 'keypoints', i, now(), now(), 'SUCCESS', '', 1, $3 FROM generate_series(1, $1::bigint) i`, n, owner, data)
	return err
}
