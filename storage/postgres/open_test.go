package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
)

var movie = storage.Record{Key: storage.Key{Owner: "a", Kind: storage.Movies}}

// TestPool: a pool stays its caller's, also when it has one connection only.
func TestPool(t *testing.T) {
	cfg, err := pgxpool.ParseConfig(common(t))
	if err != nil {
		t.Fatal(err)
	}
	cfg.MaxConns = 1
	pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	s, err := postgres.New(t.Context(), pool, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := queue(t, s, postgres.QueueOptions{})
	r := movie
	r.Status = storage.Unprocessed
	if r, err = q.CreateWithJob(t.Context(), r, false); err != nil {
		t.Fatal(err)
	}
	work(t, q, 2, func(j storage.Job) (bool, error) {
		_, err := s.Get(t.Context(), j.Key)
		return j.Key == r.Key, err
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := pool.Ping(t.Context()); err != nil {
		t.Errorf("the pool is closed: %v", err)
	}
}

func TestRefused(t *testing.T) {
	dsn := common(t)
	for _, schema := range []string{"Motion", "a b", "1a", "pg_x", strings.Repeat("x", 47), `a"; --`} {
		if _, err := postgres.Open(t.Context(), dsn, postgres.Options{Schema: schema}); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("schema %q: %v", schema, err)
		}
	}
	if _, err := postgres.Open(t.Context(), "://", postgres.Options{}); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("an address that is none: %v", err)
	}
	if _, err := postgres.Open(t.Context(), "host=/nowhere connect_timeout=1", postgres.Options{}); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("a server that is none: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := postgres.Open(ended, dsn, postgres.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}

	s, foreign := open(t, newPlace(t)), newSchema()
	s.Exec(t, "CREATE SCHEMA "+foreign)
	s.Exec(t, "CREATE TABLE "+foreign+".records (x int)")
	_, err := postgres.Open(t.Context(), dsn, postgres.Options{Schema: foreign})
	if !errors.Is(err, storage.ErrInvalid) || !strings.Contains(err.Error(), "another program") {
		t.Errorf("another program's schema: %v", err)
	}
	// An empty one is taken.
	empty := newSchema()
	s.Exec(t, "CREATE SCHEMA "+empty)
	open(t, empty+"@"+dsn)
}

// TestMigrate: a schema is brought on once, whole or not at all, and keeps its records.
func TestMigrate(t *testing.T) {
	place := newPlace(t)
	s := open(t, place)
	r, err := s.Create(t.Context(), movie)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Migrate(t.Context(), "CREATE TABLE later (x int)", "CREATE TABLE later (x int)"); err == nil {
		t.Error("a script that fails")
	}
	for range 2 {
		if err := s.Migrate(t.Context(), "CREATE TABLE later (x int)"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Get(t.Context(), r.Key); err != nil {
		t.Error(err)
	}
	if _, err := openPlace(place); !errors.Is(err, storage.ErrInvalid) || !strings.Contains(err.Error(), "its version is 5") {
		t.Errorf("back to a former version: %v", err)
	}
}

// TestServerAway: what cannot be reached is temporarily unavailable, and comes back.
func TestServerAway(t *testing.T) {
	s := open(t, newPlace(t))
	q := queue(t, s, postgres.QueueOptions{})
	r, err := s.Create(t.Context(), movie)
	if err != nil {
		t.Fatal(err)
	}
	if err := shared.Stop(true); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, create := s.Create(t.Context(), movie)
		_, get := s.Get(t.Context(), r.Key)
		_, _, list := s.List(t.Context(), "a", storage.Movies, storage.Filter{Limit: 1})
		_, dead := q.Dead(t.Context(), 1)
		for name, err := range map[string]error{
			"create": create, "get": get, "list": list, "dead": dead, "delete": s.Delete(t.Context(), r.Key),
			"push": q.Push(t.Context(), storage.Job{Key: r.Key}),
			"work": q.Work(t.Context(), 1, nil),
		} {
			if !errors.Is(err, storage.ErrUnavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if err := shared.Start(); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Update(t.Context(), r, ""); err != nil || !got.UpdatedAt.After(r.UpdatedAt) {
		t.Errorf("after it has come back: %v", err)
	}
	if next, err := s.Create(t.Context(), movie); err != nil || next.ID != 2 {
		t.Errorf("the next id is %d (%v)", next.ID, err)
	}
}

// TestWaiting: a call that waits for others ends with its context, and changes nothing.
func TestWaiting(t *testing.T) {
	s := open(t, newPlace(t))
	r, err := s.Create(t.Context(), movie)
	if err != nil {
		t.Fatal(err)
	}
	unlock := s.Lock(t, r.Key)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := s.Update(ctx, r, ""); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	unlock()
	if got, err := s.Get(t.Context(), r.Key); err != nil || !got.UpdatedAt.Equal(r.UpdatedAt) {
		t.Errorf("a refused call changed something: %+v (%v)", got, err)
	}
}

func TestErrors(t *testing.T) {
	s := open(t, newPlace(t))
	for _, owner := range []string{"a\x00b", "a\xffb"} {
		r := movie
		r.Owner = owner
		if _, err := s.Create(t.Context(), r); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("owner %q: %v", owner, err)
		}
	}
	// Times grow where the clock goes back.
	r, err := s.Create(t.Context(), movie)
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, "UPDATE motion.records SET updated_at = updated_at + interval '1 hour'")
	if r, err = s.Get(t.Context(), r.Key); err != nil {
		t.Fatal(err)
	}
	if next, err := s.Update(t.Context(), r, ""); err != nil || !next.UpdatedAt.After(r.UpdatedAt) {
		t.Errorf("%v after %v (%v)", next.UpdatedAt, r.UpdatedAt, err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Get(t.Context(), r.Key); err == nil || errors.Is(err, storage.ErrNotFound) {
		t.Errorf("get after close: %v", err)
	}
}
