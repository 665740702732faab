package httpapi

import (
	"container/list"
	"crypto/sha256"
	"errors"
	"math"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

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

// maxBuckets is the maximum number of tracked tokens; beyond it, the least recently used is forgotten.
const maxBuckets = 10_000

// buckets holds the remaining requests of each token.
type buckets struct {
	limit rate.Limit
	burst int

	mu      sync.Mutex
	byToken map[[32]byte]*list.Element
	recent  list.List // of *bucket, most recently used first
}

type bucket struct {
	token   [32]byte
	limiter *rate.Limiter
}

// newBuckets returns nil for no limit.
func newBuckets(perSecond float64, burst int) *buckets {
	if !(perSecond > 0) {
		return nil
	}
	if burst < 1 {
		burst = max(int(math.Ceil(perSecond)), 1)
	}
	return &buckets{limit: rate.Limit(perSecond), burst: burst, byToken: map[[32]byte]*list.Element{}}
}

// take takes one request from a token's bucket, and returns the time to wait if it is empty.
func (b *buckets) take(token [32]byte, now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.byToken[token]
	if e == nil {
		if b.recent.Len() >= maxBuckets {
			last := b.recent.Back()
			delete(b.byToken, last.Value.(*bucket).token)
			b.recent.Remove(last)
		}
		e = b.recent.PushFront(&bucket{token, rate.NewLimiter(b.limit, b.burst)})
		b.byToken[token] = e
	}
	b.recent.MoveToFront(e)
	r := e.Value.(*bucket).limiter.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}
