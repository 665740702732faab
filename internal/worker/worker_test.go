package worker_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

const fault = "There is a problem on the service."

// bench is a worker with what it stands on, and what it has told.
type bench struct {
	worker.Config
	t     *testing.T
	store storage.Store
	queue storage.Counter
	log   strings.Builder

	mu        sync.Mutex
	finished  []string // "keypoints/1 SUCCESS"
	discarded []storage.Key
}

// on runs a test with a bench in a bubble of its own time.
func on(t *testing.T, test func(t *testing.T, b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, store: memory.NewStore(memory.StoreOptions{}), queue: memory.NewQueue(memory.QueueOptions{})}
		b.Config = worker.Config{
			Store: b.store, Queue: b.queue, Workers: 1, MaxAttempts: 3, DrainTimeout: 20 * time.Second,
			Logger: slog.New(slog.NewTextHandler(&b.log, nil)), Works: map[storage.Kind]worker.Work{},
			Finished: func(r storage.Record) {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.finished = append(b.finished, fmt.Sprintf("%s/%d %s", r.Kind, r.ID, r.Status))
			},
			Remove: func(ctx context.Context, key storage.Key) error { return b.store.Delete(ctx, key) },
			Discard: func(_ context.Context, key storage.Key) error {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.discarded = append(b.discarded, key)
				return nil
			},
		}
		b.create(storage.Movies, "", "{}") // from which others say that they are made
		test(t, b)
	})
}

// works sets the work on keypoint records.
func (b *bench) works(work worker.Work) { b.Works[storage.Keypoints] = work }

// does sets work that has no outcome but an error.
func (b *bench) does(work func(context.Context) error) {
	b.works(func(ctx context.Context, _ storage.Record, _ func(done, total int)) (worker.Output, error) {
		return worker.Output{}, work(ctx)
	})
}

// create creates a record with a job.
func (b *bench) create(kind storage.Kind, status storage.Status, data string) storage.Key {
	b.t.Helper()
	r, err := b.store.Create(b.t.Context(), storage.Record{Key: storage.Key{Owner: "me", Kind: kind}, Status: status, Data: []byte(data)})
	if err == nil && status == storage.Unprocessed {
		err = b.queue.Push(b.t.Context(), storage.Job{Key: r.Key})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Key
}

func (b *bench) get(key storage.Key) storage.Record {
	b.t.Helper()
	r, err := b.store.Get(b.t.Context(), key)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// change changes a record as another process does.
func (b *bench) change(key storage.Key, change func(*storage.Record)) {
	b.t.Helper()
	r := b.get(key)
	from := r.Status
	change(&r)
	if _, err := b.store.Update(context.Background(), r, from); err != nil {
		b.t.Fatal(err)
	}
}

// run runs a worker until stop is called.
func (b *bench) run() (w *worker.Worker, stop func()) {
	w = worker.New(b.Config)
	return w, b.runs(w)
}

// runs runs w until stop is called.
func (b *bench) runs(w *worker.Worker) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	synctest.Wait()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			b.t.Errorf("Run: %v", err)
		}
	})
	b.t.Cleanup(stop)
	return stop
}

// want waits, and compares the record with its status, failure and attempts.
func (b *bench) want(key storage.Key, status storage.Status, failure string, attempts int) {
	b.t.Helper()
	time.Sleep(10 * time.Minute)
	synctest.Wait()
	if r := b.get(key); r.Status != status || r.Failure != failure || r.Attempts != attempts {
		b.t.Errorf("%s %q after %d attempts, want %s %q after %d", r.Status, r.Failure, r.Attempts, status, failure, attempts)
	}
	held, err := b.queue.Holds(b.t.Context(), key)
	if err != nil || held == status.Final() {
		b.t.Errorf("%s, and in the queue: %v (%v)", status, held, err)
	}
}

func TestSuccess(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		b.works(func(_ context.Context, r storage.Record, progress func(done, total int)) (worker.Output, error) {
			if r.Status != storage.Processing || string(r.Data) != `{"from":[{"kind":"movies","id":1}]}` {
				t.Errorf("the work is on %s %s", r.Status, r.Data)
			}
			progress(1, 1)
			return worker.Output{Data: []byte(`{"from":[{"kind":"movies","id":1}],"cleaned":{"filled":1}}`), Result: []byte("[]")}, nil
		})
		var told []string
		b.Progress = func(key storage.Key, done, total int) {
			told = append(told, fmt.Sprint(key.Kind, key.ID, done, total))
		}
		key := b.create(storage.Keypoints, storage.Unprocessed, `{"from":[{"kind":"movies","id":1}],"progress":0.5}`)
		b.run()
		b.want(key, storage.Success, "", 1)
		if r := b.get(key); string(r.Data) != `{"from":[{"kind":"movies","id":1}],"cleaned":{"filled":1}}` || string(r.Result) != "[]" {
			t.Errorf("stored: %s %s", r.Data, r.Result)
		}
		if want := []string{"keypoints/1 SUCCESS"}; !slices.Equal(b.finished, want) {
			t.Errorf("told %v, want %v", b.finished, want)
		}
		if want := []string{fmt.Sprint(storage.Keypoints, 1, 1, 1)}; !slices.Equal(told, want) || len(b.discarded) != 0 {
			t.Errorf("progress %v, want %v; discarded %v", told, want, b.discarded)
		}
		// A job that is handed out again when the record is final does nothing.
		if err := b.queue.Push(t.Context(), storage.Job{Key: key}); err != nil {
			t.Fatal(err)
		}
		b.want(key, storage.Success, "", 1)
	})
}

func TestFaultsAreTriedAgain(t *testing.T) {
	for _, c := range []struct {
		name     string
		failures int
		err      error
		status   storage.Status
		failure  string
		attempts int
	}{
		{"two faults", 2, errors.New("the network is down"), storage.Success, "", 3},
		{"three faults", 3, errors.New("the network is down"), storage.Failure, fault, 3},
		{"a failure", 3, fmt.Errorf("wrapped: %w", &worker.Failure{Detail: "No.", Cause: errors.New("because")}), storage.Failure, "No.", 1},
		{"a panic", 3, nil, storage.Failure, fault, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			on(t, func(t *testing.T, b *bench) {
				n := 0
				b.does(func(context.Context) error {
					if n++; n > c.failures {
						return nil
					}
					if c.err == nil {
						panic("a bug")
					}
					return c.err
				})
				key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
				b.run()
				b.want(key, c.status, c.failure, c.attempts)
				if n != c.attempts {
					t.Errorf("%d attempts, want %d", n, c.attempts)
				}
				if failed := c.status == storage.Failure; len(b.finished) != 1 || failed != slices.Equal(b.discarded, []storage.Key{key}) {
					t.Errorf("told %v, discarded %v", b.finished, b.discarded)
				}
			})
		})
	}
	on(t, func(t *testing.T, b *bench) {
		key := b.create(storage.Comparisons, storage.Unprocessed, `{}`)
		b.run()
		b.want(key, storage.Failure, fault, 3)
		if !strings.Contains(b.log.String(), "no work is known for comparisons") {
			t.Errorf("log: %s", b.log.String())
		}
	})
}

// TestInterrupted: a job that runs when Run has to end is handed back, and one that a crash
// has left half done is started again.
func TestInterrupted(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		b.does(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
		_, stop := b.run()
		synctest.Wait()
		start := time.Now()
		stop()
		if took := time.Since(start); took != b.DrainTimeout {
			t.Errorf("Run has ended after %v, want %v", took, b.DrainTimeout)
		}
		if r := b.get(key); r.Status != storage.Unprocessed || r.Attempts != 0 {
			t.Fatalf("after draining: %s, %d attempts", r.Status, r.Attempts)
		}

		// A crash: the record is PROCESSING and no queue knows of it.
		b.change(key, func(r *storage.Record) { r.Status, r.Attempts = storage.Processing, 1 })
		b.queue = memory.NewQueue(memory.QueueOptions{})
		b.Queue = b.queue
		b.does(func(context.Context) error { return nil })
		w, _ := b.run()
		if err := w.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.want(key, storage.Success, "", 2)

		// All attempts were used up by crashes.
		crashed := b.create(storage.Keypoints, storage.Processing, `{}`)
		b.change(crashed, func(r *storage.Record) { r.Attempts = 3 })
		if err := w.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.want(crashed, storage.Failure, fault, 3)
		if want := []storage.Key{crashed}; !slices.Equal(b.discarded, want) {
			t.Errorf("discarded %v, want %v", b.discarded, want)
		}

		// A crash after the failure was stored: only the files are left.
		if err := b.queue.Push(t.Context(), storage.Job{Key: crashed}); err != nil {
			t.Fatal(err)
		}
		b.want(crashed, storage.Failure, fault, 3)
		if len(b.discarded) != 2 || len(b.finished) != 2 {
			t.Errorf("discarded %v, told %v", b.discarded, b.finished)
		}
	})
}

// TestAbandoned: work that ignores the end of its context delays the end of Run by a second. Its
// job is handed back, and nothing that it does later counts.
func TestAbandoned(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		goOn, ended, steps := make(chan struct{}), make(chan struct{}), 0
		b.Progress = func(storage.Key, int, int) { steps++ }
		b.works(func(_ context.Context, _ storage.Record, progress func(done, total int)) (worker.Output, error) {
			<-goOn
			progress(1, 2)
			defer close(ended)
			return worker.Output{Data: []byte(`{"late":true}`)}, nil
		})
		key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- worker.New(b.Config).Run(ctx) }()
		synctest.Wait()
		start := time.Now()
		cancel()
		err := <-done
		if took := time.Since(start); took != b.DrainTimeout+time.Second {
			t.Errorf("Run has ended after %v, want %v", took, b.DrainTimeout+time.Second)
		}
		if err == nil || !strings.Contains(err.Error(), "1 jobs still run") || !strings.Contains(b.log.String(), "job abandoned") {
			t.Errorf("Run: %v; log: %s", err, &b.log)
		}
		handedBack := func() {
			t.Helper()
			if r := b.get(key); r.Status != storage.Unprocessed || r.Attempts != 0 || string(r.Data) != `{}` {
				t.Errorf("%s after %d attempts: %s", r.Status, r.Attempts, r.Data)
			}
			if held, err := b.queue.Holds(t.Context(), key); err != nil || !held {
				t.Errorf("the queue holds the job: %v (%v)", held, err)
			}
		}
		handedBack()
		close(goOn)
		<-ended
		handedBack()
		if steps != 0 || len(b.finished) != 0 {
			t.Errorf("%d steps and %v were told", steps, b.finished)
		}
	})
}

// slowQueue notes which jobs are pushed as slow.
type slowQueue struct {
	storage.Queue
	slow map[storage.Key]bool
}

func (q slowQueue) Push(ctx context.Context, job storage.Job) error {
	q.slow[job.Key] = job.Slow
	return q.Queue.Push(ctx, job)
}

func TestResumeTellsSlowJobs(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		want := map[storage.Key]bool{
			b.create(storage.Keypoints, storage.Processing, `{"from":[{"kind":"movies","id":1}],"slow":true}`):    true,
			b.create(storage.Keypoints, storage.Unprocessed, `{"from":[{"kind":"movies","id":1}]}`):               false,
			b.create(storage.Drawings, storage.Unprocessed, `{"from":[{"kind":"keypoints","id":1}],"slow":true}`): true,
		}
		b.create(storage.Keypoints, storage.Success, `{"from":[{"kind":"movies","id":1}]}`)
		got := map[storage.Key]bool{}
		b.Queue = slowQueue{b.queue, got}
		if err := worker.New(b.Config).Resume(t.Context()); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("pushed %v, want %v (%v)", got, want, err)
		}
	})
}

// TestDrainLetsJobsFinish: Run returns only when the running jobs are done.
func TestDrainLetsJobsFinish(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		b.does(func(context.Context) error { time.Sleep(15 * time.Second); return nil })
		key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
		_, stop := b.run()
		synctest.Wait()
		start := time.Now()
		stop()
		if took := time.Since(start); took != 15*time.Second {
			t.Errorf("Run has ended after %v", took)
		}
		b.want(key, storage.Success, "", 1)
	})
}

// TestInputs: a job waits for what its record is made from.
func TestInputs(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		started := 0
		b.Works[storage.Comparisons] = func(context.Context, storage.Record, func(int, int)) (worker.Output, error) {
			started++
			return worker.Output{}, nil
		}
		source := b.create(storage.Keypoints, storage.Success, `{}`)
		target := b.create(storage.Keypoints, storage.Processing, `{}`)
		failed := b.create(storage.Keypoints, storage.Processing, `{}`)
		b.change(failed, func(r *storage.Record) { r.Status, r.Failure = storage.Failure, "It is too dark." })
		of := func(source, target int64) storage.Key {
			return b.create(storage.Comparisons, storage.Unprocessed, fmt.Sprintf(`{"from":[{"kind":"keypoints","id":%d},{"kind":"keypoints","id":%d}],"options":{}}`, source, target))
		}
		waits, fails, lost := of(source.ID, target.ID), of(source.ID, failed.ID), of(99, source.ID)
		b.run()
		b.want(fails, storage.Failure, "The keypoint extraction 3 has failed: It is too dark.", 0)
		b.works(func(context.Context, storage.Record, func(int, int)) (worker.Output, error) {
			return worker.Output{}, fmt.Errorf("the file: %w", storage.ErrNotFound)
		})
		noFile := b.create(storage.Keypoints, storage.Unprocessed, `{"from":[{"kind":"movies","id":1}]}`)
		noMovie := b.create(storage.Keypoints, storage.Unprocessed, `{"from":[{"kind":"movies","id":99}]}`)
		b.want(noFile, storage.Failure, "There is a problem on the service.", 3)
		for _, key := range []storage.Key{lost, noMovie} {
			if _, err := b.Store.Head(t.Context(), key); !errors.Is(err, storage.ErrNotFound) {
				t.Errorf("made from a record that is gone: %v", err)
			}
		}
		b.want(waits, storage.Unprocessed, "", 0)
		b.change(target, func(r *storage.Record) { r.Status = storage.Success })
		b.want(waits, storage.Success, "", 1)
		if started != 1 {
			t.Errorf("%d were started, want 1", started)
		}
	})
}

// TestFirstCause: the failure of a long chain of records names the record before, the first
// record and the cause, and does not grow with the chain.
func TestFirstCause(t *testing.T) {
	on(t, func(t *testing.T, b *bench) {
		first := b.create(storage.Keypoints, storage.Processing, `{}`)
		b.change(first, func(r *storage.Record) { r.Status, r.Failure = storage.Failure, "It is too dark." })
		last := first
		for range 5 {
			last = b.create(storage.Keypoints, storage.Unprocessed, fmt.Sprintf(`{"from":[{"kind":"keypoints","id":%d}]}`, last.ID))
		}
		b.run()
		b.want(last, storage.Failure, "The keypoint extraction 5 has failed: The keypoint extraction 1 has failed: It is too dark.", 0)
	})
}

// TestDeletedMeanwhile: work on a record that is deleted leaves nothing, whether it is
// interrupted or not.
func TestDeletedMeanwhile(t *testing.T) {
	for _, cancelled := range []bool{true, false} {
		on(t, func(t *testing.T, b *bench) {
			var end error
			b.does(func(ctx context.Context) error {
				select {
				case <-ctx.Done():
				case <-time.After(time.Second):
				}
				end = ctx.Err()
				return end
			})
			key := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
			gone := b.create(storage.Keypoints, storage.Unprocessed, `{}`)
			w, _ := b.run()
			synctest.Wait()
			for _, k := range []storage.Key{key, gone} {
				if err := b.store.Delete(t.Context(), k); err != nil {
					t.Fatal(err)
				}
			}
			w.Cancel(gone) // which does not run yet
			if cancelled {
				w.Cancel(key)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if errors.Is(end, context.Canceled) != cancelled {
				t.Errorf("the work ended with %v", end)
			}
			if want := []storage.Key{key, gone}; !slices.Equal(b.discarded, want) || len(b.finished) != 0 {
				t.Errorf("discarded %v, want %v; told %v", b.discarded, want, b.finished)
			}
			for _, k := range []storage.Key{key, gone} {
				if held, err := b.queue.Holds(t.Context(), k); held || err != nil {
					t.Errorf("%v is in the queue (%v)", k, err)
				}
			}
		})
	}
}
