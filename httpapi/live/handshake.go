package live

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/internal/wire"
)

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	var p wire.Problem
	if err := h.open(w, r); errors.As(err, &p) {
		p.Instance = wire.Address(r)
		wire.Write(w, p)
	}
}

// open opens a connection and serves it, or returns a problem.
func (h *Handler) open(w http.ResponseWriter, r *http.Request) error {
	plain := func() error {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		return wire.Refuse(http.StatusUpgradeRequired, "Live pictures need a WebSocket with the subprotocol %s.", Protocol)
	}
	upgrade := strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
	offered := strings.Split(strings.Join(r.Header.Values("Sec-WebSocket-Protocol"), ","), ",")
	for i, name := range offered {
		offered[i] = strings.TrimSpace(name)
	}
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", "GET")
	}
	switch {
	case r.Method == http.MethodOptions: // a page asks whether the service has live pictures
		w.WriteHeader(http.StatusNoContent)
		return nil
	case r.Method != http.MethodGet:
		return wire.Refuse(http.StatusMethodNotAllowed, "The method %s is not allowed here; allowed are %s.", r.Method, http.MethodGet)
	case !upgrade && r.Header.Get("Authorization") == "":
		return plain()
	case upgrade && !slices.Contains(offered, Protocol):
		return wire.Refuse(http.StatusBadRequest, "The header Sec-WebSocket-Protocol has to offer %s.", Protocol)
	}
	who := identified(r, offered)
	id, err := h.identify(who)
	if p, ok := wire.Unauthorized(w.Header(), who, err); ok {
		return p
	}
	if err != nil {
		h.log("authentication failed", err)
		if errors.Is(err, motion.ErrUnavailable) {
			return wire.Later(http.StatusServiceUnavailable, "The service is overloaded or unavailable; try again later.")
		}
		return wire.Refuse(http.StatusInternalServerError, "There is a problem on the service.")
	}
	if !h.enter() {
		return wire.Later(http.StatusServiceUnavailable, "The service is shutting down and accepts no new work; try again later.")
	}
	defer h.leave()
	leaveClient, ok := h.clients.Enter(id.Client)
	if !ok {
		return wire.Later(http.StatusTooManyRequests, "The client has %d live connections; no more are allowed. Try again when one has ended.", h.opt.ClientSessions)
	}
	defer leaveClient()
	leaveAll, ok := h.all.Enter("")
	if !ok {
		return wire.Later(http.StatusServiceUnavailable, "The service has no free live connection; try again later.")
	}
	defer leaveAll()
	if !upgrade { // a browser does not tell its page why it gets no WebSocket: the page asks so
		return plain()
	}
	if !hijackable(w) {
		h.log("opening a WebSocket", errors.New("a handler around this one hides http.Hijacker"))
		return wire.Refuse(http.StatusInternalServerError, "There is a problem on the service.")
	}
	if origin := r.Header.Get("Origin"); !h.secure(r, origin) {
		return wire.Refuse(http.StatusForbidden, "The WebSocket cannot be opened: the page %s came without TLS.", origin)
	}
	answer := &handshake{ResponseWriter: w}
	conn, err := websocket.Accept(answer, r, &websocket.AcceptOptions{Subprotocols: []string{Protocol}, OriginPatterns: h.opt.Origins})
	if err != nil {
		if answer.refused == 0 {
			return nil
		}
		return wire.Problem{Status: answer.refused, Detail: "The WebSocket cannot be opened: " + strings.TrimPrefix(err.Error(), "failed to accept WebSocket connection: ") + "."}
	}
	defer conn.CloseNow()
	h.serve(conn, answer.conn, id.Client, who)
	return nil
}

// secure reports whether a page of the request's host has the scheme that it must have. websocket.Accept looks at the host alone.
func (h *Handler) secure(r *http.Request, origin string) bool {
	scheme, host, ok := strings.Cut(origin, "://")
	if !ok || !strings.EqualFold(host, r.Host) || strings.EqualFold(scheme, "https") {
		return true
	}
	return r.TLS == nil && !slices.ContainsFunc(h.opt.Origins, func(o string) bool { return strings.EqualFold(o, "https://"+host) })
}

// identify returns who has sent a request.
func (h *Handler) identify(r *http.Request) (httpapi.Identity, error) {
	id, err := h.opt.Authenticator(r)
	if err == nil && id.Client == "" {
		err = errors.New("the authenticator returned no client")
	}
	return id, err
}

// hijackable reports whether a WebSocket can be opened. Handlers around this one may wrap the ResponseWriter.
func hijackable(w http.ResponseWriter) bool {
	for {
		if _, ok := w.(http.Hijacker); ok {
			return true
		}
		wrapper, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return false
		}
		w = wrapper.Unwrap()
	}
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

// identified returns the request for the Authenticator, with the token in the header Authorization and nowhere else.
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
