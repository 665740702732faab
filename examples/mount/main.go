// Mount is a web application with its own pages, login and middleware. It adds the v1 API at
// /motion/v1/ for logged-in users (api.go):
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
	"os"
	"path/filepath"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/cmd/motion/setup"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/sqlite"
)

// grace is how long a shutdown may take; half of it is for requests and half for jobs.
const grace = 20 * time.Second

func main() { setup.Main("mount", run) }

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
	setup.ExitAfter(ctx, grace)
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	parts, err := setup.New(ctx, setup.Options{Setting: "balanced", FFmpeg: setup.Auto, Say: func(format string, args ...any) { log.Info(fmt.Sprintf(format, args...)) }})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, parts.Close()) }()
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
	service, err := motion.New(motion.Config{
		Store: store, Blobs: blobs, Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: parts.Estimator, Decoder: parts.Decoder, Encoder: parts.Encoder, Probes: parts.Probes,
		WorkDir: filepath.Join(*data, "work"), DrainTimeout: grace / 2, Logger: log,
	})
	if err != nil {
		return err
	}
	handler, api, err := newHost(service, users, log)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	return serve(ctx, listener, handler, api.Drain, service, grace)
}
