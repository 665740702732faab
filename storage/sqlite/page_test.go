package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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

func open(tb testing.TB, path string) *sqlite.Store {
	tb.Helper()
	s, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	testkit.Close(tb, s)
	return s
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

// TestOldRecords: those from before there were labels have a moment and one label.
func TestOldRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	first, err := os.ReadFile(filepath.Join("migrations", "0001.sql"))
	if err != nil {
		t.Fatal(err)
	}
	exec(t, path, string(first))
	exec(t, path, "PRAGMA user_version = 1")
	exec(t, path, "PRAGMA application_id = 0x6d6f746e")
	fill(t, path, 600, 3)
	testkit.OldRecords(t, open(t, path), 600)
}

func TestLeap(t *testing.T) { testkit.ListPages(t, newPages(t)) }

func BenchmarkPages(b *testing.B) {
	testkit.BenchmarkPages(b, func(b *testing.B) testkit.Place { return newPages(b) })
}
