package postgres_test

import (
	"strings"
	"sync"
	"testing"
	"time"

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
	fill(t, open(t, newPlace(t)).Old(t, schema, 1), 600, 3)
	testkit.OldRecords(t, open(t, place), 600)
}

// TestOldLabels: those from before labels were a table keep them, also if several open the schema at once.
func TestOldLabels(t *testing.T) {
	place := newPlace(t)
	schema, _, _ := strings.Cut(place, "@")
	s := open(t, newPlace(t)).Old(t, schema, 2)
	for i, labels := range testkit.OldLabels() {
		var at any // of records from version 1, which have got no labels since
		created := time.UnixMicro(int64(i + 1))
		if labels != nil {
			at = created
		}
		s.Exec(t, `INSERT INTO motion.records (owner, kind, id, created_at, updated_at, status, failure, attempts, at, labels)
			VALUES ('alice', 'keypoints', $1, $2, $2, 'SUCCESS', '', 1, $3, $4)`, i+1, created, at, labels)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s, err := openPlace(place)
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	testkit.OldLabelled(t, open(t, place))
}

// TestLabelsGo: the labels of a record that goes, or changes, are found by their keys, and not among all labels of the owner,
// before the server has looked at the table.
func TestLabelsGo(t *testing.T) {
	s := open(t, newPlace(t))
	s.Exec(t, "ALTER TABLE motion.labels SET (autovacuum_enabled = off)")
	fill(t, s, 10_000, 1)
	for _, statement := range []string{
		"UPDATE motion.records SET labels = '{a, b}' WHERE kind = 'keypoints' AND id <= 100",
		"UPDATE motion.records SET labels = '{b, c}' WHERE kind = 'keypoints' AND id <= 100",
		"DELETE FROM motion.records WHERE kind = 'keypoints' AND id <= 100",
	} {
		if n := s.LabelBlocks(t, statement); n < 100 || n > 3000 {
			t.Errorf("%s: %d blocks of the index of labels are read", statement, n)
		}
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
			key := name == "get" || name == "status"
			if strings.Contains(plan, "Seq Scan on records") || strings.Contains(plan, "Seq Scan on labels") || strings.Contains(plan, "Bitmap") || key && !strings.Contains(plan, "records_id") && !strings.Contains(plan, "records_kind") {
				t.Errorf("%s, %s:\n%s", name, when, plan)
			}
		}
		s.Exec(t, "ANALYZE motion.records, motion.results, motion.counts, motion.ids, motion.labels")
	}
}
