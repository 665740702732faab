package postgres_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
	"github.com/bodymotion/motion/storage/storagetest"
)

// server is a PostgreSQL of the tests' own.
type server struct {
	*testkit.Postgres
	dir string
}

var (
	shared      server
	sharedError error
	sharedStart sync.Once
)

func TestMain(m *testing.M) {
	if place, ok := os.LookupEnv(workerPlace); ok {
		if err := workUntilEOF(place); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	for _, p := range poolers {
		p.kill()
	}
	if err := shared.remove(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// common returns the address of a server that all tests share. In benchmarks, it waits for the disk.
func common(tb testing.TB) string {
	tb.Helper()
	sharedStart.Do(func() {
		if shared.dir, sharedError = os.MkdirTemp("", "motion-pg-"); sharedError == nil {
			settings := []string{testkit.NoSync}
			if _, measured := tb.(*testing.B); measured {
				settings = nil
			}
			shared.Postgres, sharedError = testkit.StartPostgres(shared.dir, settings...)
		}
	})
	if errors.Is(sharedError, testkit.ErrMissing) {
		testkit.Skip(tb, sharedError.Error())
	}
	if sharedError != nil {
		tb.Fatal(sharedError)
	}
	// Each Store has two connections a handler and some more.
	return "host=" + shared.dir + " user=postgres dbname=postgres pool_max_conns=6"
}

// remove ends the server, if it was started, and removes its folder.
func (s server) remove() (err error) {
	if s.Postgres != nil {
		err = s.Stop(true)
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

var schemas atomic.Int64

// newSchema returns the name of a schema that no test has used.
func newSchema() string { return fmt.Sprintf("test_%d_%d", os.Getpid(), schemas.Add(1)) }

// openPlace opens the store at a place: a schema and the address of its server.
func openPlace(place string) (*postgres.Store, error) {
	schema, dsn, _ := strings.Cut(place, "@")
	return postgres.Open(background, dsn, postgres.Options{Schema: schema})
}

func newPlace(tb testing.TB) string { tb.Helper(); return newSchema() + "@" + common(tb) }

func open(tb testing.TB, place string) *postgres.Store {
	tb.Helper()
	s, err := openPlace(place)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

var driver = storagetest.StoreDriver{
	Open:  func(place string) (storage.Store, error) { return openPlace(place) },
	Place: newPlace,
}
