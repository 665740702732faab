package live

import (
	"bufio"
	"errors"
	"fmt"
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
	refuse := func(p wire.Problem) {
		p.Instance = wire.Address(r)
		wire.Write(w, p)
	}
	later := func(p wire.Problem) {
		w.Header().Set("Retry-After", "5")
		refuse(p)
	}
	plain := func() {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		refuse(wire.Problem{Status: http.StatusUpgradeRequired, Detail: "Live pictures need a WebSocket with the subprotocol " + Protocol + "."})
	}
	upgrade, offered := strings.EqualFold(r.Header.Get("Upgrade"), "websocket"), protocols(r.Header)
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", "GET")
	}
	switch {
	case r.Method == http.MethodOptions: // a page asks whether the service has live pictures
		w.WriteHeader(http.StatusNoContent)
		return
	case r.Method != http.MethodGet:
		refuse(wire.Problem{Status: http.StatusMethodNotAllowed, Detail: "The method " + r.Method + " is not allowed here; allowed are " + http.MethodGet + "."})
		return
	case !upgrade && r.Header.Get("Authorization") == "":
		plain()
		return
	case upgrade && !slices.Contains(offered, Protocol):
		refuse(wire.Problem{Status: http.StatusBadRequest, Detail: "The header Sec-WebSocket-Protocol has to offer " + Protocol + "."})
		return
	}
	who := identified(r, offered)
	id, err := h.identify(who)
	if p, ok := wire.Unauthorized(w.Header(), who, err); ok {
		refuse(p)
		return
	}
	switch {
	case errors.Is(err, motion.ErrUnavailable):
		h.log("authentication failed", err)
		later(wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The service is overloaded or unavailable; try again later."})
		return
	case err != nil:
		h.log("authentication failed", err)
		refuse(wire.Problem{Status: http.StatusInternalServerError, Detail: "There is a problem on the service."})
		return
	}
	if !h.enter() {
		later(wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The service is shutting down and accepts no new work; try again later."})
		return
	}
	defer h.leave()
	leaveClient, ok := h.clients.Enter(id.Client)
	if !ok {
		later(wire.Problem{Status: http.StatusTooManyRequests, Detail: fmt.Sprintf("The client has %d live connections; no more are allowed. Try again when one has ended.", h.opt.ClientSessions)})
		return
	}
	defer leaveClient()
	leaveAll, ok := h.all.Enter("")
	if !ok {
		later(wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The service has no free live connection; try again later."})
		return
	}
	defer leaveAll()
	if !upgrade { // a browser does not tell its page why it gets no WebSocket: the page asks so
		plain()
		return
	}
	if !hijackable(w) {
		h.log("opening a WebSocket", errors.New("a handler around this one hides http.Hijacker"))
		refuse(wire.Problem{Status: http.StatusInternalServerError, Detail: "There is a problem on the service."})
		return
	}
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

// identify returns who has sent a request.
func (h *Handler) identify(r *http.Request) (httpapi.Identity, error) {
	id, err := h.opt.Authenticator.Authenticate(r)
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
