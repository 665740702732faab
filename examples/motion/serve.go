package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/examples/internal/setup"
	"github.com/bodymotion/motion/examples/internal/stores"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/httpapi/viewer"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint/clean"
)

// grace is how long a shutdown may take.
const grace = 20 * time.Second

// local is the only client of the server: the user of this machine.
const local = "local"

func serveCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "serve", Short: "Show the page for people, on this machine only", Args: cobra.NoArgs,
		Long: `Serve the page on which people upload, look at and compare recordings, and the HTTP API for the page.
Recordings and results are kept in the folder of --data. Everybody who uses this machine sees them,
nobody on the network. For a network, logins and several machines see examples/server.`,
		Example: `  motion serve
  motion serve --addr 127.0.0.1:9000 --setting accurate --data my-data`,
	}
	f := c.Flags()
	addr := f.String("addr", "127.0.0.1:8080", "address to listen on, of this machine only")
	data := f.String("data", "motion-data", "folder for recordings and results")
	setting := f.String("setting", "balanced", "how people are found: fast, balanced, or accurate for movies")
	program := ""
	programFlag(c, &program)
	complete(c, "setting", settings...)
	c.MarkFlagDirname("data")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if !viewer.Loopback(*addr) {
			return wrong("addr", *addr, "a loopback address such as 127.0.0.1:8080; for a network there is examples/server")
		}
		if !slices.Contains(settings, *setting) {
			return wrong("setting", *setting, settings...)
		}
		if !slices.Contains(programs, program) {
			return wrong("ffmpeg", program, programs...)
		}
		return serve(c.Context(), *addr, *data, setup.Options{Setting: *setting, FFmpeg: program}, c.ErrOrStderr())
	}
	return c
}

// serve serves the page until ctx ends.
func serve(ctx context.Context, addr, data string, opt setup.Options, stderr io.Writer) (err error) {
	setup.ExitAfter(ctx, grace)
	opt.Say = func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }
	log := slog.New(slog.NewTextHandler(stderr, nil))
	places := stores.Places{Data: data}
	kept, err := stores.Open(ctx, places, log)
	if err != nil {
		return fmt.Errorf("-%w", err)
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	opt.TempDir, opt.Live = places.Work(), true
	parts, err := setup.New(ctx, opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, parts.Close()) }()
	service, err := motion.New(motion.Config{
		Store: kept.Records, Blobs: kept.Blobs, Queue: kept.Queue,
		Estimator: parts.Estimator, Decoder: parts.Decoder, Encoder: parts.Encoder, Probes: parts.Probes,
		Clean: clean.Default(), WorkDir: opt.TempDir, DrainTimeout: grace / 2, Logger: log,
	})
	if err != nil {
		return err
	}
	handler, api, pictures, err := page(service, parts.Live)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace/2)
		defer cancel()
		err = errors.Join(err, pictures.Shutdown(ctx))
	}()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	opt.Say("access: everybody on this machine, without a secret, to all recordings; put no proxy in front of this server")
	drain := func() {
		api.Drain()
		pictures.Drain()
	}
	return setup.Serve(ctx, listener, handler, drain, service, grace)
}

// page returns the page, and what it uses: the API, and live pictures, which est looks at.
func page(service *motion.Service, est inference.Estimator) (http.Handler, *httpapi.Handler, *live.Handler, error) {
	secret := rand.Text()
	tokens, err := httpapi.NewCredentials(map[string]string{local: secret}, 0)
	if err != nil {
		return nil, nil, nil, err
	}
	api, err := httpapi.New(service, httpapi.Options{Authenticator: tokens.Authenticate, OriginalMedia: true})
	if err != nil {
		return nil, nil, nil, err
	}
	pictures, err := live.New(est, live.Options{Authenticator: tokens.Authenticate})
	if err != nil {
		return nil, nil, nil, err
	}
	files, err := viewer.New(viewer.Options{Login: viewer.LocalToken(tokens, local, secret)})
	if err != nil {
		return nil, nil, nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
	mux.Handle("/anymotion/v1/live/", pictures)
	mux.Handle("/", files)
	return mux, api, pictures, nil
}
