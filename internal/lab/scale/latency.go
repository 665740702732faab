package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/sqlite"
)

// latency measures the time from the request for a job to the start of its handler in another
// process. The request returns when the job is committed. There are always free handlers.
func latency(ctx context.Context, b *bench) error {
	n := b.amount(500, 50)
	b.say("store\tjobs\trequest, p50\trequest to start of the handler, p50\tp99\tmax")
	if err := b.postgresLatency(ctx, "postgres, another process", n); err != nil {
		return err
	}
	return b.sqliteLatency(ctx, n)
}

func (b *bench) postgresLatency(ctx context.Context, name string, n int) error {
	a := childArgs{Schema: b.pg.schema(), DSN: b.pg.dsn(10), Blobs: filepath.Join(b.dir, "latency"), Handlers: 4}
	m, s, err := newService(ctx, a, newTimes(), newTimes())
	if err != nil {
		return err
	}
	defer s.Close()
	p, err := startChild(ctx, "work", a)
	if err != nil {
		return err
	}
	if err := p.read(new(string)); err != nil {
		return err
	}
	asked, took, err := paced(ctx, m, n)
	if err != nil {
		return err
	}
	if err := awaitDone(ctx, s, n); err != nil {
		return err
	}
	var w worked
	if err := p.end(&w); err != nil {
		return err
	}
	return b.sayLatency(name, asked, took, w.Begun)
}

func (b *bench) sqliteLatency(ctx context.Context, n int) error {
	lite, err := sqlite.Open(filepath.Join(b.dir, "latency.db"), sqlite.Options{})
	if err != nil {
		return err
	}
	defer lite.Close()
	begun := newTimes()
	m, err := stub(lite, noting{memoryQueue(), begun}, childArgs{Blobs: filepath.Join(b.dir, "latency"), Handlers: 4}, newTimes())
	if err != nil {
		return err
	}
	runCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- m.Run(runCtx) }()
	asked, took, err := paced(ctx, m, n)
	if err != nil {
		return err
	}
	if err := awaitDone(ctx, lite, n); err != nil {
		return err
	}
	cancel()
	if err := <-done; err != nil {
		return err
	}
	return b.sayLatency("sqlite, queue in memory, same process", asked, took, begun.at)
}

// noting records when handlers start, as timed does, for a Queue that creates no records.
type noting struct {
	storage.Queue
	begun *times
}

func (q noting) Work(ctx context.Context, n int, handle func(context.Context, storage.Job) error) error {
	return q.Queue.Work(ctx, n, func(ctx context.Context, j storage.Job) error {
		q.begun.note(j.Key)
		return handle(ctx, j)
	})
}

// paced requests n jobs with pauses of 7 to 27 ms, so that none waits for another.
func paced(ctx context.Context, m *motion.Service, n int) (asked map[int64]int64, took []time.Duration, err error) {
	picture, err := upload(ctx, m, "owner-0")
	if err != nil {
		return nil, nil, err
	}
	asked = map[int64]int64{}
	for i := range n {
		begin := time.Now()
		e, err := m.Extract(ctx, "owner-0", motion.ExtractRequest{ImageID: picture})
		if err != nil {
			return nil, nil, err
		}
		took = append(took, time.Since(begin))
		asked[e.ID] = begin.UnixMicro()
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(time.Duration(7+i*7%21) * time.Millisecond):
		}
	}
	return asked, took, nil
}

// awaitDone waits until all n jobs of owner-0 have succeeded.
func awaitDone(ctx context.Context, s storage.Store, n int) error {
	for {
		_, total, err := s.List(ctx, "owner-0", storage.Keypoints, storage.Filter{Status: storage.Success, Limit: 1})
		if err != nil || total >= n {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (b *bench) sayLatency(store string, asked map[int64]int64, took []time.Duration, begun map[int64]int64) error {
	var all []time.Duration
	for id, at := range asked {
		start, ok := begun[id]
		if !ok {
			return fmt.Errorf("no start of job %d was recorded", id)
		}
		all = append(all, time.Duration(start-at)*time.Microsecond)
	}
	slices.Sort(all)
	slices.Sort(took)
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/1e6) }
	n := len(all)
	b.say("%s\t%d\t%s\t%s\t%s\t%s", store, n, ms(took[n/2]), ms(all[n/2]), ms(all[n*99/100]), ms(all[n-1]))
	return nil
}
