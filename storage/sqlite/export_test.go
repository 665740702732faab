package sqlite

import (
	"context"
	"fmt"
	"testing"

	"github.com/ncruces/go-sqlite3/driver"
)

// LimitPages makes the disk of the store full when its file has n pages; 0 tells how
// many it has.
func (s *Store) LimitPages(t *testing.T, n int) (pages int) {
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
func (s *Store) Synchronous(t *testing.T) (mode int) {
	t.Helper()
	if err := s.writer.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&mode); err != nil {
		t.Fatal(err)
	}
	return mode
}

// Migrate brings the store's file on by more scripts than this version has.
func (s *Store) Migrate(ctx context.Context, more ...string) error {
	return migrate(ctx, s.writer, append(migrations(), more...))
}

// Queries are the ones that must not walk over a whole table.
var Queries = map[string]string{
	"update": updateSQL, "before": beforeSQL, "relabel": relabelSQL, "remove": removeSQL, "get": getSQL, "head": headSQL, "total": totalSQL,
	"leap": leapSQL, "page": pageSQL, "pageOf": pageOfSQL, "newest": newestSQL, "unfinished": unfinishedSQL, "scan": scanSQL, "changed": changedSQL,
	"block": blockSQL, "set block": setBlockSQL, "drop block": dropBlockSQL, "label": labelSQL, "labels": labelsSQL, "size": sizeSQL, "lengths": lengthsSQL, "blocks": blocksSQL,
	"in status": inStatusSQL, "not status": notStatusSQL, "these": theseSQL,
	"lapse": lapseSQL, "reserve": reserveSQL, "answer": answerSQL, "surplus": surplusSQL, "evict": evictSQL, "keep": keepSQL, "release": releaseSQL, "forget": forgetSQL, "expire": expireSQL,
}

// Plan tells how SQLite runs a query.
func (s *Store) Plan(t *testing.T, query string) (steps []string) {
	t.Helper()
	conn, err := s.writer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	err = conn.Raw(func(c any) error {
		stmt, _, err := c.(driver.Conn).Raw().Prepare("EXPLAIN QUERY PLAN " + query)
		if err != nil {
			return err
		}
		for stmt.Step() {
			steps = append(steps, stmt.ColumnText(3))
		}
		return stmt.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return steps
}
