package postgres_test

import (
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
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

// newPages returns a new schema, filled and emptied by SQL.
func newPages(tb testing.TB) testkit.Place {
	tb.Helper()
	s := open(tb, newPlace(tb))
	return testkit.Place{
		Store:  s,
		Fill:   func(tb testing.TB, n, step int) { fill(tb, s, n, step) },
		Remove: func(tb testing.TB, condition string) { s.Exec(tb, "DELETE FROM motion.records WHERE "+condition) },
	}
}

func TestLeap(t *testing.T) { testkit.ListPages(t, newPages(t)) }

func BenchmarkPages(b *testing.B) {
	testkit.BenchmarkPages(b, func(b *testing.B) testkit.Place { return newPages(b) })
}

// TestOldRecords: those from before there were labels have a moment and one label.
func TestOldRecords(t *testing.T) {
	place := newPlace(t)
	schema, _, _ := strings.Cut(place, "@")
	fill(t, open(t, newPlace(t)).First(t, schema), 600, 3)
	testkit.OldRecords(t, open(t, place), 600)
}

// TestPlans: no query walks over all records, whether or not the server has looked at the
// tables since they were filled.
func TestPlans(t *testing.T) {
	s := open(t, newPlace(t))
	fill(t, s, 10_000, 1)
	for _, when := range []string{"before ANALYZE", "after it"} {
		for name, q := range postgres.Queries {
			plan := s.Plan(t, q.SQL, q.Args...)
			key := name == "get" || name == "status" || name == "relabel"
			if strings.Contains(plan, "Seq Scan on records") || strings.Contains(plan, "Bitmap") || key && !strings.Contains(plan, "records_id") && !strings.Contains(plan, "records_kind") {
				t.Errorf("%s, %s:\n%s", name, when, plan)
			}
		}
		s.Exec(t, "ANALYZE motion.records, motion.results, motion.counts, motion.ids")
	}
}
