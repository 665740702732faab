package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// queue is a storage.Counter.
type queue struct {
	opt QueueOptions

	mu          sync.Mutex
	quick, slow turns                // waiting jobs
	state       map[storage.Key]*job // of every job that is not done
	running     int
	slowly      int // how many of these are slow
	share       driver.Share
	wake        chan struct{} // closed and replaced when a job starts to wait
}

// QueueOptions are the options of NewQueue.
type QueueOptions struct {
	MaxJobs int // maximum number of jobs that are not done; default 100,000
}

// job is the state of a job that is not done.
type job struct {
	running  bool
	again    bool        // pushed while it was running
	asleep   *time.Timer // until which it snoozes; nil: it does not
	failures int
}

// NewQueue returns an empty Queue.
func NewQueue(opt QueueOptions) storage.Counter {
	opt.MaxJobs = cmp.Or(max(opt.MaxJobs, 0), 100_000)
	return &queue{opt: opt, state: map[storage.Key]*job{}, wake: make(chan struct{})}
}

// Push implements storage.Queue. A full queue is storage.ErrUnavailable. A job that snoozes wakes up.
func (q *queue) Push(ctx context.Context, j storage.Job) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if s := q.state[j.Key]; s != nil {
		s.again = s.running
		if s.asleep != nil {
			s.asleep.Stop()
			s.asleep = nil
			q.enqueue(j)
		}
		return nil
	}
	if len(q.state) >= q.opt.MaxJobs {
		return fmt.Errorf("%w: the queue in memory holds its %d jobs", storage.ErrUnavailable, q.opt.MaxJobs)
	}
	q.state[j.Key] = &job{}
	q.enqueue(j)
	return nil
}

func (q *queue) Holds(ctx context.Context, key storage.Key) (bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.state[key] != nil, ctx.Err()
}

func (q *queue) Backlog(ctx context.Context) (storage.Backlog, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return storage.Backlog{Waiting: len(q.state) - q.running, Running: q.running}, ctx.Err()
}

func (q *queue) Ahead(ctx context.Context, key storage.Key) (n int, waits bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, waits = q.slow.before(key)
	return n + q.slowly, waits, ctx.Err()
}

// enqueue makes a job wait. The mutex is held.
func (q *queue) enqueue(j storage.Job) {
	if j.Slow {
		q.slow.add(j)
	} else {
		q.quick.add(j)
	}
	q.look()
}

// look wakes those who wait for a job. The mutex is held.
func (q *queue) look() {
	close(q.wake)
	q.wake = make(chan struct{})
}

// handlers are those of a Work.
type handlers struct{ n, running, slow int }

// take returns the next job for one of the handlers, or a channel that is closed when there may be one.
func (q *queue) take(h *handlers) (storage.Job, bool, <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	first, second := &q.quick, &q.slow
	switch {
	case h.running >= h.n && h.slow < h.n:
		return storage.Job{}, false, q.wake
	case h.running >= h.n:
		second = &turns{}
	case q.share.SlowFirst():
		first, second = second, first
	}
	j, ok := first.next()
	if !ok {
		j, ok = second.next()
	}
	if !ok {
		return j, false, q.wake
	}
	q.share.Begin(j.Slow)
	q.state[j.Key].running = true
	q.running++
	h.running++
	if j.Slow {
		h.slow++
		q.slowly++
		q.look() // one more may get a quick one
	}
	return j, true, nil
}

func (q *queue) Work(ctx context.Context, n int, handle func(context.Context, storage.Job) error) error {
	if err := driver.CheckPositive("number of handlers", n); err != nil {
		return err
	}
	var wg sync.WaitGroup
	h := &handlers{n: n}
	for range n + 1 {
		wg.Go(func() {
			for ctx.Err() == nil {
				j, ok, wake := q.take(h)
				if !ok {
					select {
					case <-ctx.Done():
					case <-wake:
					}
					continue
				}
				began := time.Now()
				err := handle(context.WithoutCancel(ctx), j)
				q.share.End(j.Slow, time.Since(began))
				q.done(h, j, err)
			}
		})
	}
	wg.Wait()
	return nil
}

// The shortest and the longest pause before a failed job starts again.
const (
	firstDelay = 100 * time.Millisecond
	maxDelay   = time.Minute
)

// done removes a job, or makes it wait again.
func (q *queue) done(h *handlers, j storage.Job, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	h.running--
	if j.Slow {
		h.slow--
		q.slowly--
	}
	s := q.state[j.Key]
	s.running = false
	q.running--
	var snooze storage.Snooze
	var delay time.Duration
	again := s.again
	s.again = false
	switch {
	case errors.As(err, &snooze):
		if delay = snooze.After; again {
			delay = 0
		}
	case err != nil:
		delay = min(firstDelay<<min(s.failures, 20), maxDelay)
		s.failures++
	case again:
	default:
		delete(q.state, j.Key)
		return
	}
	if delay <= 0 {
		q.enqueue(j)
		return
	}
	snoozes := snooze.After > 0
	var timer *time.Timer
	timer = time.AfterFunc(delay, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if snoozes && s.asleep != timer {
			return // it was woken
		}
		s.asleep = nil
		q.enqueue(j)
	})
	if snoozes {
		s.asleep = timer
	}
}

// turns are waiting jobs. Their owners take turns, each with the oldest job.
type turns struct {
	owners []string // of waiting jobs, in the order of their turns
	jobs   map[string][]storage.Job
}

func (t *turns) add(j storage.Job) {
	if t.jobs == nil {
		t.jobs = map[string][]storage.Job{}
	}
	if len(t.jobs[j.Owner]) == 0 {
		t.owners = append(t.owners, j.Owner)
	}
	t.jobs[j.Owner] = append(t.jobs[j.Owner], j)
}

// before returns how many jobs start before that of a key; ok is false if it does not wait.
func (t *turns) before(key storage.Key) (n int, ok bool) {
	place := slices.IndexFunc(t.jobs[key.Owner], func(j storage.Job) bool { return j.Key == key })
	if place < 0 {
		return 0, false
	}
	n = place
	mine := slices.Index(t.owners, key.Owner)
	for i, owner := range t.owners {
		if i < mine {
			n += min(len(t.jobs[owner]), place+1)
		} else if i > mine {
			n += min(len(t.jobs[owner]), place)
		}
	}
	return n, true
}

// next removes and returns the next job.
func (t *turns) next() (storage.Job, bool) {
	if len(t.owners) == 0 {
		return storage.Job{}, false
	}
	owner := t.owners[0]
	t.owners = t.owners[1:]
	waiting := t.jobs[owner]
	if len(waiting) > 1 {
		t.jobs[owner] = waiting[1:]
		t.owners = append(t.owners, owner)
	} else {
		delete(t.jobs, owner)
	}
	return waiting[0], true
}
