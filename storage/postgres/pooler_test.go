package postgres_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/bodymotion/motion/internal/engines"
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
	*engines.PgBouncer
	err error
}

// small has fewer connections than two stores that are open.
var small, sessions = &pooler{mode: "transaction", connections: 8}, &pooler{mode: "session", connections: 100}

// dsn returns the address of the shared server over the pooler.
func (p *pooler) dsn(tb testing.TB) string {
	tb.Helper()
	common(tb)
	p.start.Do(func() { p.PgBouncer, p.err = shared.StartPgBouncer(p.mode, p.connections) })
	if errors.Is(p.err, engines.ErrMissing) {
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
func TestPooledStore(t *testing.T) { storagetest.Store(t, pooled) }

func TestPooledQueue(t *testing.T) {
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
