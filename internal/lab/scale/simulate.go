package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
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
		h, p := slices.Index(next, slices.Min(next)), slices.Index(free, slices.Min(free))
		begin := max(next[h], free[p])
		free[p] = begin + m.busy
		rest := m.times[random.IntN(len(m.times))] + m.gap - m.busy
		next[h] = begin + m.busy + max(rest, 0)
		last, worked = max(last, next[h]), worked+m.busy
	}
	return float64(jobs) / last.Seconds(), worked.Seconds() / last.Seconds() / float64(m.processors)
}

// simulate measures jobs/s of one process, simulates more from its service times, and prints both beside each other.
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
		for i, n := range processes {
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
	return nil
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
