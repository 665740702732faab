package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
)

// recorded are the service times of jobs, as one worker process had them.
type recorded struct {
	times []time.Duration // in the handler
	gap   time.Duration   // of a handler between two jobs
	busy  time.Duration   // processor time of a job, of the worker and the database
}

// model is a simulated cluster: each handler works on one job after the other. A job needs one of the processors, which all
// handlers share in the order in which they come, for busy, and passes the rest of its time without one.
type model struct {
	recorded
	handlers, processors int
}

// run returns jobs/s, and the share of the time in which the processors were busy.
func (m model) run(jobs int, random *rand.Rand) (rate, load float64) {
	next, free := make([]time.Duration, m.handlers), make([]time.Duration, m.processors)
	var last, worked time.Duration
	for i := range next {
		next[i] = time.Duration(i) // all at once, in an order
	}
	for range jobs {
		h, p := least(next), least(free)
		begin := max(next[h], free[p])
		free[p] = begin + m.busy
		rest := m.times[random.IntN(len(m.times))] + m.gap - m.busy
		next[h] = begin + m.busy + max(rest, 0)
		last, worked = max(last, next[h]), worked+m.busy
	}
	return float64(jobs) / last.Seconds(), worked.Seconds() / last.Seconds() / float64(m.processors)
}

// least returns the index of the least time.
func least(times []time.Duration) int {
	best := 0
	for i, t := range times {
		if cmp.Less(t, times[best]) {
			best = i
		}
	}
	return best
}

// simulate measures jobs/s of one process, simulates more from its service times, and prints both beside each other; then what
// no measurement reaches.
func simulate(ctx context.Context, b *bench) error {
	random := rand.New(rand.NewPCG(1, 2))
	b.say("estimate\tprocesses\thandlers each\tjobs/s measured\tsimulated\tmeasured/simulated\tprocessors busy, simulated")
	var light recorded // of jobs that do nothing but use the storage
	for _, c := range []struct {
		sleep    time.Duration
		handlers int
		each     int
	}{{50 * time.Millisecond, 2, b.amount(600, 200)}, {0, 4, b.amount(2000, 600)}} {
		var r recorded
		for i, n := range b.processes {
			before := processorTime()
			rate, times, err := b.rate(ctx, n, c.each*n, childArgs{Sleep: c.sleep, Handlers: c.handlers})
			if err != nil {
				return err
			}
			if i == 0 {
				r = recorded{times: times, busy: (processorTime() - before) / time.Duration(c.each*n)}
				mean := time.Duration(0)
				for _, t := range times {
					mean += t / time.Duration(len(times))
				}
				r.gap = max(0, time.Duration(float64(n*c.handlers)/rate*float64(time.Second))-mean)
				light = r
			}
			m := model{r, n * c.handlers, runtime.NumCPU()}
			simulated, load := m.run(c.each*n, random)
			b.say("%v\t%d\t%d\t%.0f\t%.0f\t%.2f\t%.0f %%", c.sleep, n, c.handlers, rate, simulated, rate/simulated, 100*load)
		}
	}
	b.say("a job of %d handlers: %v of processor time, worker and database, and %v between two jobs", 4, light.busy.Round(10*time.Microsecond), light.gap.Round(10*time.Microsecond))
	b.say("\nextrapolated: movies of a minute, on workers with one handler and processors of their own\t\t\t\t\t\t")
	b.say("time of a movie\tworkers\t\t\tjobs/s\tjobs a day\tprocessors of the database busy, of %d", runtime.NumCPU())
	for _, took := range []time.Duration{17 * time.Second, 45 * time.Second} {
		for _, workers := range []int{100, 400, 1000} {
			m := model{recorded{[]time.Duration{took}, light.gap, light.busy}, workers, runtime.NumCPU()}
			rate, load := m.run(20*workers, random)
			b.say("%v\t%d\t\t\t%.1f\t%.0f\t%.1f %%", took, workers, rate, rate*86400, 100*load)
		}
	}
	if err := b.table.Flush(); err != nil {
		return err
	}
	return b.requests(ctx)
}

// processorTime returns the time for which the processors of this machine were busy, in all processes; 0 if it is not told.
func processorTime() time.Duration {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	var user, nice, system int64
	fmt.Sscanf(strings.TrimPrefix(string(text), "cpu"), "%d %d %d", &user, &nice, &system)
	return time.Duration(user+nice+system) * 10 * time.Millisecond
}

// requests counts the requests to S3 for a file.
func (b *bench) requests(ctx context.Context) error {
	server, err := testkit.StartS3(filepath.Join(b.dir, "counted"))
	if errors.Is(err, testkit.ErrMissing) {
		b.say("requests to S3 were not counted: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer server.Kill()
	if err := server.MakeBucket(s3Bucket); err != nil {
		return err
	}
	at, err := url.Parse(server.Endpoint())
	if err != nil {
		return err
	}
	var n atomic.Int64
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		n.Add(1)
		r.SetURL(at)
		r.Out.Host = r.In.Host // which is signed
	}}
	counter := httptest.NewServer(proxy)
	defer counter.Close()
	blobs, err := openS3(ctx, counter.URL)
	if err != nil {
		return err
	}
	b.say("requests to S3: size\tput\topen and read\tdelete")
	for _, size := range []int{100 << 10, 4 << 20, 60_000_000} {
		var counts []int64
		for _, do := range []func() error{
			func() error {
				_, err := blobs.Put(ctx, "scale/counted", bytes.NewReader(make([]byte, size)), storage.PutOptions{})
				return err
			},
			func() error {
				blob, err := blobs.Open(ctx, "scale/counted")
				if err != nil {
					return err
				}
				_, err = io.Copy(io.Discard, blob)
				return errors.Join(err, blob.Close())
			},
			func() error { return blobs.Delete(ctx, "scale/counted") },
		} {
			before := n.Load()
			if err := do(); err != nil {
				return err
			}
			counts = append(counts, n.Load()-before)
		}
		b.say("%.1f MB\t%d\t%d\t%d", float64(size)/1e6, counts[0], counts[1], counts[2])
	}
	return nil
}

// durations returns the times from the begin of each record to its end.
func durations(begun, ended map[int64]int64) (list []time.Duration) {
	for id, at := range ended {
		if from, ok := begun[id]; ok && at >= from {
			list = append(list, time.Duration(at-from)*time.Microsecond)
		}
	}
	slices.Sort(list)
	return list
}
