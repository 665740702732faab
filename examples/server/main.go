// Server serves the v1 HTTP API and works on its jobs:
//
//	go run ./examples/server [-addr 127.0.0.1:8080] [-data DIR] [-db DB] [-blobs BLOBS] [-client ID:SECRET]…
//
// The page is at /, the API at /anymotion/v1/, the token endpoint at /oauth/v1/accesstokens. A process that
// serves and works also takes live pictures, at /anymotion/v1/live/.
// /healthz answers 200 while the process lives. /readyz answers 503 from the start of the shutdown,
// and while the database or the files do not answer; its text says which.
// -ops is another address, for Prometheus at /metrics and for the two checks.
//
// On a loopback address, the page gets a token of the first -client by itself: everybody who
// can open the page on this machine sees that client's records. With -login, and on any other
// address, the page asks for a client's id and secret. So it does with -base-url, which is
// required behind a proxy: the proxy makes all requests look local. A line at the start says who
// may do what.
//
// # One process
//
// Media and drawings are stored in DIR, records in the SQLite file DB, by default motion.db in
// DIR. Both survive a crash: a server that is started again with the same folder and file
// continues the unfinished jobs. Records belong to the client's ID: to see them again, give the
// same one with -client. With -db memory, records and files are lost when the process ends.
// Only one server at a time may use a folder or a SQLite file.
//
// # Many processes
//
// With a postgres:// address as DB, any number of processes share records and jobs. BLOBS is
// then a folder or an S3 bucket that all of them can reach, s3://BUCKET/PREFIX?endpoint=URL,
// with the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Each process needs its
// own DIR. A process with -role serve only serves requests, one with -role work only works on
// jobs; the latter has /metrics, /healthz and /readyz at -addr.
//
// # Secrets
//
// Everybody on the machine can read the flags of a process. Settings with secrets can therefore
// be given in the environment: MOTION_DB, MOTION_BLOBS and MOTION_CLIENT (ID:SECRET, separated
// by spaces) instead of -db, -blobs and -client. The server removes them, and the keys of S3, from
// its environment before it starts FFmpeg.
//
// Tokens and links are signed with a key that the server makes once and keeps in the file key in
// DIR, so they stay valid after a restart. MOTION_KEY, at least 16 bytes, takes its place. Servers
// behind one address need the same MOTION_KEY: tokens and links of one are then valid in all.
//
// # Behind a pooler
//
// The server detects PgBouncer or another pooler; no setting is needed. It then polls for new
// jobs every -poll instead of being notified.
//
// At /metrics of a process that serves, motion_jobs_waiting and motion_jobs_running count the
// jobs of all processes, for scaling the number of workers.
//
// # Retention
//
// Records are kept for ever unless -keep is set: -keep drawings=12h,all=30d removes drawings 12
// hours and all other records 30 days after their last change, but no record before those made
// from it. -orphans removes files without a record, for example after a database was restored
// from an old copy. Processes that work do both when they start and every -upkeep; with many
// workers, give most of them -upkeep 0. -min-free keeps a part of the disk free.
//
// # Shutdown
//
// After SIGTERM a process drains for at most -grace: it refuses new requests and finishes
// running requests and jobs. Unfinished jobs go back to the queue, where other processes take
// them at once; this does not count as an attempt. A new version may be started before the old
// one ends. The process ends at most 2 s after -grace, whatever a job or request does, and at once
// with a second signal.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/examples/internal/setup"
	"github.com/bodymotion/motion/examples/internal/stores"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/httpapi/viewer"
	"github.com/bodymotion/motion/storage"
)

func main() { setup.Main("server", run) }

func run(ctx context.Context, args []string) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	setup.ExitAfter(ctx, s.grace)
	err = s.run(ctx)
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // interrupted before it began
	}
	return err
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// run opens the storage, and serves and works until ctx ends.
func (s *settings) run(ctx context.Context) (err error) {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	kept, err := stores.Open(ctx, s.Places, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	forgetSecrets() // before other programs are started
	if s.serves() {
		if err := errors.Join(s.loadKey(), s.loadClient()); err != nil {
			return err
		}
	}
	parts, err := setup.New(ctx, setup.Options{
		Setting: s.setting, FFmpeg: s.program, Blind: !s.works(), Live: s.serves(), TempDir: s.Work(), Say: say,
	})
	if err != nil {
		return err
	}
	defer parts.Close()
	checks := newHealth()
	if queue, ok := storage.As[storage.Counter](kept.Queue); ok && s.serves() {
		checks.registry.MustRegister(newBacklog(queue, log))
	}
	cfg := s.config()
	cfg.Store, cfg.Blobs, cfg.Queue = kept.Records, kept.Blobs, kept.Queue
	cfg.Decoder, cfg.Encoder, cfg.Probes = parts.Decoder, parts.Encoder, parts.Probes
	cfg.Finished, cfg.Logger = checks.finished, log
	if parts.Estimator != nil {
		cfg.Estimator = parts.Estimator
	}
	service, err := motion.New(cfg)
	if err != nil {
		return err
	}
	checks.ready = service.Ready
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		return err
	}
	defer listener.Close() // unless Serve has
	servers := &servers{ended: make(chan error, 3)}
	handler := checks.handler()
	drain := func() {}
	if s.serves() {
		trusting := !s.login && s.base == "" && viewer.Loopback(listener.Addr().String())
		say("%s", s.access(listener.Addr(), trusting))
		served, err := routes(service, s, checks, parts.Live, trusting)
		if err != nil {
			return err
		}
		handler, drain, servers.live = served.Handler, served.drain, served.live
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
	// Jobs stop after the last request, which may wait for one.
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
		// The checks keep answering while jobs finish.
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

// share returns the time that requests, and then jobs, may take during a shutdown.
func (s *settings) share() time.Duration {
	if s.role == motion.ServeAndWork {
		return max(s.grace/2, 1)
	}
	return max(s.grace, 1)
}

// servers are the HTTP servers of a process.
type servers struct {
	list  []*http.Server
	live  *live.Handler // nil without live pictures
	ended chan error
}

func (s *servers) serve(l net.Listener, h http.Handler) {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	s.list = append(s.list, server)
	go func() { s.ended <- server.Serve(l) }()
}

// shutdown waits for running requests, for at most grace, and then cuts off the others.
func (s *servers) shutdown(grace time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	var errs []error
	for _, server := range s.list {
		err := server.Shutdown(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.Join(fmt.Errorf("requests that took longer than %v were cut off", grace), server.Close())
		}
		errs = append(errs, err)
	}
	if s.live != nil {
		errs = append(errs, s.live.Shutdown(ctx))
	}
	return errors.Join(errs...)
}
