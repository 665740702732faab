package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
	"github.com/bodymotion/motion/storage/storagetest"
)

// pooler is a PgBouncer before the shared server, which ends with it.
type pooler struct {
	mode        string
	connections int

	start sync.Once
	*testkit.PgBouncer
	err error
}

// The poolers: small has fewer connections than two stores that are open.
var (
	small    = &pooler{mode: "transaction", connections: 8}
	single   = &pooler{mode: "transaction", connections: 1}
	sessions = &pooler{mode: "session", connections: 100}
	poolers  = []*pooler{small, single, sessions}
)

// dsn returns the address of the shared server over the pooler.
func (p *pooler) dsn(tb testing.TB) string {
	tb.Helper()
	common(tb)
	p.start.Do(func() { p.PgBouncer, p.err = shared.StartPgBouncer(p.mode, p.connections) })
	if errors.Is(p.err, testkit.ErrMissing) {
		testkit.Skip(tb, p.err.Error())
	}
	if p.err != nil {
		tb.Fatal(p.err)
	}
	return p.DSN() + " pool_max_conns=6"
}

func (p *pooler) place(tb testing.TB) string { tb.Helper(); return newSchema() + "@" + p.dsn(tb) }

func (p *pooler) kill() {
	if p.PgBouncer != nil {
		p.Kill()
	}
}

var pooled = storagetest.StoreDriver{
	Open:  func(place string) (storage.Store, error) { return openPlace(place) },
	Place: small.place,
}

// TestPooledStore: over PgBouncer in transaction mode nothing needs to be set.
func TestPooledStore(t *testing.T) {
	testkit.Thorough(t, "takes as long as TestStore")
	storagetest.Store(t, pooled)
}

func TestPooledQueue(t *testing.T) {
	testkit.Thorough(t, "takes as long as TestQueue")
	storagetest.Queue(t, func(t *testing.T) storage.Queue {
		return queue(t, open(t, small.place(t)), postgres.QueueOptions{})
	})
}

func TestPooledJobCreator(t *testing.T) {
	storagetest.JobCreator(t, func(t *testing.T) (storage.Store, storage.JobCreator) {
		s := open(t, small.place(t))
		return s, queue(t, s, postgres.QueueOptions{})
	})
}

// TestSessions: nor does anything in session mode, where statements may be prepared and a
// server could tell.
func TestSessions(t *testing.T) {
	for _, settings := range []string{"", " default_query_exec_mode=cache_statement"} {
		s := open(t, sessions.place(t)+settings)
		r, err := s.Create(t.Context(), movie)
		if err != nil {
			t.Fatal(err)
		}
		q := queue(t, s, postgres.QueueOptions{})
		if err := q.Push(t.Context(), storage.Job{Key: r.Key}); err != nil {
			t.Fatal(err)
		}
		work(t, q, 2, func(j storage.Job) (bool, error) { return j.Key == r.Key, nil })
	}
}

// TestExecModes: whatever way of sending statements the address asks for, of those that send
// each whole.
func TestExecModes(t *testing.T) {
	for _, mode := range []string{"exec", "simple_protocol", "cache_describe"} {
		t.Run(mode, func(t *testing.T) {
			s := open(t, small.place(t)+" default_query_exec_mode="+mode)
			q := queue(t, s, postgres.QueueOptions{})
			r := movie
			r.Status, r.Data, r.Result = storage.Unprocessed, []byte(`{"a":"\u0000"}`), bytes.Repeat([]byte{0, 255, '\\', '\''}, 1000)
			r, err := q.CreateWithJob(t.Context(), r, true)
			if err != nil {
				t.Fatal(err)
			}
			if err := q.Push(t.Context(), job(1)); err != nil {
				t.Fatal(err)
			}
			work(t, q, 1, func(j storage.Job) (bool, error) {
				held, err := q.Holds(t.Context(), j.Key)
				if err != nil || !held {
					t.Errorf("the queue does not hold %+v, which runs (%v)", j.Key, err)
				}
				return j.Key == r.Key, nil
			})
			r.Status, r.Failure = storage.Failure, "fault"
			if r, err = s.Update(t.Context(), r, storage.Unprocessed); err != nil {
				t.Fatal(err)
			}
			if got, err := s.Get(t.Context(), r.Key); err != nil || !cmp.Equal(got, r) {
				t.Errorf("%v\n%s", err, cmp.Diff(r, got))
			}
			if page, total, err := s.List(t.Context(), "a", storage.Movies, storage.Filter{Status: storage.Failure, Limit: 2}); err != nil || total != 1 || len(page) != 1 {
				t.Errorf("%d of %d records (%v)", len(page), total, err)
			}
			if page, err := s.Scan(t.Context(), storage.Movies, 0, 2); err != nil || len(page) != 1 {
				t.Errorf("%d records (%v)", len(page), err)
			}
			if dead, err := q.Dead(t.Context(), 1); err != nil || len(dead) != 0 {
				t.Errorf("%d are dead (%v)", len(dead), err)
			}
			if err := s.Delete(t.Context(), r.Key); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOneConnection: processes that start at once, and work, share the only connection that
// a pooler has.
func TestOneConnection(t *testing.T) {
	place := single.place(t)
	var wg sync.WaitGroup
	var queues [8]*postgres.Queue
	for i := range queues {
		wg.Go(func() {
			s, err := openPlace(place)
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() { s.Close() })
			if queues[i], err = postgres.NewQueue(t.Context(), s, postgres.QueueOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	for i, q := range queues {
		wg.Go(func() {
			if err := q.Push(t.Context(), job(int64(i+1))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var done atomic.Int32
	for _, q := range queues {
		wg.Go(func() {
			err := q.Work(ctx, 1, func(context.Context, storage.Job) error {
				if done.Add(1) == int32(len(queues)) {
					cancel()
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if done.Load() < int32(len(queues)) {
		t.Errorf("%d of %d jobs are done", done.Load(), len(queues))
	}
}

// TestPoolerRefuses: what is set such that it cannot go over a pooler is told with what to do.
func TestPoolerRefuses(t *testing.T) {
	dsn := small.dsn(t)
	_, err := postgres.Open(t.Context(), dsn+" statement_timeout=1000", postgres.Options{Schema: newSchema()})
	if !errors.Is(err, storage.ErrInvalid) || !strings.Contains(err.Error(), "ignore_startup_parameters") {
		t.Errorf("a setting of the session: %v", err)
	}
	place := newSchema() + "@" + dsn + " default_query_exec_mode=cache_statement"
	for range 20 { // until a connection has the statements of another client
		var s *postgres.Store
		if s, err = openPlace(place); err != nil {
			break
		}
		defer s.Close()
		if _, err = s.Create(t.Context(), movie); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "cache_describe") {
		t.Errorf("prepared statements: %v", err)
	}
}

// TestRecognized: a Work looks for jobs over a pooler, of any mode, and only there.
func TestRecognized(t *testing.T) {
	for place, want := range map[string]bool{newPlace(t): false, small.place(t): true, sessions.place(t): true} {
		if got := queue(t, open(t, place), postgres.QueueOptions{}).Looks(); got != want {
			t.Errorf("%s: %v, want %v", place, got, want)
		}
	}
}
