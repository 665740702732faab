package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/ncruces/go-sqlite3/driver"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
	"github.com/bodymotion/motion/storage/sqlite"
)

// bareSQL is the query for a record that a program without a Store would use.
const bareSQL = `SELECT created_at, updated_at, status, failure, attempts, data, result
	FROM %[1]srecords LEFT JOIN %[1]sresults USING (seq) WHERE owner = %[2]s AND kind = %[3]s AND id = %[4]s`

// row is a result of bareSQL.
type row struct {
	status, failure string
	attempts        int
	data, result    []byte
}

// bare reads a record without a Store.
type bare func(ctx context.Context, key storage.Key) (row, error)

// reads makes two comparisons for each database. Store.Get is compared with the same query, over the
// same number of connections of the same driver and scanned into variables. GET of the API over
// HTTP is compared with a net/http handler that runs that query and writes the JSON columns as they
// are. Neither checks tokens. Two clients at a time send requests over loopback, in this process.
func reads(ctx context.Context, b *bench) error {
	b.say("store\tread\tof\tours/s\tbare query/s\tratio")
	records, err := sampleRecords()
	if err != nil {
		return err
	}
	path := filepath.Join(b.dir, "reads.db")
	lite, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer lite.Close()
	db, err := driver.Open("file:" + path)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	stmt, err := db.PrepareContext(ctx, fmt.Sprintf(bareSQL, "", "?", "?", "?"))
	if err != nil {
		return err
	}
	defer stmt.Close()
	if err := b.readsOf(ctx, "sqlite", lite, bareSQLite(stmt), records); err != nil {
		return err
	}

	schema := b.pg.schema()
	pool, err := pgxpool.New(ctx, b.pg.dsn(4))
	if err != nil {
		return err
	}
	defer pool.Close()
	s, err := postgres.New(ctx, pool, postgres.Options{Schema: schema})
	if err != nil {
		return err
	}
	return b.readsOf(ctx, "postgres", s, barePostgres(pool, fmt.Sprintf(bareSQL, schema+".", "$1", "$2", "$3")), records)
}

func bareSQLite(stmt *sql.Stmt) bare {
	return func(ctx context.Context, key storage.Key) (r row, err error) {
		var created, updated int64
		err = stmt.QueryRowContext(ctx, key.Owner, string(key.Kind), key.ID).
			Scan(&created, &updated, &r.status, &r.failure, &r.attempts, &r.data, &r.result)
		return r, err
	}
}

func barePostgres(pool *pgxpool.Pool, query string) bare {
	return func(ctx context.Context, key storage.Key) (r row, err error) {
		var created, updated time.Time
		err = pool.QueryRow(ctx, query, key.Owner, string(key.Kind), key.ID).
			Scan(&created, &updated, &r.status, &r.failure, &r.attempts, &r.data, &r.result)
		if errors.Is(err, pgx.ErrNoRows) {
			err = storage.ErrNotFound
		}
		return r, err
	}
}

// sample is a record to read.
type sample struct {
	name string
	storage.Record
}

// sampleRecords returns a movie and the keypoints of 10 s of movie.
func sampleRecords() ([]sample, error) {
	seq := keypoint.Sequence{}
	for i := range 300 {
		var f keypoint.Frame
		for p := range keypoint.Part(keypoint.NumBody) {
			f.Set(p, keypoint.Point{900 + 17.25*float64(p) + float64(i), 300 + 41.5*float64(p)}, 0.87)
		}
		seq.Frames = append(seq.Frames, f)
		seq.Times = append(seq.Times, float64(i)/30)
	}
	result, err := json.Marshal(seq)
	if err != nil {
		return nil, err
	}
	return []sample{
		{"a movie", storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Movies},
			Data: []byte(`{"file":{"bytes":0,"md5":"1B2M2Y8AsgTpgAmY7PhCfg=="},"request":{"name":"swing.mp4","contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg=="},` +
				`"outcome":{"Size":{"X":1920,"Y":1080},"Frames":300,"FrameRate":30,"Duration":10}}`)}},
		{fmt.Sprintf("keypoints, %d kB", len(result)/1000), storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Keypoints},
			Status: storage.Success, Attempts: 1, Result: fmt.Appendf(nil, `{"cleaned":%s}`, result),
			Data: []byte(`{"from":[{"kind":"movies","id":1}],"request":{"movieId":1}}`)}},
	}, nil
}

func (b *bench) readsOf(ctx context.Context, name string, s storage.Store, query bare, records []sample) error {
	h, err := apiOf(s, filepath.Join(b.dir, "reads"))
	if err != nil {
		return err
	}
	for _, r := range records {
		made, err := s.Create(ctx, r.Record)
		if err != nil {
			return err
		}
		ours, theirs, err := b.compare(
			func() error { _, err := s.Get(ctx, made.Key); return err },
			func() error { _, err := query(ctx, made.Key); return err })
		if err != nil {
			return err
		}
		b.say("%s\tStore.Get\t%s\t%.0f\t%.0f\t%.2f", name, r.name, ours, theirs, ours/theirs)
		if ours, theirs, err = b.compareHTTP(ctx, h, bareHandler(query, made.Key), fmt.Sprintf("/%s/%d/", made.Kind, made.ID)); err != nil {
			return err
		}
		b.say("%s\tGET\t%s\t%.0f\t%.0f\t%.2f", name, r.name, ours, theirs, ours/theirs)
	}
	return nil
}

// bareHandler responds with the JSON columns.
func bareHandler(query bare, key storage.Key) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, err := query(r.Context(), key)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(got.data)
		_, _ = w.Write(got.result)
	})
}

func (b *bench) compareHTTP(ctx context.Context, ours, theirs http.Handler, path string) (float64, float64, error) {
	oursURL, stopOurs, err := listen(ours)
	if err != nil {
		return 0, 0, err
	}
	theirsURL, stopTheirs, err := listen(theirs)
	if err != nil {
		return 0, 0, errors.Join(err, stopOurs())
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	a, o, err := b.compare(
		func() error { return get(ctx, client, oursURL+path) },
		func() error { return get(ctx, client, theirsURL+path) })
	client.CloseIdleConnections()
	return a, o, errors.Join(err, stopOurs(), stopTheirs())
}

// clients is the number of concurrent clients.
const clients = 2

// compare returns the rates of two calls: the medians of rounds that take turns, so that other load
// affects both.
func (b *bench) compare(ours, theirs func() error) (float64, float64, error) {
	var rates [2][]float64
	for range b.amount(9, 1) {
		for i, call := range []func() error{ours, theirs} {
			rate, err := pace(call, time.Duration(b.amount(300, 50))*time.Millisecond)
			if err != nil {
				return 0, 0, err
			}
			rates[i] = append(rates[i], rate)
		}
	}
	return rank.Upper(rates[0]), rank.Upper(rates[1]), nil
}

// pace returns the rate at which the clients can call.
func pace(call func() error, during time.Duration) (float64, error) {
	var counts [clients]int
	var errs [clients]error
	var wg sync.WaitGroup
	begin := time.Now()
	for i := range clients {
		wg.Go(func() {
			for errs[i] == nil && time.Since(begin) < during {
				errs[i] = call()
				counts[i]++
			}
		})
	}
	wg.Wait()
	n := 0
	for _, c := range counts {
		n += c
	}
	return float64(n) / time.Since(begin).Seconds(), errors.Join(errs[:]...)
}
