package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
)

// fillJobs makes jobs that wait and such that are done.
func fillJobs(tb testing.TB, s *postgres.Store, waiting, done int) {
	tb.Helper()
	s.Exec(tb, `INSERT INTO motion.river_job (args, kind, max_attempts, queue, state, priority, finalized_at)
		SELECT jsonb_build_object('owner', 'owner ' || i % 100, 'kind', 'keypoints', 'id', i), 'motion', 25, 'motion',
			(CASE WHEN i <= $1::integer THEN 'available' ELSE 'completed' END)::motion.river_job_state, 1 + i % 2, CASE WHEN i > $1::integer THEN now() END
		FROM generate_series(1, $2::integer) i`, waiting, waiting+done)
}

// TestBacklogPlan: jobs that are done are not walked over to count those that are not,
// whether or not the server has looked at the table since it was filled.
func TestBacklogPlan(t *testing.T) {
	s := open(t, newPlace(t))
	q := queue(t, s, postgres.QueueOptions{})
	fillJobs(t, s, 1000, 30_000)
	for _, when := range []string{"before ANALYZE", "after it"} {
		if plan := s.Plan(t, postgres.BacklogSQL); strings.Contains(plan, "Seq Scan") || !strings.Contains(plan, "river_job_prioritized_fetching_index") {
			t.Errorf("%s:\n%s", when, plan)
		}
		s.Exec(t, "ANALYZE motion.river_job")
	}
	if got, err := q.Backlog(t.Context()); err != nil || got != (storage.Backlog{Waiting: 1000}) {
		t.Errorf("%+v (%v)", got, err)
	}
}

// BenchmarkBacklog counts jobs that wait, beside 100,000 that are done.
func BenchmarkBacklog(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprintf("waiting=%d", n), func(b *testing.B) {
			s := open(b, newPlace(b))
			q, err := postgres.NewQueue(b.Context(), s, postgres.QueueOptions{})
			if err != nil {
				b.Fatal(err)
			}
			fillJobs(b, s, n, 100_000)
			s.Exec(b, "VACUUM ANALYZE motion.river_job")
			b.ReportAllocs()
			for b.Loop() {
				if got, err := q.Backlog(b.Context()); err != nil || got.Waiting != n {
					b.Fatalf("%+v (%v)", got, err)
				}
			}
		})
	}
}
