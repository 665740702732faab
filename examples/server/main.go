// Server serves the v1 HTTP API, and works on what it is asked for:
//
//	go run ./examples/server [-addr 127.0.0.1:8080] [-data DIR] [-db DB] [-blobs BLOBS] [-client ID:SECRET]…
//
// A page to use it with is at /, the API at /anymotion/v1/, tokens are at
// /oauth/v1/accesstokens. /healthz answers as long as the process lives, /readyz with 503
// from when it is asked to end. -ops gives another address, for /metrics in the form of
// Prometheus and for the two checks.
//
// Where the server listens on a loopback address, the page gets a token of the first
// -client by itself: whoever can open the page on this machine sees that client's records.
// With -login it asks for a client's id and secret, as it does everywhere else. Behind a
// proxy give -base-url, which does the same: the proxy makes strangers look local.
//
// # One process
//
// Media and drawings are kept in DIR, records in the SQLite file DB, by default motion.db
// in DIR. Both survive a crash: a server that is started again with the same folder and
// file goes on with the jobs that were not done. The records belong to the client's ID, so
// give it with -client to see them again. With -db memory, records and files end with the
// process. One server at a time may use a folder, or a SQLite file.
//
// # Many processes
//
// With a postgres:// address as DB, any number of processes share records and jobs. BLOBS
// is then a folder or an S3 bucket that all of them reach, s3://BUCKET/PREFIX?endpoint=URL,
// with the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Each has a DIR of
// its own. A process with -role serve only takes requests, one with -role work only works;
// the latter has /metrics, /healthz and /readyz at -addr.
//
// What may hold a secret, and would be seen by everybody on the machine in a flag, can stand in
// the environment in place of -db, -blobs and -client: MOTION_DB, MOTION_BLOBS and
// MOTION_CLIENT, ID:SECRET parted by spaces.
//
// Servers behind one address need the same MOTION_KEY in their environment, 16 bytes or
// more, for tokens and links of one to be good for all, and after a restart.
//
// PgBouncer, or another pooler, may stand between without a setting: the server sees that it
// does. New jobs are then found by looking, every -poll, and not told of.
//
// At /metrics of a process that serves, motion_jobs_waiting and motion_jobs_running are the
// jobs in all processes together, so that the number of workers can follow them.
//
// # What is kept
//
// Everything, unless -keep says how long: -keep drawings=12h,all=30d removes drawings half a
// day and all else 30 days after its last change, a movie not before what was made of it.
// -orphans removes files that have no record, such as those of a database that was restored
// from an old copy. Processes that work do so at their start and every -upkeep; where there
// are many, give most of them -upkeep 0. -min-free keeps a disk from filling up.
//
// # The end
//
// SIGTERM makes a process drain, for as long as -grace says: new requests are refused, those
// under way are answered, jobs under way are finished, and those that are not done in time
// go back to the queue, which is no failure of theirs; other processes take them at once.
// A new version may be started before the old one ends.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/examples/internal/setup"
	"github.com/bodymotion/motion/examples/server/viewer"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "server:", err)
		}
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	if s.serves() && s.clients.first == "" {
		id, secret := "client-"+rand.Text()[:8], rand.Text()
		s.clients.first, s.clients.secrets[id] = id, secret
		say("no -client given, made one: id %s, secret %s", id, secret)
	}
	err = s.run(ctx)
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // asked to end before it began
	}
	return err
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// run opens everything, and serves and works until ctx ends.
func (s *settings) run(ctx context.Context) (err error) {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	parts, err := setup.New(ctx, setup.Options{
		Setting: s.setting, FFmpeg: s.program, Blind: !s.works(), TempDir: s.work(), Say: say,
	})
	if err != nil {
		return err
	}
	defer parts.Close()
	kept, err := openStorage(ctx, s, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	checks := newHealth()
	if queue, ok := storage.As[storage.Counter](kept.queue); ok && s.serves() {
		checks.registry.MustRegister(newBacklog(queue, log))
	}
	cfg := s.config()
	cfg.Store, cfg.Blobs, cfg.Queue = kept.records, kept.blobs, kept.queue
	cfg.Decoder, cfg.Encoder = parts.Decoder, parts.Encoder
	cfg.Finished, cfg.Logger = checks.finished, log
	if parts.Estimator != nil {
		cfg.Estimator = parts.Estimator
	}
	service, err := motion.New(cfg)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		return err
	}
	defer listener.Close() // where Serve does not
	servers := &servers{ended: make(chan error, 3)}
	handler := checks.handler()
	drain := func() {}
	if s.serves() {
		trusting := !s.login && s.base == "" && viewer.Loopback(listener.Addr().String())
		var api *httpapi.Handler
		if handler, api, err = routes(service, s, checks, trusting); err != nil {
			return err
		}
		drain = api.Drain
	}
	if s.ops != "" {
		ops, err := net.Listen("tcp", s.ops)
		if err != nil {
			return fmt.Errorf("-ops: %w", err)
		}
		say("metrics: http://%s/metrics", ops.Addr())
		servers.serve(ops, checks.handler())
	}
	servers.serve(listener, handler)
	// Jobs end after the last request, so that nobody waits in vain.
	workCtx, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	worked := make(chan error, 1)
	if s.works() {
		go func() { worked <- service.Run(workCtx) }()
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())

	select {
	case <-ctx.Done():
	case err := <-servers.ended:
		return err
	case err := <-worked:
		return err
	}
	say("draining")
	checks.draining.Store(true)
	drain()
	if !s.serves() {
		// The checks go on to answer while jobs are finished.
		stopWork()
		err = <-worked
		return errors.Join(err, servers.shutdown(time.Second))
	}
	err = servers.shutdown(s.share())
	stopWork()
	if s.works() {
		err = errors.Join(err, <-worked)
	}
	return err
}

// share returns how long requests may take to end, and how long jobs.
func (s *settings) share() time.Duration {
	if s.role == motion.ServeAndWork {
		return max(s.grace/2, 1)
	}
	return max(s.grace, 1)
}

// servers are those of a process.
type servers struct {
	list  []*http.Server
	ended chan error
}

func (s *servers) serve(l net.Listener, h http.Handler) {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	s.list = append(s.list, server)
	go func() { s.ended <- server.Serve(l) }()
}

// shutdown lets requests end for a while.
func (s *servers) shutdown(grace time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	var errs []error
	for _, server := range s.list {
		errs = append(errs, server.Shutdown(ctx))
	}
	return errors.Join(errs...)
}
