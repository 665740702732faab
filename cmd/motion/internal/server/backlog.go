package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bodymotion/motion/storage"
)

// countTime is how long /metrics waits for the queue to count its jobs.
const countTime = time.Second

// backlog is a Prometheus collector of the number of jobs in all processes. If the queue does not
// answer in time, the two gauges are missing.
type backlog struct {
	queue            storage.Counter
	log              *slog.Logger
	waiting, running *prometheus.Desc

	mu    sync.Mutex
	count storage.Backlog
	err   error
	until time.Time // the time of the next query
}

var _ prometheus.Collector = (*backlog)(nil)

func newBacklog(queue storage.Counter, log *slog.Logger) *backlog {
	return &backlog{
		queue: queue, log: log,
		waiting: prometheus.NewDesc("motion_jobs_waiting", "Jobs that wait for a worker or a retry, in all processes that share the queue.", nil, nil),
		running: prometheus.NewDesc("motion_jobs_running", "Jobs that run, in all processes that share the queue.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (b *backlog) Describe(to chan<- *prometheus.Desc) { to <- b.waiting; to <- b.running }

// Collect implements prometheus.Collector.
func (b *backlog) Collect(to chan<- prometheus.Metric) {
	count, err := b.now()
	if err != nil {
		return
	}
	to <- prometheus.MustNewConstMetric(b.waiting, prometheus.GaugeValue, float64(count.Waiting))
	to <- prometheus.MustNewConstMetric(b.running, prometheus.GaugeValue, float64(count.Running))
}

// now queries the queue at most once a second and for at most 1 % of the time, and else returns the last result.
func (b *backlog) now() (storage.Backlog, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	begin := time.Now()
	if begin.Before(b.until) {
		return b.count, b.err
	}
	ctx, cancel := context.WithTimeout(context.Background(), countTime)
	defer cancel()
	if b.count, b.err = b.queue.Backlog(ctx); b.err != nil {
		b.log.Warn("jobs not counted", "error", b.err)
		b.until = time.Now().Add(time.Second)
		return b.count, b.err
	}
	b.until = time.Now().Add(max(time.Second, 100*time.Since(begin)))
	return b.count, b.err
}
