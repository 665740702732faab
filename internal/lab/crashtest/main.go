// Crashtest kills servers and workers with kill -9 while clients register, upload, extract,
// analyse, compare, draw and delete over HTTP, and then checks the stored data:
//
//	go run ./internal/lab/crashtest -store sqlite|postgres [-jobs 200] [-kills 50] [-outage]
//
// Every record must be SUCCESS or FAILURE for the right reason, with the results of a run without
// kills; every blob must have its record and every record its blob; what was deleted must be gone;
// no record may be finished twice. Half of the kills are at random times, the others right before or after a change of the
// storage.
//
// With -store sqlite, one process serves and works, on a SQLite file and a folder. With -store
// postgres, one process serves and three work, on PostgreSQL and an S3 server (versitygw) that the
// program starts. With -outage, PostgreSQL crashes and restarts after five seconds, is restarted
// again later, and the S3 server is down for 20 seconds.
//
// FFmpeg must be installed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
)

func main() {
	if text, ok := os.LookupEnv(childEnv); ok {
		if err := child(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	o := options{say: func(format string, args ...any) { fmt.Printf(format+"\n", args...) }}
	flag.StringVar(&o.store, "store", "sqlite", "sqlite (with files) or postgres (with S3)")
	flag.IntVar(&o.jobs, "jobs", 200, "number of jobs, a multiple of 8")
	flag.IntVar(&o.kills, "kills", 50, "number of kills")
	flag.IntVar(&o.attempts, "attempts", 3, "attempts of a job before its record fails")
	flag.BoolVar(&o.outage, "outage", false, "stop PostgreSQL and S3 for a while")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "seed of the random choices")
	flag.StringVar(&o.log, "log", "", "file for the output of the processes; default: print its end if something is wrong")
	flag.DurationVar(&o.limit, "limit", 15*time.Minute, "time limit of the test")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "crashtest:", err)
		stop()
		os.Exit(1)
	}
}

// options of a test.
type options struct {
	store       string
	jobs, kills int
	attempts    int
	outage      bool
	seed        uint64
	log         string
	limit       time.Duration
	say         func(string, ...any)
}

// clients is the number of pairs that are in work at a time.
const clients = 8

func run(ctx context.Context, o options) (err error) {
	switch {
	case o.store != "sqlite" && o.store != "postgres":
		return fmt.Errorf("-store is %q, want sqlite or postgres", o.store)
	case o.jobs < jobsOfPair || o.jobs%jobsOfPair != 0:
		return fmt.Errorf("-jobs is %d, want a multiple of %d", o.jobs, jobsOfPair)
	case o.outage && o.store != "postgres":
		return errors.New("-outage needs -store postgres")
	}
	ctx, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	dir, err := os.MkdirTemp("", "motion-crash-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o711); err != nil { // PostgreSQL runs under another account
		return err
	}
	if o.log == "" {
		o.log = filepath.Join(dir, "log")
	}
	log, err := os.Create(o.log)
	if err != nil {
		return err
	}
	defer log.Close()
	recordings, err := makeRecordings(ctx, dir, o.jobs/jobsOfPair*2)
	if err != nil {
		return err
	}
	e, err := startEngines(o.store, dir)
	defer e.stop()
	if err != nil {
		return err
	}
	t := &test{options: o, engines: e, dir: dir, log: log, recordings: recordings}
	calm, _, err := t.run(ctx, "calm", false)
	if err == nil {
		err = calm.err()
	}
	if err != nil {
		return fmt.Errorf("the run without kills: %w%s", err, t.tail())
	}
	after, done, err := t.run(ctx, "wild", true)
	if err != nil {
		return fmt.Errorf("%w%s", err, t.tail())
	}
	doomed, twice := after.against(calm, done)
	if err := t.errors(after); err != nil {
		return err
	}
	t.say("%d records, %d blobs; %d records were deleted; %d failed because their jobs were killed %d times; %d more were made by repeated requests",
		len(after.entries), len(after.blobs), len(done.deleted), doomed, o.attempts, twice)
	if o.kills == 0 && doomed > 0 {
		after.fault("%d records failed without a kill", doomed)
	}
	if err := after.err(); err != nil {
		return fmt.Errorf("%d faults:\n%w%s", len(after.faults), err, t.tail())
	}
	t.say("nothing is wrong")
	return nil
}

// test is the state that the runs share.
type test struct {
	options
	engines    *ran
	dir        string
	log        *os.File
	recordings []recording
}

// tail returns the end of the output of the processes.
func (t *test) tail() string {
	text, err := os.ReadFile(t.options.log)
	if err != nil || len(text) == 0 {
		return ""
	}
	return "\n" + string(text[max(0, len(text)-4000):])
}

// trouble matches the log lines of failed jobs. Storage outages, kills and shutdowns must not cause
// any.
var trouble = regexp.MustCompile(`msg="job (will be tried again|given up)".* error=.*|.*panic.*`)

// errors reports the errors of jobs in the log.
func (t *test) errors(f *found) error {
	text, err := os.ReadFile(t.options.log)
	for _, line := range trouble.FindAllString(string(text), 20) {
		f.fault("the log has: %s", line)
	}
	return err
}

// run does all the work once, disturbed or not, and reads the stored data.
func (t *test) run(ctx context.Context, name string, disturbed bool) (*found, *work, error) {
	p, err := t.engines.newPlace(ctx, t.dir, name)
	if err != nil {
		return nil, nil, err
	}
	addr, err := testkit.FreeAddress()
	if err != nil {
		return nil, nil, err
	}
	f, err := startFleet(p, t.attempts, addr, filepath.Join(t.dir, name), t.log)
	if err != nil {
		return nil, nil, err
	}
	began := time.Now()
	var seen answers
	w := &work{recordings: t.recordings, client: newClient(addr, &seen)}
	pairs := len(t.recordings) / 2
	// Work is released between the kills, so that few of them hit idle processes.
	out := make(chan int, pairs)
	let := 0
	release := func(upTo int) {
		for ; let < min(upTo, pairs); let++ {
			out <- let
		}
		if let == pairs {
			close(out)
			let++
		}
	}
	var done atomic.Int64
	var all sync.WaitGroup
	stop := make(chan struct{})
	var disturb func()
	atSeams, kills, idle := 0, 0, map[int]bool{}
	if disturbed && t.kills > 0 {
		disturb = func() {
			random := rand.New(rand.NewPCG(t.seed, 1))
			atSeams = f.killer(t.kills, random, stop, func(n int) {
				kills = n
				if let <= pairs {
					release(max(clients/2+n*pairs/t.kills, int(done.Load())+2))
				}
				if n < t.kills && int(done.Load()) == pairs {
					idle[n] = true
				}
			})
		}
	} else {
		release(pairs)
	}
	if disturb != nil {
		all.Go(disturb)
	}
	if disturbed && t.outage {
		all.Go(func() { err = errors.Join(err, t.engines.outage(t.say, stop, &done, pairs)) })
	}
	failed := make(chan error, clients)
	var working sync.WaitGroup
	for range clients {
		working.Go(func() {
			for i := range out {
				if err := w.pair(ctx, i); err != nil {
					failed <- err
					return
				}
				done.Add(1)
			}
		})
	}
	ended := make(chan struct{})
	go func() { working.Wait(); close(ended) }()
	select {
	case e := <-failed:
		err = errors.Join(err, e)
		close(stop)
	case <-ended:
	}
	all.Wait()
	select {
	case e := <-failed:
		err = errors.Join(err, e)
	default:
	}
	if e := f.settle(ctx, p, err); e != nil {
		err = e
	}
	err = errors.Join(err, f.end())
	if err != nil {
		return nil, nil, err
	}
	t.say("%s: %d jobs in %.1f s, %d kills, of them %d at seams and %d of idle processes; clients sent %d requests, %d got no response and %d a 503; %d logins; the longest wait for a response was %.1f s",
		name, pairs*jobsOfPair, time.Since(began).Seconds(), kills, atSeams, len(idle), seen.requests.Load(), seen.broken.Load(), seen.unavailable.Load(), seen.logins.Load(), seen.longest.Seconds())
	after, err := look(ctx, p, t.attempts)
	return after, w, err
}
