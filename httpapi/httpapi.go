// Package httpapi serves the v1 HTTP API of a motion.Service. New returns an
// http.Handler that a host mounts under any path of any mux:
//
//	api, err := httpapi.New(service, httpapi.Options{Authenticator: tokens})
//	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
//	mux.Handle("/oauth/v1/accesstokens", tokens)
//
// Every answer that is an error has the type application/problem+json (RFC 9457). The API is
// described by the OpenAPI document at openapi.json and by the page at docs/; THREATS.md
// says what it withstands.
//
// Below this package there are an Authenticator for tokens of other issuers (jwtauth),
// webhooks (webhook), and metrics for OpenTelemetry (otelmetrics).
package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// Options say how the API is served. Authenticator is required; every other field has a
// working default, which 0 stands for, and less than 0 too where nothing else is said.
type Options struct {
	// Authenticator tells which client a request comes from: Credentials, or the
	// host's own.
	Authenticator Authenticator

	// BaseURL is the public address of the API, such as
	// "https://example.com/anymotion/v1/", of which links are made. Default: what the
	// request says.
	BaseURL string
	// Prefix is the path under which the handler is mounted where no http.StripPrefix
	// removes it, such as "/anymotion/v1".
	Prefix string
	// TrustForwarded takes the public address from the headers Forwarded,
	// X-Forwarded-Proto, X-Forwarded-Host and X-Forwarded-Prefix. Only right behind a
	// proxy that sets them.
	TrustForwarded bool

	// LinkKeys sign upload and download links; the first signs, all are accepted; each has
	// at least 16 bytes, and all processes behind one address need the same.
	// Default: a random key, so that links die with the process.
	LinkKeys [][]byte
	// LinkTTL is how long a link is valid; default one hour.
	LinkTTL time.Duration

	// RedirectDownloads answers a download with a redirect to where the blobs lie, when
	// they are of a storage.Linker, such as those of storage/s3: the file does not pass
	// this process. Clients must reach that place. A link of it is valid for LinkTTL
	// too, whoever has it.
	RedirectDownloads bool

	// IdleTimeout is how long an upload or download may pause before it is given up;
	// default 30 s. While data flows they take as long as they need, whatever timeouts
	// the host's server has. A JSON body has to come whole within that time, and an answer
	// that is not read for so long is given up.
	IdleTimeout time.Duration

	// RateLimit bounds how often each token is used; beyond, the answer is 429. Default:
	// no limit. Signed links are not counted.
	RateLimit RateLimit
	// MaxUnfinished is about how many unfinished records a client may have; beyond, a
	// request for one more is answered with 503 and Retry-After, so that no client takes
	// the whole queue. Default: no limit.
	MaxUnfinished int
	// IdempotencyKeys is how many answers to requests with the header Idempotency-Key
	// are kept for each client, for 24 hours, all together at most 64 MiB, in the memory
	// of the process. Default 1000; -1 for none: the header is ignored then.
	IdempotencyKeys int

	// Waiting is how many requests of a client may wait at a time, with ?wait=SECONDS for a
	// result or at events/; default 100, -1 for none. At most a tenth of them, but one, may
	// be event streams, which cost more. Beyond, a request for a record is answered at once,
	// and one for events with 429.
	Waiting int

	// Logger gets faults of the service; default slog.Default().
	Logger *slog.Logger
	// AccessLog gets a line for each request, without secrets; default none.
	AccessLog *slog.Logger
	// Metrics counts requests; default none.
	Metrics Metrics
}

// Handler is the API. It is safe for many requests at once.
type Handler struct {
	service *motion.Service
	opt     Options
	base    *url.URL // of Options.BaseURL; nil without one
	drain   drain
	buckets *buckets // nil without a limit
	replays *replays // nil where none are kept
	waiters *waiters
	streams *waiters // those of them that are event streams
}

// New returns the handler of a service, or an error that names the field of Options that is
// missing or cannot be.
func New(service *motion.Service, opt Options) (*Handler, error) {
	h := &Handler{
		service: service, opt: opt, drain: newDrain(),
		buckets: newBuckets(opt.RateLimit), replays: newReplays(opt.IdempotencyKeys), waiters: newWaiters(opt.Waiting),
	}
	h.streams = newWaiters(max(h.waiters.most/10, 1))
	switch {
	case service == nil:
		return nil, errors.New("httpapi: the service is missing")
	case opt.Authenticator == nil:
		return nil, errors.New("httpapi: Options.Authenticator is missing: use NewCredentials or your own")
	}
	if opt.BaseURL != "" {
		u, err := url.Parse(opt.BaseURL)
		if err != nil || u.Scheme == "" || u.Host == "" {
			return nil, fmt.Errorf("httpapi: Options.BaseURL %q is not an absolute URL", opt.BaseURL)
		}
		u.Path = strings.TrimSuffix(u.Path, "/")
		h.base = u
	}
	h.opt.Prefix = strings.TrimSuffix(opt.Prefix, "/")
	if len(opt.LinkKeys) == 0 {
		key := make([]byte, 32)
		rand.Read(key)
		h.opt.LinkKeys = [][]byte{key}
	}
	for i, key := range h.opt.LinkKeys {
		if len(key) < 16 {
			return nil, fmt.Errorf("httpapi: Options.LinkKeys[%d] has %d bytes, want at least 16", i, len(key))
		}
	}
	if opt.LinkTTL <= 0 {
		h.opt.LinkTTL = time.Hour
	}
	if opt.IdleTimeout <= 0 {
		h.opt.IdleTimeout = 30 * time.Second
	}
	if opt.Logger == nil {
		h.opt.Logger = slog.Default()
	}
	return h, nil
}

// call is one request under way.
type call struct {
	*Handler
	w       *response
	r       *http.Request
	path    string       // within the API, with a leading slash
	kind    storage.Kind // of the records that the path is about
	pattern string       // the path as the OpenAPI document has it, "" where nothing is there
	info    RequestInfo
	client  string // who asks
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	info := requestInfo(r)
	r = r.WithContext(context.WithValue(r.Context(), requestInfoKey{}, info))
	c := &call{Handler: h, w: &response{ResponseWriter: w, idle: h.opt.IdleTimeout}, r: r, info: info}
	defer c.observe(time.Now())
	w.Header().Set("X-Request-Id", info.ID)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			c.log(slog.LevelError, "panic while serving", "panic", p, "stack", string(debug.Stack()))
			if c.w.begun {
				panic(http.ErrAbortHandler) // so that the client sees that the answer is not whole
			}
			c.problem(problem{Status: http.StatusInternalServerError, Detail: "There is a problem on the service."})
		}
	}()
	path, ok := strings.CutPrefix(r.URL.Path, h.opt.Prefix)
	if !ok || path != "" && path[0] != '/' && h.opt.Prefix != "" {
		c.problem(problem{Status: http.StatusNotFound, Detail: "There is nothing at this address; openapi.json says what there is."})
		return
	}
	c.path = "/" + strings.TrimPrefix(path, "/")
	c.route()
}

// public returns the absolute address of a path within the API.
func (c *call) public(path string) *url.URL {
	u := url.URL{Scheme: "http", Host: c.r.Host}
	if c.base != nil {
		u = *c.base
	} else {
		if c.r.TLS != nil {
			u.Scheme = "https"
		}
		u.Path = c.mount()
		if c.opt.TrustForwarded {
			forwarded(c.r.Header, &u)
		}
	}
	u.Path += path
	return &u
}

// mount returns the path under which the API is mounted: what a StripPrefix in front
// of the handler has removed, and Options.Prefix.
func (c *call) mount() string {
	if u, err := url.ParseRequestURI(c.r.RequestURI); err == nil {
		if before, ok := strings.CutSuffix(u.Path, strings.TrimPrefix(c.path, "/")); ok {
			return strings.TrimSuffix(before, "/")
		}
	}
	return c.opt.Prefix
}

// forwarded corrects an address by what a proxy says of the original request.
func forwarded(h http.Header, u *url.URL) {
	first := func(name string) string {
		v, _, _ := strings.Cut(h.Get(name), ",")
		return strings.TrimSpace(v)
	}
	proto, host := first("X-Forwarded-Proto"), first("X-Forwarded-Host")
	for pair := range strings.SplitSeq(first("Forwarded"), ";") {
		k, v, _ := strings.Cut(strings.TrimSpace(pair), "=")
		switch v = strings.Trim(v, `"`); strings.ToLower(k) {
		case "proto":
			proto = v
		case "host":
			host = v
		}
	}
	if proto == "http" || proto == "https" {
		u.Scheme = proto
	}
	if host != "" {
		u.Host = host
	}
	if p := first("X-Forwarded-Prefix"); strings.HasPrefix(p, "/") {
		u.Path = strings.TrimSuffix(p, "/") + u.Path
	}
}
