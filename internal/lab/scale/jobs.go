package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/lab/internal/child"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/sqlite"
)

// owners is the number of clients with jobs.
const owners = 32

// jobs measures jobs/s. A job is an extraction from a picture: read the record and the picture, set
// the status, estimate, store the result, complete the job. All jobs wait when the workers start;
// the rate is that of the middle 80 %, in which every process works. The cost for the database is
// from the request for a job to its end, including all polling.
func jobs(ctx context.Context, b *bench) error {
	b.say("store\testimate\tprocesses\thandlers each\tjobs/s\t× one process\ttransactions/job\tWAL/job")
	for _, c := range []struct {
		sleep    time.Duration
		handlers int
		each     int // jobs per process
	}{
		{50 * time.Millisecond, 2, b.amount(300, 40)},
		{0, 4, b.amount(1000, 100)}, // the capacity of the machine
	} {
		var first float64 // of one process
		for i, n := range processes {
			rate, job, err := b.costs(ctx, n, c.each*n, childArgs{Sleep: c.sleep, Handlers: c.handlers})
			if err != nil {
				return err
			}
			if i == 0 {
				first = rate / float64(n)
			}
			b.say("postgres\t%v\t%d\t%d\t%.0f\t%.2f\t%.1f\t%.1f kB", c.sleep, n, c.handlers, rate, rate/first, job.commits, job.log/1e3)
		}
	}
	for _, handlers := range []int{2, 4, 8} {
		rate, err := b.sqliteRate(ctx, b.amount(300, 40)*handlers/2, childArgs{Sleep: 50 * time.Millisecond, Handlers: handlers})
		if err != nil {
			return err
		}
		b.say("sqlite, queue in memory\t%v\t1\t%d\t%.0f\t", 50*time.Millisecond, handlers, rate)
	}
	b.say("SQLite has no queue of its own: any number of processes may serve one file, one may work.")
	return nil
}

// extractions requests n jobs.
func extractions(ctx context.Context, m *motion.Service, n int) error {
	var errs [owners]error
	var wg sync.WaitGroup
	for i := range owners {
		wg.Go(func() {
			owner := fmt.Sprintf("owner-%d", i)
			picture, err := upload(ctx, m, owner)
			for j := i; err == nil && j < n; j += owners {
				_, err = m.ExtractKeypoints(ctx, owner, motion.ExtractRequest{Source: motion.Image(picture)})
			}
			errs[i] = err
		})
	}
	wg.Wait()
	return errors.Join(errs[:]...)
}

// costs is rate with what a job costs the server.
func (b *bench) costs(ctx context.Context, processes, n int, a childArgs) (rate float64, job cost, err error) {
	before, err := b.pg.work(ctx)
	if err == nil {
		rate, _, err = b.rate(ctx, processes, n, a)
	}
	if err != nil {
		return 0, job, err
	}
	after, err := b.pg.work(ctx)
	return rate, cost{(after.commits - before.commits) / float64(n), (after.log - before.log) / float64(n)}, err
}

// rate returns the jobs/s of a number of processes on PostgreSQL, and the times of jobs in their handlers.
func (b *bench) rate(ctx context.Context, processes, n int, a childArgs) (float64, []time.Duration, error) {
	a.Schema, a.DSN, a.Blobs = b.pg.schema(), b.pg.dsn(2*a.Handlers+2), filepath.Join(b.dir, "jobs")
	m, s, err := newService(ctx, a, newTimes(), newTimes())
	if err != nil {
		return 0, nil, err
	}
	defer s.Close()
	if err := extractions(ctx, m, n); err != nil {
		return 0, nil, err
	}
	var workers []*child.Process
	for range processes {
		p, err := child.Start("", a, os.Stderr)
		if err != nil {
			return 0, nil, err
		}
		workers = append(workers, p)
	}
	if err := await(ctx, s, n, owners); err != nil {
		return 0, nil, err
	}
	var ended []int64
	var times []time.Duration
	for _, p := range workers {
		var w worked
		if err := errors.Join(p.Read(new(string)), p.End(&w)); err != nil {
			return 0, nil, err
		}
		times = append(times, durations(w.Begun, w.Ended)...)
		for _, at := range w.Ended {
			ended = append(ended, at)
		}
	}
	rate, err := middle(ended, n)
	return rate, times, err
}

// sqliteRate is rate for one process on SQLite.
func (b *bench) sqliteRate(ctx context.Context, n int, a childArgs) (float64, error) {
	a.Blobs = filepath.Join(b.dir, "jobs")
	s, err := sqlite.Open(filepath.Join(b.dir, fmt.Sprintf("jobs-%d.db", a.Handlers)), sqlite.Options{})
	if err != nil {
		return 0, err
	}
	defer s.Close()
	ended := newTimes()
	m, err := stub(s, memoryQueue(), a, ended)
	if err != nil {
		return 0, err
	}
	if err := extractions(ctx, m, n); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- m.Run(ctx) }()
	if err := await(ctx, s, n, owners); err != nil {
		return 0, err
	}
	cancel()
	if err := <-done; err != nil {
		return 0, err
	}
	var all []int64
	for _, at := range ended.at {
		all = append(all, at)
	}
	return middle(all, n)
}

// await waits until n jobs have succeeded, which so many owners share.
func await(ctx context.Context, s storage.Store, n, owners int) error {
	for owner := 0; owner < owners; {
		want := (n - owner + owners - 1) / owners
		f := storage.Filter{Status: storage.Success, Limit: 1}
		_, total, err := s.List(ctx, fmt.Sprintf("owner-%d", owner), storage.Keypoints, f)
		if err == nil && total < want {
			err = pause(ctx, 100*time.Millisecond)
		} else {
			owner++
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// middle returns the rate of the middle eight tenths of n ends.
func middle(ended []int64, n int) (float64, error) {
	if len(ended) != n {
		return 0, fmt.Errorf("%d of %d jobs ended in a worker", len(ended), n)
	}
	slices.Sort(ended)
	from, to := n/10, n-1-n/10
	return float64(to-from) / (float64(ended[to]-ended[from]) / 1e6), nil
}
