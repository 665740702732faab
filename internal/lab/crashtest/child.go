package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/lab/internal/child"
	"github.com/bodymotion/motion/storage/storagetest"
)

// orders are the settings of a child process.
type orders struct {
	Role  motion.Role
	Place place
	Addr  string // where it serves; "" if it only works
	Work  string // folder of its own

	Skew time.Duration // of its clock
}

const (
	clientID, clientSecret = "crash", "very-secret"

	attempts    = 3 // of a job before its record fails
	lease       = 2 * time.Second
	grace       = 5 * time.Second
	upkeepEvery = time.Second
	cost        = 60 * time.Millisecond // of an estimate
)

// obey serves or works until it gets SIGTERM, or is killed.
func (o orders) obey() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil)).With("pid", os.Getpid())
	setSkew(o.Skew)
	var at seams
	faults := &storagetest.Faults{Choose: at.choose}
	kept, err := o.Place.open(ctx, log)
	if ctx.Err() != nil {
		return nil // interrupted before it began
	}
	if err != nil {
		return err
	}
	defer kept.close()
	cfg := motion.Config{
		Role: o.Role, Store: faults.Store(kept.store), Blobs: faults.Blobs(kept.blobs), Queue: faults.Queue(kept.queue()),
		Estimator: stub{cost}, Decoder: ffmpeg.Decoder{}, Encoder: mp4.Encoder{Preset: "ultrafast"},
		Workers: 2, MaxAttempts: attempts, WorkDir: o.Work, DrainTimeout: grace, Logger: log,
		UpkeepEvery: upkeepEvery, OrphanAge: time.Nanosecond, // which finishes what dead processes have begun
	}
	service, err := motion.New(cfg)
	if err != nil {
		return err
	}
	go at.listen(os.Stdin)
	serving := func() error { return nil }
	ended := make(chan error, 2)
	if o.Role != motion.WorkOnly {
		if serving, err = serve(service, o.Addr, log, ended); err != nil {
			return err
		}
	}
	workCtx, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	worked := make(chan error, 1)
	if o.Role == motion.ServeOnly {
		worked <- nil
	} else {
		go func() {
			err := service.Run(workCtx)
			worked <- err
			if err != nil {
				ended <- err
			}
		}()
	}
	if err := child.Tell("ready"); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
	case err := <-ended:
		return err
	}
	err = serving()
	stopWork()
	return errors.Join(err, <-worked)
}

var linkKeys = [][]byte{[]byte("the same in all processes")}

// serve serves the API until drain is called.
func serve(service *motion.Service, addr string, log *slog.Logger, ended chan<- error) (drain func() error, err error) {
	tokens, err := httpapi.NewCredentials(map[string]string{clientID: clientSecret}, 0)
	if err != nil {
		return nil, err
	}
	api, err := httpapi.New(service, httpapi.Options{Authenticator: tokens.Authenticate, LinkKeys: linkKeys, OriginalMedia: true, Logger: log})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/v1/", http.StripPrefix("/v1", api))
	mux.Handle("/oauth/v1/accesstokens", tokens)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	go func() { ended <- server.Serve(listener) }()
	return func() error {
		api.Drain()
		ctx, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		return server.Shutdown(ctx)
	}, nil
}
