// Crashtest shows that a Service loses nothing, whatever fails: clients note what they asked for and what they were told, and
// this history and what is stored in the end are held against a model of what the service promises.
//
//	go run ./internal/lab/crashtest -store memory|sqlite|postgres        # faults in each call once, and by chance
//	go run ./internal/lab/crashtest -store sqlite|postgres -kills 250 [-outage] [-clocks]
//	go run ./internal/lab/crashtest -full
//
// The model: a record that a client was told of is there, with its file and what was written into it last, until somebody
// deletes it, and then it is gone, with all that is made from it; what is SUCCESS or FAILURE stays so, for the right reason,
// with the result of a run without trouble, and is finished once; IDs grow and are never given again; an idempotency key
// gives one record; nothing stays unfinished, no deletion half done, and no file without a record.
//
// Without -kills, one process is client and server, and the faults are those of storagetest.Faults: each call of a session
// fails once, loses its answer once, and hangs, one session each; then -chance sessions have faults at random.
//
// With -kills, clients do random things while servers and workers are killed with kill -9, half of them at random times, the
// others right before or after a call of the storage. With -store sqlite, one process serves and works, on a SQLite file and
// a folder. With -store postgres, one process serves and three work, on PostgreSQL and an S3 server (versitygw) that the
// program starts. With -outage, PostgreSQL crashes and restarts after five seconds, is restarted again later, and the S3
// server is down for 20 seconds.
//
// With -clocks, the clocks of the processes jump an hour forwards and backwards, each on its own.
//
// FFmpeg must be installed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/lab/internal/child"
	"github.com/bodymotion/motion/internal/testkit"
)

func main() {
	var orders orders
	if ok, err := child.Orders(&orders); ok {
		if err == nil {
			err = orders.obey()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	o := options{say: func(format string, args ...any) { fmt.Printf(format+"\n", args...) }}
	flag.StringVar(&o.store, "store", "sqlite", "memory, sqlite (with files) or postgres (with S3)")
	flag.IntVar(&o.kills, "kills", 0, "number of kills; 0: faults instead")
	flag.Float64Var(&o.part, "part", 1, "part of the calls that fail once each, from 0 to 1")
	flag.IntVar(&o.chance, "chance", 100, "number of sessions with faults at random")
	flag.BoolVar(&o.quick, "quick", false, "leave out the faults for which clients wait: calls that hang, and lost reservations of keys")
	flag.IntVar(&o.lanes, "lanes", 8, "number of sessions at a time")
	flag.BoolVar(&o.outage, "outage", false, "stop PostgreSQL and S3 for a while")
	flag.BoolVar(&o.clocks, "clocks", false, "let the clocks of the processes jump by an hour and more; needs the sources of Go")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "seed of the random choices")
	all := flag.Bool("full", false, "run everything, one after the other: 500 kills and more than 12,000 faults")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	programs := []options{o}
	if *all {
		programs = full(o)
	}
	failed := false
	for _, o := range programs {
		if err := run(ctx, o); err != nil { // said at once: the others take long
			fmt.Fprintf(os.Stderr, "crashtest: -store %s -kills %d -clocks=%v -outage=%v -seed %d: %v\n", o.store, o.kills, o.clocks, o.outage, o.seed, err)
			failed = true
		}
	}
	if failed {
		stop()
		os.Exit(1)
	}
}

// full returns the options of all programs.
func full(o options) (list []options) {
	for _, p := range []options{
		{store: "memory", chance: 300}, {store: "sqlite", chance: 300}, {store: "postgres", chance: 100},
		{store: "sqlite", kills: 150}, {store: "sqlite", kills: 100, clocks: true},
		{store: "postgres", kills: 150, outage: true}, {store: "postgres", kills: 100, clocks: true},
	} {
		one := o
		one.store, one.chance, one.kills, one.clocks, one.outage = p.store, p.chance, p.kills, p.clocks, p.outage
		list = append(list, one)
	}
	return list
}

// options of a test.
type options struct {
	store         string
	kills, chance int
	part          float64
	quick         bool
	lanes         int
	outage        bool
	clocks        bool
	seed          uint64
	say           func(string, ...any)
}

func run(ctx context.Context, o options) (err error) {
	switch {
	case !slices.Contains([]string{"memory", "sqlite", "postgres"}, o.store):
		return fmt.Errorf("-store is %q, want memory, sqlite or postgres", o.store)
	case o.kills > 0 && o.store == "memory":
		return errors.New("-kills needs -store sqlite or postgres")
	case o.clocks && o.kills == 0:
		return errors.New("-clocks needs -kills")
	case o.outage && (o.store != "postgres" || o.kills == 0):
		return errors.New("-outage needs -store postgres and -kills")
	}
	o.say("seed %d", o.seed)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Hour)
	defer cancel()
	dir, err := os.MkdirTemp("", "motion-crash-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o711); err != nil { // PostgreSQL runs under another account
		return err
	}
	recordings, err := makeRecordings(ctx, dir)
	if err != nil {
		return err
	}
	e, err := startEngines(o.store, dir)
	defer e.stop()
	if err != nil {
		return err
	}
	began := time.Now()
	if o.kills == 0 {
		c := &campaign{ran: e, dir: dir, recordings: recordings[:2], quick: o.quick, say: o.say}
		err := c.each(ctx, o.lanes, o.part, o.seed)
		if err == nil {
			err = c.chance(ctx, o.lanes, o.chance, 0.03, o.seed)
		}
		o.say("%s: %d faults in %d sessions in %.1f s, %d findings", o.store, c.faults.Load(), c.sessions.Load(),
			time.Since(began).Seconds(), c.findings.Load())
		if n := c.findings.Load(); err == nil && n > 0 {
			err = fmt.Errorf("%d findings", n)
		}
		return err
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	want, err := reference(ctx, dir, recordings)
	if err != nil {
		return fmt.Errorf("the run without trouble: %w", err)
	}
	t := &test{options: o, engines: e, dir: dir, log: log, recordings: recordings}
	if err := t.run(ctx, want); err != nil {
		return fmt.Errorf("%w%s", err, t.tail())
	}
	return nil
}

// reference returns what everything becomes without trouble, by signature.
func reference(ctx context.Context, dir string, recordings []recording) (map[string]string, error) {
	c := &campaign{ran: &ran{kind: "memory"}, dir: dir}
	l, err := c.newLane(ctx)
	if err != nil {
		return nil, err
	}
	l.decoder = ffmpeg.Decoder{}
	if err := l.start(ctx); err != nil {
		return nil, err
	}
	defer l.end()
	if err := everything(ctx, newClient("http://motion", "r", &l.world, newHistory()), recordings); err != nil {
		return nil, err
	}
	f, err := look(ctx, l.place, l.place.memory)
	if err != nil {
		return nil, err
	}
	return f.outcomes(), f.err()
}

// test is the state of a run with kills.
type test struct {
	options
	engines    *ran
	dir        string
	log        *os.File
	recordings []recording
}

// tail returns the end of the output of the processes.
func (t *test) tail() string {
	text, err := os.ReadFile(t.log.Name())
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
	text, err := os.ReadFile(t.log.Name())
	for _, line := range trouble.FindAllString(string(text), 20) {
		f.fault("the log has: %s", line)
	}
	return err
}

// clients is the number of clients that work at a time.
const clients = 8

// run lets clients do random things until all kills are done, and judges what they were told and what is stored.
func (t *test) run(ctx context.Context, want map[string]string) error {
	p, err := t.engines.newPlace(ctx, t.dir, "wild")
	if err != nil {
		return err
	}
	addr, err := testkit.FreeAddress()
	program := ""
	if err == nil && t.clocks {
		program, err = buildSkewed(ctx, t.dir)
	}
	if err != nil {
		return err
	}
	f, err := startFleet(program, p, addr, filepath.Join(t.dir, "wild"), t.log)
	if err != nil {
		return err
	}
	h := newHistory()
	one, err := t.work(ctx, f, addr, h)
	if err == nil {
		err = f.settle(ctx, p)
	}
	if err == nil { // what is stored in the end, as a client is told
		l := &lane{history: h}
		err = l.reread(ctx, one, inTheEnd)
	}
	if err = errors.Join(err, f.end()); err != nil {
		return err
	}
	return t.judge(ctx, p, h, want)
}

// work lets clients work while processes are killed, and returns one of the clients.
func (t *test) work(ctx context.Context, f fleet, addr string, h *history) (*client, error) {
	began, w := time.Now(), &crowd{recordings: t.recordings}
	stop := make(chan struct{})
	var working sync.WaitGroup
	errs := make([]error, clients+1)
	all := make([]*client, clients)
	for i := range clients {
		c := newClient("http://"+addr, fmt.Sprint("c", i), nil, h)
		all[i] = c
		random := rand.New(rand.NewPCG(t.seed, uint64(2+i)))
		working.Go(func() {
			for errs[i] == nil {
				select {
				case <-stop:
					return
				default:
					errs[i] = w.step(ctx, c, random)
				}
			}
		})
	}
	if t.outage {
		working.Go(func() { errs[clients] = t.engines.outage(t.say, stop) })
	}
	jumps := 0
	if t.clocks {
		working.Go(func() { jumps = f.jump(rand.New(rand.NewPCG(t.seed, 0)), stop) })
	}
	atSeams := f.killer(ctx, t.kills, rand.New(rand.NewPCG(t.seed, 1)))
	close(stop)
	working.Wait()
	unanswered := int64(0)
	for _, c := range all {
		unanswered += c.broken.Load()
	}
	t.say("%s: %d kills, of them %d at seams, %d jumps of clocks, in %.1f s; %d clients did %d things with %d requests, of which %d had no answer or were told to come again",
		t.store, t.kills, atSeams, jumps, time.Since(began).Seconds(), clients, w.done.Load(), len(h.events), unanswered)
	return all[0], errors.Join(errs...)
}

// judge holds what clients were told and what is stored in the end against the model and a run without trouble.
func (t *test) judge(ctx context.Context, p place, h *history, want map[string]string) error {
	k, err := p.open(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	after, err := look(ctx, p, k)
	if err = errors.Join(err, k.close()); err != nil {
		return err
	}
	m, findings := judge(h.events)
	doomed := after.against(want, m)
	if err := t.errors(after); err != nil {
		return err
	}
	t.say("%d records, %d blobs; %d failed because their jobs were killed %d times", len(after.entries), len(after.blobs), doomed, attempts)
	slices.Sort(after.faults)
	if findings = append(findings, after.faults...); len(findings) > 0 {
		return fmt.Errorf("%d findings with seed %d:\n%s", len(findings), t.seed, strings.Join(findings, "\n"))
	}
	t.say("0 findings")
	return nil
}
