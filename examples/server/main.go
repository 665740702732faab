// Server serves the v1 HTTP API:
//
//	go run ./examples/server [-addr 127.0.0.1:8080] [-data DIR] [-db FILE|memory] [-client ID:SECRET]…
//
// A page to use it with is at /, the API at /anymotion/v1/, tokens are at
// /oauth/v1/accesstokens, /healthz answers whether the server takes requests.
//
// Where the server listens on a loopback address, the page gets a token of the first
// -client by itself: whoever can open the page on this machine sees that client's records.
// With -login it asks for a client's id and secret, as it does everywhere else. Behind a
// proxy give -base-url, which does the same: the proxy makes strangers look local.
//
// Media and drawings are kept in DIR, records in the SQLite file FILE, by default
// motion.db in DIR. Both survive a crash: a server that is started again with the same
// folder and file goes on with the jobs that were not done. The records belong to the
// client's ID, so give it with -client to see them again. With -db memory, records and
// files end with the process. One server at a time may use a folder.
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
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/examples/internal/setup"
	"github.com/bodymotion/motion/examples/server/viewer"
	"github.com/bodymotion/motion/storage/memory"
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

// clients collects the -client flags.
type clients struct {
	secrets map[string]string // by client id
	first   string            // the id of the one that was given first
}

func (c *clients) String() string { return "" }

func (c *clients) Set(v string) error {
	id, secret, ok := strings.Cut(v, ":")
	if !ok || id == "" || secret == "" {
		return errors.New("want ID:SECRET")
	}
	if c.first == "" {
		c.first = id
	}
	c.secrets[id] = secret
	return nil
}

func run(ctx context.Context, args []string) error {
	known := &clients{secrets: map[string]string{}}
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on")
	data := flags.String("data", "motion-data", "folder for files")
	db := flags.String("db", "", "SQLite file for records, which belongs to the folder; memory: keep nothing; default: motion.db in the folder")
	setting := flags.String("setting", "balanced", "how people are found: fast, balanced or accurate")
	program := flags.String("ffmpeg", setup.Auto, "ffmpeg to use: installed, wasm (inside this process, a sandbox), or auto")
	base := flags.String("base-url", "", "public address of the API, such as https://example.com/anymotion/v1/; default: as requests say")
	login := flags.Bool("login", false, "let the page ask for a client's id and secret even on a loopback address")
	flags.Var(known, "client", "client as ID:SECRET; may be given more than once; default: one is made and printed")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp // the flag package has said what is wrong
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: -help lists the flags", flags.Arg(0))
	}
	say := func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	if known.first == "" {
		id, secret := "client-"+rand.Text()[:8], rand.Text()
		known.first, known.secrets[id] = id, secret
		say("no -client given, made one: id %s, secret %s", id, secret)
	}
	parts, err := setup.New(ctx, setup.Options{Setting: *setting, FFmpeg: *program, Say: say})
	if err != nil {
		return err
	}
	defer parts.Close()
	kept, err := openStorage(ctx, *data, *db)
	if err != nil {
		return err
	}
	defer kept.Close()
	service, err := motion.New(motion.Config{
		Store: kept.records, Blobs: kept.blobs, Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: parts.Estimator, Decoder: parts.Decoder, Encoder: parts.Encoder,
		WorkDir: filepath.Join(*data, "work"), Logger: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	defer listener.Close() // where Serve does not
	trusting := !*login && *base == "" && viewer.Loopback(listener.Addr().String())
	handler, api, err := routes(service, known, *base, trusting)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	// Jobs end after the last request, so that nobody waits in vain.
	workCtx, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	worked := make(chan error, 1)
	go func() { worked <- service.Run(workCtx) }()
	fmt.Printf("listening on http://%s\n", listener.Addr())

	select {
	case <-ctx.Done():
	case err := <-served:
		return err
	case err := <-worked:
		return err
	}
	say("draining")
	api.Drain()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	err = server.Shutdown(grace)
	stopWork()
	return errors.Join(err, <-worked)
}
