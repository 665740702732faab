package httpapi

import (
	"crypto/sha256"
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/bodymotion/motion/httpapi/internal/wire"
)

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
