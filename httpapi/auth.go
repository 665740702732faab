package httpapi

import (
	"crypto/sha256"
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/bodymotion/motion/httpapi/internal/wire"
)

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

// Authenticator identifies the client of a request. It is called from many goroutines. An error that wraps
// ErrUnauthenticated results in status 401, ErrForbidden in 403, motion.ErrUnavailable in 503, and any other
// error in 500.
type Authenticator func(r *http.Request) (Identity, error)

// authenticate identifies the client, or returns why the request may not proceed.
func authenticate(c *call) error {
	id, err := c.opt.Authenticator(c.r)
	if err == nil && id.Client == "" {
		err = errors.New("the authenticator returned no client")
	}
	if p, refused := wire.Unauthorized(c.w.Header(), c.r, err); refused {
		return p
	}
	if err != nil {
		return err
	}
	if id.ReadOnly && !c.reading() {
		return wire.Lacks(c.w.Header(), "The access token allows reading only.")
	}
	c.client = id.Client
	if c.buckets == nil {
		return nil
	}
	// Only valid tokens count, so that invented ones cannot fill the table.
	token := sha256.Sum256([]byte(c.client + "\n" + c.r.Header.Get("Authorization")))
	if wait := c.buckets.take(token, time.Now()); wait > 0 {
		return wire.Problem{Status: http.StatusTooManyRequests, Detail: "Too Many Request.", RetryAfter: int(math.Ceil(wait.Seconds()))}
	}
	return nil
}
