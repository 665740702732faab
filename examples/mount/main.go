// Mount is a web application with its own pages, login and middleware. It adds the v1 API at
// /motion/v1/ (api.go), and its page at /motion/ (page.go), for logged-in users:
//
//	go run ./examples/mount [-addr 127.0.0.1:8081] [-data DIR] -user NAME:PASSWORD…
//
// The program in the folder points uses only the pure packages, on keypoints of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/sqlite"
)

// grace is how long a shutdown may take; half of it is for requests and half for jobs.
const grace = 20 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "mount:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (err error) {
	users := newSessions()
	flags := flag.NewFlagSet("mount", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8081", "address to listen on")
	data := flags.String("data", "mount-data", "folder for files and records")
	flags.Var(users, "user", "user as NAME:PASSWORD; required; may be given more than once")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp // the flag package has printed the error
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: -help lists the flags", flags.Arg(0))
	}
	if len(users.passwords) == 0 {
		return errors.New("nobody could log in: give at least one -user NAME:PASSWORD")
	}
	estimator, err := pose.Balanced(pose.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, estimator.Close()) }()
	blobs, err := file.Open(filepath.Join(*data, "blobs"), file.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	store, err := sqlite.Open(filepath.Join(*data, "motion.db"), sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	service, err := motion.New(motion.Config{
		Store: store, Blobs: blobs, Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: estimator, Decoder: ffmpeg.Decoder{}, Encoder: mp4.Encoder{},
		WorkDir: filepath.Join(*data, "work"), DrainTimeout: grace / 2, Logger: log,
	})
	if err != nil {
		return err
	}
	handler, drain, err := newHost(service, estimator, users, log)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	return serve(ctx, listener, handler, drain, service)
}

// serve serves and works until ctx ends. Then it waits for requests before it stops the jobs, because
// requests may wait for jobs.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, drain func(), service *motion.Service) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	served, worked := make(chan error, 1), make(chan error, 1)
	working, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	go func() { served <- server.Serve(listener) }()
	go func() { worked <- service.Run(working) }()
	fmt.Printf("listening on http://%s\n", listener.Addr())
	select {
	case <-ctx.Done():
	case err := <-served:
		stopWork()
		return errors.Join(err, <-worked)
	case err := <-worked:
		return errors.Join(err, server.Close())
	}
	drain()
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace/2)
	defer cancel()
	err := server.Shutdown(draining)
	if err != nil {
		err = errors.Join(err, server.Close())
	}
	stopWork()
	return errors.Join(err, <-worked)
}
