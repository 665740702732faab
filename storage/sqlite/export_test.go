package sqlite

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/driver"
)

// LimitPages makes the disk of the store full when its file has n pages; 0 tells how
// many it has.
func (s *store) LimitPages(t *testing.T, n int) (pages int) {
	t.Helper()
	if n > 0 {
		if _, err := s.writer.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count=%d", n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.writer.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	return pages
}

// Synchronous tells how SQLite syncs what it writes: 2 is FULL.
func (s *store) Synchronous(t *testing.T) (mode int) {
	t.Helper()
	if err := s.writer.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&mode); err != nil {
		t.Fatal(err)
	}
	return mode
}

// Migrate brings the store's file on by more scripts than this version has.
func (s *store) Migrate(ctx context.Context, more ...string) error {
	return migrate(ctx, s.writer, append(migrations(), more...))
}

// Function defines an SQL function without arguments for Migrate.
func (s *store) Function(t *testing.T, name string, fn func()) {
	t.Helper()
	conn, err := s.writer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	err = conn.Raw(func(c any) error {
		return c.(driver.Conn).Raw().CreateFunction(name, 0, 0, func(sqlite3.Context, ...sqlite3.Value) { fn() })
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Queries are the ones that must not walk over a whole table.
var Queries = map[string]string{
	"update": updateSQL, "relabel": relabelSQL, "status": statusSQL, "remove": removeSQL, "get": getSQL, "head": headSQL, "total": totalSQL, "leap": leapSQL, "page": pageSQL,
	"pageOf": pageOfSQL, "newest": newestSQL, "unfinished": unfinishedSQL, "scan": scanSQL, "changed": changedSQL,
	"count": countSQL, "label": labelSQL, "labels": labelsSQL, "these": theseSQL,
	"lapse": lapseSQL, "reserve": reserveSQL, "answer": answerSQL, "surplus": surplusSQL, "evict": evictSQL, "keep": keepSQL, "release": releaseSQL, "forget": forgetSQL, "expire": expireSQL,
}

// Plan returns how SQLite runs a query. It says so if SQLite compiles the query again once the arguments are bound.
func (s *store) Plan(t *testing.T, query string) (steps []string) {
	t.Helper()
	conn, err := s.writer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	err = conn.Raw(func(c any) error {
		stmt, _, err := c.(driver.Conn).Raw().Prepare("EXPLAIN QUERY PLAN " + dialect.Replace(query))
		if err != nil {
			return err
		}
		for range 2 {
			for i := range stmt.BindCount() {
				err = errors.Join(err, stmt.BindInt(i+1, 20))
			}
			for stmt.Step() {
				steps = append(steps, stmt.ColumnText(3))
			}
			err = errors.Join(err, stmt.Reset())
		}
		if stmt.Status(sqlite3.STMTSTATUS_REPREPARE, false) > 0 {
			steps = append(steps, "PREPARE ANEW")
		}
		return errors.Join(err, stmt.Close())
	})
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

// Opened is what a Store is.
type Opened = store
