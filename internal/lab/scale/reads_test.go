package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/ncruces/go-sqlite3/driver"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit"
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

// BenchmarkReads makes two comparisons for each database. Store.Get is compared with the same query, over the same number of
// connections of the same driver and scanned into variables. GET of the API over HTTP is compared with a net/http handler
// that runs that query and writes the JSON columns as they are. Neither checks tokens.
func BenchmarkReads(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "reads.db")
		s, err := sqlite.Open(path, sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		testkit.Close(b, s)
		db, err := driver.Open("file:" + path)
		if err != nil {
			b.Fatal(err)
		}
		testkit.Close(b, db)
		db.SetMaxOpenConns(4)
		db.SetMaxIdleConns(4)
		stmt, err := db.PrepareContext(b.Context(), fmt.Sprintf(bareSQL, "", "?", "?", "?"))
		if err != nil {
			b.Fatal(err)
		}
		testkit.Close(b, stmt)
		readsOf(b, s, bareSQLite(stmt))
	})
	b.Run("postgres", func(b *testing.B) {
		pool, err := pgxpool.New(b.Context(), testkit.Database(b).URL()+"&pool_max_conns=4")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(pool.Close)
		s, err := postgres.New(b.Context(), pool, postgres.Options{Schema: "reads"})
		if err != nil {
			b.Fatal(err)
		}
		readsOf(b, s, barePostgres(pool, fmt.Sprintf(bareSQL, "reads.", "$1", "$2", "$3")))
	})
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
func sampleRecords(b *testing.B) []sample {
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
		b.Fatal(err)
	}
	return []sample{
		{"a movie", storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Movies},
			Data: []byte(`{"file":{"bytes":0,"md5":"1B2M2Y8AsgTpgAmY7PhCfg=="},"request":{"name":"swing.mp4","contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg=="},` +
				`"outcome":{"Size":{"X":1920,"Y":1080},"Frames":300,"FrameRate":30,"Duration":10}}`)}},
		{fmt.Sprintf("keypoints, %d kB", len(result)/1000), storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Keypoints},
			Status: storage.Success, Attempts: 1, Result: fmt.Appendf(nil, `{"cleaned":%s}`, result),
			Data: []byte(`{"from":[{"kind":"movies","id":1}],"request":{"movieId":1}}`)}},
	}
}

// readsOf compares the reads of a store.
func readsOf(b *testing.B, s storage.Store, query bare) {
	h, err := apiOf(s, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	for _, r := range sampleRecords(b) {
		made, err := s.Create(b.Context(), r.Record)
		if err != nil {
			b.Fatal(err)
		}
		ours, theirs := httptest.NewServer(h), httptest.NewServer(bareHandler(query, made.Key))
		b.Cleanup(ours.Close)
		b.Cleanup(theirs.Close)
		at := fmt.Sprintf("/%s/%d/", made.Kind, made.ID)
		for _, way := range []struct {
			name string
			call func(context.Context) error
		}{
			{"Get", func(ctx context.Context) error { _, err := s.Get(ctx, made.Key); return err }},
			{"query", func(ctx context.Context) error { _, err := query(ctx, made.Key); return err }},
			{"HTTP", func(ctx context.Context) error { return get(ctx, http.DefaultClient, ours.URL+at) }},
			{"query over HTTP", func(ctx context.Context) error { return get(ctx, http.DefaultClient, theirs.URL+at) }},
		} {
			b.Run(r.name+"/"+way.name, func(b *testing.B) {
				b.ReportAllocs()
				b.RunParallel(func(p *testing.PB) {
					for p.Next() {
						if err := way.call(b.Context()); err != nil {
							b.Error(err)
							return
						}
					}
				})
			})
		}
	}
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

// apiOf returns the API over a store alone.
func apiOf(s storage.Store, blobs string) (http.Handler, error) {
	m, err := stub(s, memoryQueue(), childArgs{Blobs: blobs}, newTimes())
	if err != nil {
		return nil, err
	}
	return api(m)
}

// get reads and discards a response with status 200.
func get(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return errors.New(url + ": " + res.Status)
	}
	return nil
}

// api returns the API of a service without authentication, for the owner.
func api(m *motion.Service) (http.Handler, error) {
	return httpapi.New(m, httpapi.Options{
		Logger: quiet,
		Authenticator: func(*http.Request) (httpapi.Identity, error) {
			return httpapi.Identity{Client: owner}, nil
		},
	})
}
