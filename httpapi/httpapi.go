// Package httpapi serves the v1 HTTP API of a motion.Service. New returns an http.Handler that a host mounts under any path of any mux:
//
//	tokens, err := httpapi.NewCredentials(map[string]string{"app": secret}, 0)
//	if err != nil {
//		log.Fatal(err)
//	}
//	api, err := httpapi.New(service, httpapi.Options{Authenticator: tokens.Authenticate, Tokens: tokens})
//	if err != nil {
//		log.Fatal(err)
//	}
//	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
//	mux.Handle("/oauth/v1/accesstokens", tokens)
//
// Error responses have the type application/problem+json (RFC 9457). The handler serves its OpenAPI document at
// openapi.json and a page made from it at docs/. THREATS.md describes the threats it withstands.
//
// Pages of other origins need CORS headers, which are the host's affair: a handler around this one adds them,
// and answers OPTIONS (see the example of New):
//
//	w.Header().Set("Access-Control-Allow-Origin", "https://app.example.com")
//	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
//	w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Content-MD5, Idempotency-Key, If-None-Match")
//
// Subpackages provide an Authenticator for tokens of external issuers (jwtauth), webhooks
// (webhook) and OpenTelemetry metrics (otelmetrics).
package httpapi

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/fair"
)

// Handler serves the API. It is safe for concurrent use.
type Handler struct {
	server
	routes *routes
	begin  context.CancelFunc // of drain
}

// New returns a handler of a service. Its errors name the missing or invalid field of Options.
func New(service *motion.Service, opt Options) (*Handler, error) {
	base, err := opt.complete()
	if err != nil {
		return nil, err
	}
	h := &Handler{routes: newRoutes(opt), server: server{
		service: service, opt: opt, base: base, buckets: newBuckets(opt.Limits.RateLimit, opt.Limits.RateBurst), uses: uses{count: map[string]int{}},
		waiters: wire.NewWaiters(opt.Limits.Waiting), streams: wire.NewWaiters(max(opt.Limits.Waiting/10, 1)),
	}}
	few := max(2, runtime.GOMAXPROCS(0)/4)
	h.reads, h.reports = fair.New(few), fair.New(few)
	h.bodies, h.documents, h.lists = fair.Shared(2, 1), fair.New(1), fair.Shared(few, few/2)
	h.drain, h.begin = context.WithCancel(context.Background())
	if opt.Limits.Uploads >= 0 {
		h.uploads = wire.NewWaiters(opt.Limits.Uploads)
	}
	return h, nil
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{
		server: &h.server, w: &response{ResponseWriter: w, idle: h.opt.Limits.IdleTimeout}, r: r, query: r.URL.Query(),
		id: r.Header.Get("X-Request-Id"), trace: traceID(r),
	}
	if !validID.MatchString(c.id) {
		c.id = rand.Text()
	}
	defer observe(c, time.Now())
	defer c.pass()
	w.Header().Set("X-Request-Id", c.id)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			c.log(slog.LevelError, "panic while serving", "panic", p, "stack", string(debug.Stack()))
			if c.w.begun {
				panic(http.ErrAbortHandler) // so that the client notices the truncated response
			}
			c.fail(wire.Refuse(http.StatusInternalServerError, "There is a problem on the service."))
		}
	}()
	if err := h.routes.serve(c); err != nil {
		c.fail(err)
	}
}

// Drain makes the handler refuse new records and uploads with 503 and Retry-After. Reading and downloads go on, so that clients
// still get their results. Requests that wait for a result are answered at once, and event streams end. Call it before
// http.Server.Shutdown, which waits for those requests. It may be called more than once, and cannot be undone.
func (h *Handler) Drain() { h.begin() }
