package postgres_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
)

// fill makes n records of alice in one transaction, whose ids are the multiples of step;
// a fourth of them are failures.
func fill(tb testing.TB, s *postgres.Store, n, step int) {
	tb.Helper()
	s.Exec(tb, `
		INSERT INTO motion.records (owner, kind, id, created_at, updated_at, status, failure, attempts, data)
		SELECT 'alice', 'keypoints', i * $3::bigint, now(), now(), CASE WHEN i % 4 = 0 THEN 'FAILURE' ELSE 'SUCCESS' END, '', 1, $2
		FROM generate_series(1, $1::bigint) i`,
		n, []byte(`{"source":17,"target":18,"size":[1920,1080],"text":"`+strings.Repeat("x", 100)+`"}`), step)
	s.Exec(tb, `INSERT INTO motion.ids VALUES ('keypoints', $1)`, n*step)
}

// TestLeap: pages of more records than one block of each size counts, with holes.
func TestLeap(t *testing.T) {
	s := open(t, newPlace(t))
	const n, step = 8000, 5
	fill(t, s, n, step)
	s.Exec(t, `DELETE FROM motion.records WHERE id BETWEEN 10000 AND 10300 OR id % 7 = 0`)
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
			s := open(b, newPlace(b))
			fill(b, s, n, 1)
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

// TestPlans: no query walks over all records, whether or not the server has looked at the
// tables since they were filled.
func TestPlans(t *testing.T) {
	s := open(t, newPlace(t))
	fill(t, s, 10_000, 1)
	for _, when := range []string{"before ANALYZE", "after it"} {
		for name, q := range postgres.Queries {
			plan := s.Plan(t, q.SQL, q.Args...)
			key := name == "get" || name == "status" || name == "delete"
			if strings.Contains(plan, "Seq Scan on records") || strings.Contains(plan, "Bitmap") || key && !strings.Contains(plan, "records_id") && !strings.Contains(plan, "records_kind") {
				t.Errorf("%s, %s:\n%s", name, when, plan)
			}
		}
		s.Exec(t, "ANALYZE motion.records, motion.results, motion.counts, motion.ids")
	}
}
