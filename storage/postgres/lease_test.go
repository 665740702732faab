package postgres_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
)

var quiet = slog.New(slog.DiscardHandler)

// start runs Work until stop is called.
func start(t *testing.T, q *postgres.Queue, handle func(context.Context, storage.Job) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- q.Work(ctx, 1, handle) }()
	return func() {
		t.Helper()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// receive waits for what must happen.
func receive[T any](t *testing.T, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(time.Minute):
		t.Fatal("nothing has happened for a minute")
	}
	return v
}

// TestLeaseIsRenewed: a job that takes longer than a lease is not handed out twice.
func TestLeaseIsRenewed(t *testing.T) {
	s := open(t, newPlace(t))
	opt := postgres.QueueOptions{Lease: 2 * time.Second}
	started := make(chan struct{}, 10)
	handle := func(ctx context.Context, _ storage.Job) error {
		started <- struct{}{}
		time.Sleep(4500 * time.Millisecond) // what is tested is that time passes
		return ctx.Err()
	}
	stop, stopOther := start(t, queue(t, s, opt), handle), start(t, queue(t, s, opt), handle)
	if err := queue(t, s, opt).Push(t.Context(), job(1)); err != nil {
		t.Fatal(err)
	}
	receive(t, started)
	stop()
	stopOther()
	if len(started) > 0 {
		t.Error("the job was handed out twice")
	}
	if left, err := s.Jobs(t, "completed"); err != nil || left != "" {
		t.Errorf("left over: %s (%v)", left, err)
	}
}

// TestLeaseEnds: the handlers of a process that cannot reach the server end before others
// may take their jobs, which are handed out again.
func TestLeaseEnds(t *testing.T) {
	s := open(t, newPlace(t))
	q := queue(t, s, postgres.QueueOptions{Lease: time.Second, Logger: quiet})
	if err := q.Push(t.Context(), job(1)); err != nil {
		t.Fatal(err)
	}
	started, ended := make(chan struct{}, 10), make(chan error, 10)
	second := false
	stop := start(t, q, func(ctx context.Context, _ storage.Job) error {
		started <- struct{}{}
		if second {
			return nil
		}
		second = true
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return ctx.Err()
	})
	receive(t, started)
	if err := shared.Stop(false); err != nil {
		t.Fatal(err)
	}
	if err := receive(t, ended); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("the cause is %v", err)
	}
	if err := shared.Start(); err != nil {
		t.Fatal(err)
	}
	receive(t, started)
	stop()
	if left, err := s.Jobs(t, "completed"); err != nil || left != "" {
		t.Errorf("left over: %s (%v)", left, err)
	}
}

// TestTakenOver: what a process that was away says about a job, after another one has taken
// it over, reaches nobody.
func TestTakenOver(t *testing.T) {
	for name, late := range map[string]error{"done": nil, "failed": errors.New("fault"), "snooze": storage.Snooze{}} {
		t.Run(name, func(t *testing.T) {
			s := open(t, newPlace(t))
			away := queue(t, s, postgres.QueueOptions{Lease: time.Hour, Logger: quiet}) // renews in ten minutes
			if err := away.Push(t.Context(), job(1)); err != nil {
				t.Fatal(err)
			}
			first, release := make(chan struct{}, 10), make(chan struct{})
			stopAway := start(t, away, func(context.Context, storage.Job) error {
				first <- struct{}{}
				<-release
				return late
			})
			receive(t, first)
			q := queue(t, s, postgres.QueueOptions{Lease: time.Minute, Logger: quiet}) // looks every ten seconds
			second, finish := make(chan struct{}, 10), make(chan error)
			stop := start(t, q, func(context.Context, storage.Job) error {
				second <- struct{}{}
				return <-finish
			})
			for taken := false; !taken; {
				// The lease is long over, also if the first process renews it once more as it starts.
				s.Exec(t, `UPDATE motion.river_job SET attempted_at = clock_timestamp() - interval '1 day' WHERE id = 1`)
				select {
				case <-second:
					taken = true
				case <-t.Context().Done():
					t.Fatal("nobody takes the job over")
				case <-time.After(time.Second):
				}
			}
			close(release)
			stopAway()
			if states, err := s.Jobs(t, "running"); err != nil || states != "" {
				t.Errorf("the job is %s (%v)", states, err)
			}
			finish <- errors.New("once more")
			receive(t, second)
			finish <- nil
			stop()
			if left, err := s.Jobs(t, "completed"); err != nil || left != "" {
				t.Errorf("left over: %s (%v)", left, err)
			}
		})
	}
}
