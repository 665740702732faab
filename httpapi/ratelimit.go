package httpapi

import (
	"container/list"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

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
