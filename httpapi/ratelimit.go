package httpapi

import (
	"container/list"
	"crypto/sha256"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// RateLimit bounds how often a token may be used. The zero value is no limit.
type RateLimit struct {
	// PerSecond is how many requests a second a token has in the long run, such as 30;
	// 0 for no limit.
	PerSecond float64
	// Burst is how many requests may come at once; default PerSecond, rounded up.
	Burst int
}

// maxBuckets is how many tokens are watched at a time; beyond, the one that was used
// longest ago is forgotten.
const maxBuckets = 10_000

// buckets hold what each token has left.
type buckets struct {
	limit RateLimit

	mu      sync.Mutex
	byToken map[[32]byte]*list.Element
	recent  list.List // of *bucket, the one used last in front
}

type bucket struct {
	token   [32]byte
	limiter *rate.Limiter
}

// newBuckets returns nil for no limit.
func newBuckets(limit RateLimit) *buckets {
	if !(limit.PerSecond > 0) {
		return nil
	}
	if limit.Burst < 1 {
		limit.Burst = max(int(math.Ceil(limit.PerSecond)), 1)
	}
	return &buckets{limit: limit, byToken: map[[32]byte]*list.Element{}}
}

// take takes one request of a token, and returns how long it has to wait where it has none
// left.
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
		e = b.recent.PushFront(&bucket{token, rate.NewLimiter(rate.Limit(b.limit.PerSecond), b.limit.Burst)})
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

// throttle answers 429 to a token that is used too often. It is asked after the token was
// found to be good, so that nobody can fill the table with inventions.
func (c *call) throttle() bool {
	if c.buckets == nil {
		return false
	}
	token := sha256.Sum256([]byte(c.client + "\n" + c.r.Header.Get("Authorization")))
	wait := c.buckets.take(token, time.Now())
	if wait <= 0 {
		return false
	}
	c.w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	c.problem(problem{Status: http.StatusTooManyRequests, Detail: "Too Many Request."})
	return true
}
