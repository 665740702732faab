package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/lab/internal/child"
)

// latency measures the time from the request for a job to the start of its handler in another
// process. The request returns when the job is committed. There are always free handlers.
func latency(ctx context.Context, b *bench) error {
	n := b.amount(500, 50)
	b.say("store\tjobs\trequest, p50\trequest to start of the handler, p50\tp99\tmax")
	return b.postgresLatency(ctx, "postgres, another process", n)
}

func (b *bench) postgresLatency(ctx context.Context, name string, n int) error {
	a := childArgs{Schema: b.pg.schema(), DSN: b.pg.dsn(10), Blobs: filepath.Join(b.dir, "latency"), Handlers: 4}
	m, s, err := newService(ctx, a, newTimes(), newTimes())
	if err != nil {
		return err
	}
	defer s.Close()
	p, err := child.Start("", a, os.Stderr)
	if err != nil {
		return err
	}
	if err := p.Read(new(string)); err != nil {
		return err
	}
	asked, took, err := paced(ctx, m, n)
	if err != nil {
		return err
	}
	if err := await(ctx, s, n, 1); err != nil {
		return err
	}
	var w worked
	if err := p.End(&w); err != nil {
		return err
	}
	return b.sayLatency(name, asked, took, w.Begun)
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
		e, err := m.ExtractKeypoints(ctx, "owner-0", motion.ExtractRequest{Source: motion.Image(picture)})
		if err != nil {
			return nil, nil, err
		}
		took = append(took, time.Since(begin))
		asked[e.ID] = begin.UnixMicro()
		if err := pause(ctx, time.Duration(7+i*7%21)*time.Millisecond); err != nil {
			return nil, nil, err
		}
	}
	return asked, took, nil
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
	ms := func(times []time.Duration, share float64) string {
		return fmt.Sprintf("%.1f ms", float64(percentile(times, share))/1e6)
	}
	b.say("%s\t%d\t%s\t%s\t%s\t%s", store, len(all), ms(took, 0.5), ms(all, 0.5), ms(all, 0.99), ms(all, 1))
	return nil
}

// percentile returns the time that a share of the times does not exceed.
func percentile(times []time.Duration, share float64) time.Duration {
	var all []float64
	for _, t := range times {
		all = append(all, float64(t))
	}
	slices.Sort(all)
	return time.Duration(stat.Quantile(share, stat.Empirical, all, nil))
}
