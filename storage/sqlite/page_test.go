package sqlite_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	sqlite3 "github.com/ncruces/go-sqlite3/driver"

	"github.com/bodymotion/motion/storage"
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
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// TestLeap: pages of more records than one block of each size counts, with holes.
func TestLeap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s := open(t, path)
	const n, step = 8000, 5
	fill(t, path, n, step)
	exec(t, path, `DELETE FROM records WHERE id BETWEEN 10000 AND 10300 OR id % 7 = 0`)
	want := map[storage.Status][]int64{}
	for i := int64(n); i > 0; i-- {
		id := i * step
		if id >= 10000 && id <= 10300 || id%7 == 0 {
			continue
		}
		status := storage.Success
		if i%4 == 0 {
			status = storage.Failure
		}
		want[""] = append(want[""], id)
		want[status] = append(want[status], id)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for status, ids := range want {
		offsets := []int{0, 127, 128, 129, 3276, 3277, len(ids) - 1, len(ids), len(ids) + 1, math.MaxInt}
		for range 100 {
			offsets = append(offsets, random.IntN(len(ids)))
		}
		for _, offset := range offsets {
			f := storage.Filter{Status: status, Offset: offset, Limit: 1 + random.IntN(300)}
			page, total, err := s.List(t.Context(), "alice", storage.Keypoints, f)
			if err != nil || total != len(ids) {
				t.Fatalf("%+v: total %d (%v), want %d", f, total, err, len(ids))
			}
			rest := ids[min(offset, len(ids)):]
			if len(page) != min(f.Limit, len(rest)) {
				t.Fatalf("%+v: %d records", f, len(page))
			}
			for i, r := range page {
				if r.ID != rest[i] {
					t.Fatalf("%+v: record %d is %d, want %d", f, i, r.ID, rest[i])
				}
			}
		}
	}
}

// BenchmarkPages measures one page of 20 among few and many records.
func BenchmarkPages(b *testing.B) {
	for _, n := range []int{1000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			if n == 1_000_000 && testing.Short() {
				b.Skip("takes some 20 seconds to fill")
			}
			path := filepath.Join(b.TempDir(), "x.db")
			s := open(b, path)
			fill(b, path, n, 1)
			for _, status := range []storage.Status{"", storage.Failure} {
				of := n
				if status != "" {
					of = n / 4
				}
				for _, page := range []int{1, 10, 5000, of / 20} {
					if page*20 > of || page == 5000 && of == 100_000 {
						continue
					}
					f := storage.Filter{Status: status, Offset: (page - 1) * 20, Limit: 20}
					b.Run(fmt.Sprintf("status=%s/page=%d", status, page), func(b *testing.B) {
						for b.Loop() {
							records, total, err := s.List(b.Context(), "alice", storage.Keypoints, f)
							if err != nil || len(records) != 20 || total != of {
								b.Fatalf("%d of %d (%v)", len(records), total, err)
							}
						}
					})
				}
			}
		})
	}
}
