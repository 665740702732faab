// Package httpapi serves the v1 HTTP API of a motion.Service. New returns an
// http.Handler that a host mounts under any path of any mux:
//
//	tokens, err := httpapi.NewCredentials(map[string]string{"app": secret}, 0)
//	if err != nil {
//		log.Fatal(err)
//	}
//	api, err := httpapi.New(service, httpapi.Options{Authenticator: tokens})
//	if err != nil {
//		log.Fatal(err)
//	}
//	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
//	mux.Handle("/oauth/v1/accesstokens", tokens)
//
// Error responses have the type application/problem+json (RFC 9457). The handler serves its
// OpenAPI document at openapi.json and a page made from it at docs/. THREATS.md describes
// the threats it withstands.
//
// Subpackages provide an Authenticator for tokens of external issuers (jwtauth), webhooks
// (webhook) and OpenTelemetry metrics (otelmetrics).
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
	"sync"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/storage"
)

// Options configures a Handler. Authenticator is required. All other fields are optional:
// zero selects the default, and so do negative values unless documented otherwise.
type Options struct {
	// Authenticator identifies the client of a request: Credentials or the host's own.
	Authenticator Authenticator

	// BaseURL is the public address of the API, such as
	// "https://example.com/anymotion/v1/", used to build links. The default is derived
	// from the request.
	BaseURL string
	// Prefix is the path under which the handler is mounted, such as "/anymotion/v1", if
	// no http.StripPrefix removes it.
	Prefix string
	// TrustForwarded takes the public address from the headers Forwarded,
	// X-Forwarded-Proto, X-Forwarded-Host and X-Forwarded-Prefix. Set it only behind a
	// proxy that sets these headers.
	TrustForwarded bool

	// LinkKeys sign upload and download links. The first key signs, all are accepted.
	// Each has at least 16 bytes. All processes behind one address need the same keys.
	// The default is a random key, so links become invalid when the process ends.
	LinkKeys [][]byte
	// LinkTTL is the lifetime of a link; the default is one hour. An upload link also ends
	// after 20 uploads in one process.
	LinkTTL time.Duration

	// OriginalMedia lets clients download the movies and images that they have uploaded: a
	// record read with ?include=media has a link to the file. The default is no.
	OriginalMedia bool
	// RedirectDownloads redirects downloads to the blob storage if it is a
	// storage.Linker, such as storage/s3, so that files do not pass through this
	// process. Clients must be able to reach the storage. The redirect target is a
	// bearer link, valid for LinkTTL.
	RedirectDownloads bool

	// IdleTimeout is how long an upload or download may pause before it is aborted; the
	// default is 30 s. While data flows, transfers take as long as they need, whatever
	// the timeouts of the host's server. A JSON body must arrive completely within this
	// time, and a response that is not read for this long is aborted.
	IdleTimeout time.Duration

	// MinUploadRate is the rate in bytes per second below which an upload is aborted,
	// measured over each minute of waiting for its data. The default is 1024; -1 means no
	// limit.
	MinUploadRate int
	// Uploads is the number of uploads of a client that may be in progress at the same
	// time. Further ones get 429 with Retry-After. The default is 20; -1 means no limit.
	Uploads int

	// RateLimit limits the request rate of each token; further requests get 429. Signed
	// links are not counted. The default is no limit.
	RateLimit RateLimit
	// MaxUnfinished is the approximate number of unfinished records a client may have.
	// Further requests for records get 503 with Retry-After, so that no client fills the
	// queue. The default is no limit.
	MaxUnfinished int
	// IdempotencyKeys is the number of responses to requests with the header
	// Idempotency-Key that are kept for each client, for 24 hours. The default is 1000; -1
	// ignores the header. Store keeps them if it is a storage.AnswerKeeper, such as those of
	// storage/sqlite and storage/postgres: see motion.Service.Answers.
	IdempotencyKeys int

	// Waiting is the number of requests of a client that may wait at the same time, for a
	// result with ?wait=SECONDS or at events/. The default is 100; -1 allows none. At
	// most a tenth of them, but at least one, may be event streams. Beyond the limit,
	// requests for a record return immediately, and requests for events get 429.
	Waiting int

	// Logger receives internal errors; the default is slog.Default().
	Logger *slog.Logger
	// AccessLog receives a line for each request, without secrets; the default is none.
	AccessLog *slog.Logger
	// Metrics records requests; the default is none.
	Metrics Metrics
}

// Handler serves the API. It is safe for concurrent use.
type Handler struct {
	service *motion.Service
	opt     Options
	base    *url.URL // of Options.BaseURL; nil without one
	drain   drain
	buckets *buckets // nil without a limit
	waiters *wire.Waiters
	streams *wire.Waiters // those of them that are event streams
	uploads *wire.Waiters // nil without a limit
	uses    uses          // of upload links

	mounting sync.Once // of the log line about a wrong mount
}

// New returns a handler of a service. Its errors name the missing or invalid field of
// Options.
func New(service *motion.Service, opt Options) (*Handler, error) {
	h := &Handler{
		service: service, opt: opt, drain: newDrain(),
		buckets: newBuckets(opt.RateLimit), waiters: wire.NewWaiters(opt.Waiting, defaultWaiting),
	}
	h.streams = wire.NewWaiters(max(h.waiters.Most/10, 1), 0)
	if opt.Uploads >= 0 {
		h.uploads = wire.NewWaiters(opt.Uploads, defaultUploads)
	}
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
	if opt.IdempotencyKeys == 0 {
		h.opt.IdempotencyKeys = defaultMaxKeys
	}
	if opt.LinkTTL <= 0 {
		h.opt.LinkTTL = time.Hour
	}
	if opt.IdleTimeout <= 0 {
		h.opt.IdleTimeout = 30 * time.Second
	}
	if opt.MinUploadRate == 0 {
		h.opt.MinUploadRate = defaultUploadRate
	}
	if opt.Logger == nil {
		h.opt.Logger = slog.Default()
	}
	return h, nil
}

// call is a request being served.
type call struct {
	*Handler
	w       *response
	r       *http.Request
	path    string       // within the API, with a leading slash
	kind    storage.Kind // of the records that the path is about
	pattern string       // the path as the OpenAPI document has it, "" if there is no such path
	info    RequestInfo
	client  string            // the authenticated client
	spelled map[string]string // the client's spelling of members of the body, by camelCase name

	reserved int64 // for the answer to a request with an Idempotency-Key; 0: none
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
				panic(http.ErrAbortHandler) // so that the client notices the truncated response
			}
			c.problem(problem{Status: http.StatusInternalServerError, Detail: "There is a problem on the service."})
		}
	}()
	path, ok := strings.CutPrefix(r.URL.Path, h.opt.Prefix)
	if !ok || path != "" && path[0] != '/' && h.opt.Prefix != "" {
		c.nothing()
		return
	}
	c.path = "/" + strings.TrimPrefix(path, "/")
	c.route()
}

// public returns the absolute URL of a path within the API.
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

// forwarded applies a proxy's headers about the original request to an address.
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
