// Server serves the v1 HTTP API:
//
//	go run ./examples/server [-addr 127.0.0.1:8080] [-data DIR] [-db FILE|memory] [-client ID:SECRET]…
//
// The API is at /anymotion/v1/, tokens are at /oauth/v1/accesstokens, /healthz answers
// whether the server takes requests.
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
	"sync/atomic"
	"syscall"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/examples/internal/setup"
	"github.com/bodymotion/motion/httpapi"
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

// clients collects the -client flags: secrets by client id.
type clients map[string]string

func (c clients) String() string { return "" }

func (c clients) Set(v string) error {
	id, secret, ok := strings.Cut(v, ":")
	if !ok || id == "" || secret == "" {
		return errors.New("want ID:SECRET")
	}
	c[id] = secret
	return nil
}

func run(ctx context.Context, args []string) error {
	secrets := clients{}
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on")
	data := flags.String("data", "motion-data", "folder for files")
	db := flags.String("db", "", "SQLite file for records, which belongs to the folder; memory: keep nothing; default: motion.db in the folder")
	setting := flags.String("setting", "balanced", "how people are found: fast, balanced or accurate")
	program := flags.String("ffmpeg", setup.Auto, "ffmpeg to use: installed, wasm (inside this process, a sandbox), or auto")
	base := flags.String("base-url", "", "public address of the API, such as https://example.com/anymotion/v1/; default: as requests say")
	flags.Var(secrets, "client", "client as ID:SECRET; may be given more than once; default: one is made and printed")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp // the flag package has said what is wrong
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	say := func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	if len(secrets) == 0 {
		id, secret := "client-"+rand.Text()[:8], rand.Text()
		secrets[id] = secret
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
	handler, ready, err := routes(service, secrets, *base)
	if err != nil {
		return err
	}

	listener, err := net.Listen("tcp", *addr)
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
	ready.Store(false)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	err = server.Shutdown(grace)
	stopWork()
	return errors.Join(err, <-worked)
}

// routes mounts the API, the token endpoint and the health check.
func routes(service *motion.Service, secrets map[string]string, base string) (http.Handler, *atomic.Bool, error) {
	tokens, err := httpapi.NewCredentials(secrets, 0)
	if err != nil {
		return nil, nil, err
	}
	api, err := httpapi.New(service, httpapi.Options{Authenticator: tokens, BaseURL: base})
	if err != nil {
		return nil, nil, err
	}
	ready := &atomic.Bool{}
	ready.Store(true)
	mux := http.NewServeMux()
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
	mux.Handle("/oauth/v1/accesstokens", tokens)
	mux.Handle("/v1/oauth/accesstokens", tokens)
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) {
		if !ready.Load() {
			http.Error(w, "draining", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return mux, ready, nil
}
