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
	id, err := c.opt.Authenticator.Authenticate(c.r)
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
	return throttle(c)
}

// throttle refuses a token that exceeds the rate limit. It is called only for valid tokens, so that
// invented ones cannot fill the table.
func throttle(c *call) error {
	if c.buckets == nil {
		return nil
	}
	token := sha256.Sum256([]byte(c.client + "\n" + c.r.Header.Get("Authorization")))
	wait := c.buckets.take(token, time.Now())
	if wait <= 0 {
		return nil
	}
	return wire.Problem{Status: http.StatusTooManyRequests, Detail: "Too Many Request.", RetryAfter: int(math.Ceil(wait.Seconds()))}
}
