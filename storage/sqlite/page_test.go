package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sqlite3 "github.com/ncruces/go-sqlite3/driver"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage/sqlite"
)

// exec runs SQL on a file, beside the store.
func exec(tb testing.TB, path, query string, args ...any) {
	tb.Helper()
	db, err := sqlite3.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(tb.Context(), query, args...); err != nil {
		tb.Fatal(err)
	}
}

// fill makes n records of alice in one transaction, whose ids are the multiples of step;
// a fourth of them are failures.
func fill(tb testing.TB, path string, n, step int) {
	tb.Helper()
	exec(tb, path, `
		INSERT INTO records (owner, kind, id, created_at, updated_at, status, failure, attempts, data)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
		SELECT 'alice', 'keypoints', i * ?3, i, i, iif(i % 4, 'SUCCESS', 'FAILURE'), '', 1, ?2 FROM n`,
		n, []byte(`{"source":17,"target":18,"size":[1920,1080],"text":"`+strings.Repeat("x", 100)+`"}`), step)
	exec(tb, path, `INSERT INTO ids VALUES ('keypoints', ?)`, n*step)
}

func open(tb testing.TB, path string) *sqlite.Opened {
	tb.Helper()
	s, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	testkit.Close(tb, s)
	return s.(*sqlite.Opened)
}

// newPages returns a new file, filled and emptied by SQL.
func newPages(tb testing.TB) testkit.Place {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "x.db")
	return testkit.Place{
		Store:  open(tb, path),
		Fill:   func(tb testing.TB, n, step int) { fill(tb, path, n, step) },
		Remove: func(tb testing.TB, condition string) { exec(tb, path, "DELETE FROM records WHERE "+condition) },
	}
}

// old makes a file as a version of this package has left it.
func old(tb testing.TB, version int) (path string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "x.db")
	for i := range version {
		script, err := os.ReadFile(filepath.Join("migrations", fmt.Sprintf("%04d.sql", i+1)))
		if err != nil {
			tb.Fatal(err)
		}
		exec(tb, path, string(script))
	}
	exec(tb, path, fmt.Sprint("PRAGMA user_version = ", version))
	exec(tb, path, "PRAGMA application_id = 0x6d6f746e")
	return path
}

// TestOldRecords: those from before there were labels have a moment and one label.
func TestOldRecords(t *testing.T) {
	path := old(t, 1)
	fill(t, path, 600, 3)
	testkit.OldRecords(t, open(t, path), 600)
}

// TestOldLabels: those from before labels were a table keep them, also if several open the file at once.
func TestOldLabels(t *testing.T) {
	path := old(t, 2)
	for i, labels := range testkit.OldLabels() {
		var at, column any // of records from version 1, which have got no labels since
		if labels != nil {
			at, column = i+1, []byte(strings.Join(labels, "\x00"))
		}
		exec(t, path, `INSERT INTO records (owner, kind, id, created_at, updated_at, status, failure, attempts, at, labels)
			VALUES ('alice', 'keypoints', ?1, ?1, ?1, 'SUCCESS', '', 1, ?2, ?3)`, i+1, at, column)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s, err := sqlite.Open(path, sqlite.Options{Wait: time.Minute})
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	testkit.OldLabelled(t, open(t, path))
}

func TestLeap(t *testing.T) { testkit.ListPages(t, newPages(t)) }

func BenchmarkPages(b *testing.B) {
	testkit.BenchmarkPages(b, func(b *testing.B) testkit.Place { return newPages(b) })
}
