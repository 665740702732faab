package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
)

// TestSlowFirst: a slow job is next after 5 s of work on quick ones.
func TestSlowFirst(t *testing.T) {
	q := queue(t, open(t, newPlace(t)), postgres.QueueOptions{})
	for id := range int64(30) {
		if err := q.Push(t.Context(), storage.Job{Key: storage.Key{Owner: "a", Kind: storage.Keypoints, ID: id + 1}, Slow: id == 29}); err != nil {
			t.Fatal(err)
		}
	}
	if q.TakeAfter(t, 4*time.Second) {
		t.Error("a slow job after 4 s")
	}
	if !q.TakeAfter(t, 5*time.Second) {
		t.Error("no slow job after 5 s")
	}
	if q.TakeAfter(t, 5*time.Second) {
		t.Error("a slow job that nobody has pushed")
	}
}

// BenchmarkTurns measures how long it takes to take one of 100,000 jobs that wait, of one or
// many owners, beside River's own way, which knows no owners.
func BenchmarkTurns(b *testing.B) {
	const jobs = 100_000
	for _, owners := range []int{1, 100, 1000} {
		s := open(b, newPlace(b))
		q, err := postgres.NewQueue(b.Context(), s, postgres.QueueOptions{})
		if err != nil {
			b.Fatal(err)
		}
		s.Exec(b, `INSERT INTO motion.river_job (args, kind, max_attempts, queue, state, priority)
			SELECT jsonb_build_object('owner', 'owner ' || i % $1::integer, 'kind', 'keypoints', 'id', i), 'motion', 25, 'motion', 'available', 1 + i % 2
			FROM generate_series(1, $2::integer) i`, owners, jobs)
		s.Exec(b, "ANALYZE motion.river_job")
		for _, way := range []string{"river", "turns"} {
			b.Run(fmt.Sprintf("owners=%d/%s", owners, way), func(b *testing.B) {
				for b.Loop() {
					if q.Take(b, way == "turns") != 1 {
						b.Fatal("no job is left")
					}
				}
			})
		}
	}
}
