package httpapi

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/bodymotion/motion/httpapi/internal/wire"
)

// Options configures a Handler. Authenticator is required. All other fields are optional:
// zero selects the default, and so do negative values unless documented otherwise.
type Options struct {
	Authenticator Authenticator // identifies the client of a request: Credentials.Authenticate or the host's own
	// Tokens serves oauth/v1/accesstokens, where generated clients ask for tokens: usually the Credentials. If it is
	// nil, there is no such endpoint.
	Tokens http.Handler

	// BaseURL is the public address of the API, such as "https://example.com/anymotion/v1/", used to build
	// links. The default is derived from the request.
	BaseURL string
	// Prefix is the path under which the handler is mounted, such as "/anymotion/v1", if no http.StripPrefix removes it.
	Prefix string
	// TrustForwarded takes the public address from the headers Forwarded and X-Forwarded-Proto, -Host and
	// -Prefix. Set it only behind a proxy that sets them.
	TrustForwarded bool

	// LinkKeys sign upload and download links. The first key signs, all are accepted; each has at least 16 bytes. All processes
	// behind one address need the same. The default is a random key, so links become invalid when the process ends.
	LinkKeys [][]byte
	// LinkTTL is the lifetime of a link; the default is one hour. An upload link also ends after 20 uploads in one process.
	LinkTTL time.Duration

	// OriginalMedia lets clients download the movies and images that they have uploaded: a record read with
	// ?include=media has a link to the file. The default is no.
	OriginalMedia bool
	// RedirectDownloads redirects downloads to the blob storage if it is a storage.Linker, such as
	// storage/s3, which clients must be able to reach. The target is a bearer link, valid for LinkTTL.
	RedirectDownloads bool

	Limits Limits // of what clients may do; the zero value selects the defaults

	Logger    *slog.Logger // receives internal errors; the default is slog.Default()
	AccessLog *slog.Logger // receives a line for each request, without secrets; nil: no access log
	// Metrics, if not nil, is called after each request, at the same time from many goroutines.
	Metrics func(ctx context.Context, r RequestStats)
}

// Limits are those of what clients may do. Zero selects the default.
type Limits struct {
	// IdleTimeout is how long an upload, a download or the reader of a response may pause before it is aborted, and in which a JSON body
	// must arrive; the default is 30 s. While data flows, transfers take as long as they need, whatever the timeouts of the host's server.
	IdleTimeout time.Duration
	// MinUploadRate is the rate in bytes per second below which an upload is aborted, measured over each
	// minute of waiting for its data. The default is 1024; -1 means no limit.
	MinUploadRate int
	// Uploads is the number of uploads of a client at the same time. Further ones get 429 with Retry-After.
	// The default is 20; -1 means no limit.
	Uploads int

	// RateLimit is the sustained rate of requests per second of each token, such as 30; further requests get
	// 429. Signed links are not counted. The default is no limit.
	RateLimit float64
	RateBurst int // the maximum number of requests of a token at once; the default is RateLimit, rounded up
	// MaxUnfinished is the approximate number of unfinished records a client may have. Further requests for
	// records get 503 with Retry-After. The default is no limit.
	MaxUnfinished int
	// IdempotencyKeys is the number of responses to requests with the header Idempotency-Key that are kept
	// for each client, for 24 hours: see motion.Service.Answers. The default is 1000; -1 ignores the header.
	IdempotencyKeys int
	// Waiting is the number of requests of a client that may wait at the same time, for a result with ?wait=SECONDS
	// or at events/. The default is 100; -1 allows none. At most a tenth of them, but at least one, may be event
	// streams. Beyond the limit, requests for a record return immediately, and requests for events get 429.
	Waiting int
}

// complete checks the options and replaces those that are zero by the defaults. base is the URL of Options.BaseURL, nil without one.
func (o *Options) complete() (base *url.URL, err error) {
	if o.Authenticator == nil {
		return nil, errors.New("httpapi: Options.Authenticator is missing: use that of NewCredentials or your own")
	}
	if o.BaseURL != "" {
		base, err = url.Parse(o.BaseURL)
		if err != nil || base.Scheme == "" || base.Host == "" {
			return nil, fmt.Errorf("httpapi: Options.BaseURL %q is not an absolute URL", o.BaseURL)
		}
		base.Path = strings.TrimSuffix(base.Path, "/")
	}
	o.Prefix = strings.TrimSuffix(o.Prefix, "/")
	if len(o.LinkKeys) == 0 {
		o.LinkKeys = randomKey()
	}
	if err := longEnough("Options.LinkKeys", o.LinkKeys); err != nil {
		return nil, err
	}
	o.LinkTTL = cmp.Or(max(o.LinkTTL, 0), time.Hour)
	o.Limits.IdleTimeout = cmp.Or(max(o.Limits.IdleTimeout, 0), 30*time.Second)
	o.Limits.MinUploadRate = cmp.Or(o.Limits.MinUploadRate, 1024)
	o.Limits.Uploads = cmp.Or(o.Limits.Uploads, 20)
	o.Limits.IdempotencyKeys = cmp.Or(o.Limits.IdempotencyKeys, 1000)
	o.Limits.Waiting = cmp.Or(o.Limits.Waiting, 100)
	o.Logger = cmp.Or(o.Logger, slog.Default())
	return base, nil
}

// randomKey returns the keys of a process that is given none.
func randomKey() [][]byte {
	key := make([]byte, 32)
	rand.Read(key)
	return [][]byte{key}
}

// longEnough checks keys that sign, which are called name in its error.
func longEnough(name string, keys [][]byte) error {
	for i, key := range keys {
		if len(key) < 16 {
			return fmt.Errorf("httpapi: %s[%d] has %d bytes, want at least 16", name, i, len(key))
		}
	}
	return nil
}

// Identity identifies the client of a request.
type Identity struct {
	Client   string // owns the records that the request sees and creates; not empty
	ReadOnly bool   // allows reading only
}

// The errors of an Authenticator for a request without valid credentials, and for valid credentials that do
// not allow the use of the service. Their texts are sent to the client.
var (
	ErrUnauthenticated = wire.ErrUnauthenticated
	ErrForbidden       = wire.ErrForbidden
)

// Authenticator identifies the client of a request. It is called from many goroutines. An error that wraps ErrUnauthenticated
// results in status 401, ErrForbidden in 403, motion.ErrUnavailable in 503, and any other error in 500.
type Authenticator func(r *http.Request) (Identity, error)

// RequestStats describes a completed request.
type RequestStats struct {
	Method   string        // "other" if the API does not have it
	Route    string        // as in the OpenAPI document, such as "/movies/{id}/"; "" for an unknown path
	Status   int           // 0 where the connection broke before an answer
	Duration time.Duration // from the request header to the end of the response
	Sent     int64         // bytes of the answer's body
}
