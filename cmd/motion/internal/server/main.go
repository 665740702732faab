// Package server is the command that serves the v1 HTTP API with its page and works on its jobs.
package server

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
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/cmd/motion/internal/stores"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/storage"
)

// execute runs a process with the settings until ctx ends.
func execute(ctx context.Context, s *settings) error {
	setup.ExitAfter(ctx, s.grace)
	err := s.run(ctx)
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // interrupted before it began
	}
	return err
}

// say tells who runs the process something.
func (s *settings) say(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); s.json {
		slog.New(s.logs()).Info(text)
	} else {
		fmt.Fprintln(os.Stderr, text)
	}
}

// logs returns where the log goes.
func (s *settings) logs() slog.Handler {
	if s.json {
		return slog.NewJSONHandler(os.Stderr, nil)
	}
	return slog.NewTextHandler(os.Stderr, nil)
}

// run opens the storage, and serves and works until ctx ends.
func (s *settings) run(ctx context.Context) (err error) {
	log := slog.New(s.logs())
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
		Setting: s.setting, FFmpeg: s.program, Blind: !s.works(), Live: s.serves(), TempDir: s.Work(), Say: s.say,
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
		return fmt.Errorf("--addr: %w", err)
	}
	defer listener.Close() // unless Serve has
	servers := &servers{ended: make(chan error, 3)}
	handler := checks.handler()
	drain := func() {}
	if s.serves() {
		key := s.pageKey(listener.Addr())
		s.say("%s", s.access(listener.Addr(), key))
		served, err := routes(service, s, checks, parts.Live, key)
		if err != nil {
			return err
		}
		handler, drain, servers.live = served.Handler, served.drain, served.live
	}
	if s.ops != "" {
		ops, err := net.Listen("tcp", s.ops)
		if err != nil {
			return fmt.Errorf("--ops: %w", err)
		}
		s.say("metrics: http://%s/metrics", ops.Addr())
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
	listens := "listening on http://%s\n"
	if s.json {
		listens = `{"listening":"http://%s"}` + "\n"
	}
	fmt.Printf(listens, listener.Addr())

	select {
	case <-ctx.Done():
	case err := <-servers.ended:
		return err
	case err := <-worked:
		return err
	}
	s.say("draining")
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
