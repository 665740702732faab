// Package live serves pictures that come one at a time over a WebSocket, as from the camera of a phone's
// browser, and answers each with the keypoints, the values of analysis rules and the repetitions so far, graded by an exercise:
//
//	handler, err := live.New(est, live.Options{Authenticator: tokens.Authenticate})
//	if err != nil {
//		log.Fatal(err)
//	}
//	mux.Handle("/anymotion/v1/live/", handler)
//
// It stands beside the handler of package httpapi, for the same clients and tokens, and is a package of its
// own so that hosts without it build no WebSockets. docs/use/live.md describes the messages. Nothing is stored.
//
// When pictures come faster than they can be looked at, the newest one wins, and the answer tells how many
// were dropped. Few pictures are looked at at a time; the clients take turns.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"runtime"
	"sync"
	"time"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/fair"
	"github.com/bodymotion/motion/internal/panics"
)

// Protocol is the WebSocket subprotocol that clients offer. Browsers, which cannot set the header
// Authorization, offer "bearer." with the access token beside it.
const Protocol = "motion.live.v1"

const bearer = "bearer."

// Options configures a Handler. Authenticator is required. All other fields are optional: zero selects the default.
type Options struct {
	// Authenticator identifies the client of a connection, and again every 15 s. It gets the token in the header Authorization.
	Authenticator httpapi.Authenticator
	// Origins are the hosts whose pages may connect, besides that of the request: patterns of path.Match for
	// "host" or "scheme://host". A page of the request's host must have come by https if the request did. Behind a
	// proxy that ends TLS, name your own "https://host" here: then this host's pages need that scheme.
	Origins []string

	// Sessions and ClientSessions are the number of connections at the same time, in all and of a client; the defaults are 16 and 4.
	Sessions, ClientSessions int
	// MaxPictureBytes is the largest picture in bytes; the default is 2 MiB.
	MaxPictureBytes int
	// MaxPixels is the largest width × height of a picture; the default is 1920 × 1080.
	MaxPixels int

	// Logger receives internal errors; the default is slog.Default().
	Logger *slog.Logger
}

// Handler serves live pictures, at any path. It is safe for concurrent use.
type Handler struct {
	est     inference.Estimator
	opt     Options
	drain   context.Context
	begin   context.CancelFunc // of drain
	all     *wire.Waiters      // of everybody together
	clients *wire.Waiters
	places  *fair.Places // where pictures are looked at

	mu      sync.Mutex
	running int           // connections
	ended   chan struct{} // closed when none is left after Drain
}

// New returns a handler that looks at pictures with est: see pose.Fast. Its errors name the missing or invalid argument.
func New(est inference.Estimator, opt Options) (*Handler, error) {
	switch {
	case est == nil:
		return nil, errors.New("live: the estimator is missing")
	case opt.Authenticator == nil:
		return nil, errors.New("live: Options.Authenticator is missing: use that of httpapi.Options")
	}
	for i, origin := range opt.Origins {
		if _, err := path.Match(origin, ""); err != nil {
			return nil, fmt.Errorf("live: Options.Origins[%d] is %q: %w", i, origin, err)
		}
	}
	for _, o := range []struct {
		name      string
		value     *int
		byDefault int
	}{
		{"Sessions", &opt.Sessions, 16}, {"ClientSessions", &opt.ClientSessions, 4},
		{"MaxPictureBytes", &opt.MaxPictureBytes, 2 << 20}, {"MaxPixels", &opt.MaxPixels, 1920 * 1080},
	} {
		if *o.value < 0 {
			return nil, fmt.Errorf("live: Options.%s is %d, want 1 or more, or 0 for %d", o.name, *o.value, o.byDefault)
		}
		if *o.value == 0 {
			*o.value = o.byDefault
		}
	}
	opt.Logger = cmp.Or(opt.Logger, slog.Default())
	h := &Handler{
		est: est, opt: opt, all: wire.NewWaiters(opt.Sessions), clients: wire.NewWaiters(opt.ClientSessions),
		// An Estimator of package pose takes half the cores, at most 4.
		places: fair.New(max(2, runtime.GOMAXPROCS(0)/4)), ended: make(chan struct{}),
	}
	h.drain, h.begin = context.WithCancel(context.Background())
	return h, nil
}

// Drain ends all connections, with the code 1001, and refuses new ones with 503 and Retry-After. It returns
// at once and may be called more than once.
func (h *Handler) Drain() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.drain.Err() != nil {
		return
	}
	if h.begin(); h.running == 0 {
		close(h.ended)
	}
}

// Shutdown calls Drain and waits for the connections to end, which takes a moment, and up to 15 s if a client
// does not read. If ctx ends, it returns ctx's error. http.Server.Shutdown does not wait for WebSockets.
func (h *Handler) Shutdown(ctx context.Context) error {
	h.Drain()
	select {
	case <-h.ended:
		return nil
	case <-ctx.Done():
	}
	select {
	case <-h.ended:
		return nil
	default:
		return ctx.Err()
	}
}

// enter begins a connection, unless the handler drains.
func (h *Handler) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.drain.Err() != nil {
		return false
	}
	h.running++
	return true
}

// leave ends one.
func (h *Handler) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.running--; h.running == 0 && h.drain.Err() != nil {
		close(h.ended)
	}
}

func (h *Handler) log(message string, err error) {
	h.opt.Logger.Error("live: "+message, "error", err, panics.Stack(err))
}

// The times of a connection.
const (
	idle         = 30 * time.Second // in which something must be received
	recheck      = 15 * time.Second // between two looks at the token
	writeTimeout = 10 * time.Second // of a message
	closeTimeout = 5 * time.Second  // of saying why the connection ends
)
