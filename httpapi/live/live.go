// Package live serves pictures that come one at a time over a WebSocket, as from the camera of a phone's
// browser, and answers each with the keypoints, the values of analysis rules and the repetitions so far:
//
//	handler, err := live.New(est, live.Options{Authenticator: tokens})
//	if err != nil {
//		log.Fatal(err)
//	}
//	mux.Handle("/anymotion/v1/live/", handler)
//
// It stands beside the handler of package httpapi, for the same clients and tokens, and is a package of its
// own so that hosts without it build no WebSockets. docs/live.md describes the messages. Nothing is stored.
//
// When pictures come faster than they can be looked at, the newest one wins, and the answer tells how many
// were dropped. Few pictures are looked at at a time; the clients take turns.
package live

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/fair"
)

// Protocol is the WebSocket subprotocol that clients offer. Browsers, which cannot set the header
// Authorization, offer "bearer." with the access token beside it.
const Protocol = "motion.live.v1"

const bearer = "bearer."

// Options configures a Handler. Authenticator is required. All other fields are optional: zero selects
// the default.
type Options struct {
	// Authenticator identifies the client of a connection, and again every 15 s. It gets the token in the
	// header Authorization.
	Authenticator httpapi.Authenticator
	// Origins are the hosts whose pages may connect, besides that of the request: patterns of path.Match for
	// "host" or "scheme://host".
	Origins []string

	// Sessions and ClientSessions are the number of connections at the same time, in all and of a client;
	// the defaults are 16 and 4.
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

// New returns a handler that looks at pictures with est: see pose.Fast. Its errors name the missing or invalid
// argument.
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
	if opt.Logger == nil {
		opt.Logger = slog.Default()
	}
	h := &Handler{
		est: est, opt: opt, all: wire.NewWaiters(opt.Sessions, 0), clients: wire.NewWaiters(opt.ClientSessions, 0),
		// An Estimator of package pose takes half the cores, at most 4.
		places: fair.New(max(2, runtime.GOMAXPROCS(0)/4)),
	}
	h.drain, h.begin = context.WithCancel(context.Background())
	h.ended = make(chan struct{})
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
	default:
	}
	select {
	case <-h.ended:
		return nil
	case <-ctx.Done():
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

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	refuse := func(p wire.Problem) {
		p.Instance = wire.Address(r)
		wire.Write(w, p)
	}
	offered := protocols(r.Header)
	switch {
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", "GET")
		refuse(wire.Problem{Status: http.StatusMethodNotAllowed, Detail: "The method " + r.Method + " is not allowed here; allowed are " + http.MethodGet + "."})
		return
	case !strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		refuse(wire.Problem{Status: http.StatusUpgradeRequired, Detail: "Live pictures need a WebSocket with the subprotocol " + Protocol + "."})
		return
	case !slices.Contains(offered, Protocol):
		refuse(wire.Problem{Status: http.StatusBadRequest, Detail: "The header Sec-WebSocket-Protocol has to offer " + Protocol + "."})
		return
	}
	who := identified(r, offered)
	id, err := h.opt.Authenticator.Authenticate(who)
	if err == nil && id.Client == "" {
		err = errors.New("the authenticator returned no client")
	}
	if err != nil {
		p, ok := wire.Unauthorized(w.Header(), who, err)
		switch {
		case ok:
		case errors.Is(err, motion.ErrUnavailable):
			w.Header().Set("Retry-After", "5")
			p = wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The service is overloaded or unavailable; try again later."}
		default:
			p = wire.Problem{Status: http.StatusInternalServerError, Detail: "There is a problem on the service."}
		}
		if !ok {
			h.log("authentication failed", err)
		}
		refuse(p)
		return
	}
	if !h.enter() {
		w.Header().Set("Retry-After", "5")
		refuse(wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The service is shutting down and accepts no new work; try again later."})
		return
	}
	defer h.leave()
	leaveClient, ok := h.clients.Enter(id.Client)
	if !ok {
		w.Header().Set("Retry-After", "5")
		refuse(wire.Problem{Status: http.StatusTooManyRequests, Detail: fmt.Sprintf("The client has %d live connections; no more are allowed. Try again when one has ended.", h.opt.ClientSessions)})
		return
	}
	defer leaveClient()
	leaveAll, ok := h.all.Enter("")
	if !ok {
		w.Header().Set("Retry-After", "5")
		refuse(wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The service has no free live connection; try again later."})
		return
	}
	defer leaveAll()
	answer := &handshake{ResponseWriter: w}
	conn, err := websocket.Accept(answer, r, &websocket.AcceptOptions{Subprotocols: []string{Protocol}, OriginPatterns: h.opt.Origins})
	if err != nil {
		if answer.refused != 0 {
			refuse(wire.Problem{Status: answer.refused, Detail: "The WebSocket cannot be opened: " + strings.TrimPrefix(err.Error(), "failed to accept WebSocket connection: ") + "."})
		}
		return
	}
	defer conn.CloseNow()
	h.serve(conn, answer.conn, id.Client, who)
}

// handshake holds back the text that websocket.Accept answers with an error.
type handshake struct {
	http.ResponseWriter
	conn    net.Conn
	refused int // the status; 0: none
}

// Hijack implements http.Hijacker.
func (h *handshake) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(h.ResponseWriter).Hijack()
	h.conn = conn
	return conn, buffered, err
}

// WriteHeader implements http.ResponseWriter.
func (h *handshake) WriteHeader(status int) {
	if h.refused == 0 && status >= 400 {
		h.refused = status
		return
	}
	h.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (h *handshake) Write(p []byte) (int, error) {
	if h.refused != 0 {
		return len(p), nil
	}
	return h.ResponseWriter.Write(p)
}

// protocols returns the subprotocols that a client offers.
func protocols(h http.Header) (list []string) {
	for _, line := range h.Values("Sec-WebSocket-Protocol") {
		for name := range strings.SplitSeq(line, ",") {
			list = append(list, strings.TrimSpace(name))
		}
	}
	return list
}

// identified returns the request for the Authenticator, with the token in the header Authorization and
// nowhere else.
func identified(r *http.Request, offered []string) *http.Request {
	who := r.Clone(r.Context())
	who.Header.Set("Sec-WebSocket-Protocol", Protocol)
	for _, name := range offered {
		if token, ok := strings.CutPrefix(name, bearer); ok && who.Header.Get("Authorization") == "" {
			who.Header.Set("Authorization", "Bearer "+token)
		}
	}
	return who
}

func (h *Handler) log(message string, err error) {
	h.opt.Logger.Error("live: "+message, "error", err)
}

// recovered turns a panic into an error.
func (h *Handler) recovered(err *error) {
	if p := recover(); p != nil {
		h.opt.Logger.Error("live: panic", "panic", p, "stack", string(debug.Stack()))
		*err = errInternal
	}
}

// The times of a connection.
const (
	idle         = 30 * time.Second // in which something must be received
	recheck      = 15 * time.Second // between two looks at the token
	writeTimeout = 10 * time.Second // of a message
	closeTimeout = 5 * time.Second  // of saying why the connection ends
)
