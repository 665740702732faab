package httpapi

import (
	"container/list"
	"sync"
	"time"
)

const (
	replayTTL      = 24 * time.Hour
	maxReplayBytes = 64 << 20 // of all kept responses
	defaultMaxKeys = 1000     // of one client
)

// replayKey identifies a kept response.
type replayKey struct{ client, key string }

// replay is a request with a key and, once finished, its response.
type replay struct {
	replayKey
	request  [32]byte // SHA-256 of the path and the body
	expires  time.Time
	done     bool
	status   int
	location string
	body     []byte
}

// size returns the approximate memory use of a replay.
func (r *replay) size() int { return 400 + len(r.client) + len(r.key) + len(r.location) + len(r.body) }

// replays keeps responses in bounded memory; the oldest are evicted first.
type replays struct {
	maxKeys  int // of one client
	maxBytes int

	mu    sync.Mutex
	byKey map[replayKey]*list.Element
	order list.List      // of *replay, the oldest in front: all live equally long
	count map[string]int // of the keys of each client
	bytes int
}

// newReplays returns nil if no responses are to be kept.
func newReplays(maxKeys int) *replays {
	if maxKeys < 0 {
		return nil
	}
	if maxKeys == 0 {
		maxKeys = defaultMaxKeys
	}
	return &replays{maxKeys: maxKeys, maxBytes: maxReplayBytes, byKey: map[replayKey]*list.Element{}, count: map[string]int{}}
}

// begin returns the earlier request with a key, or records this one as running.
func (s *replays) begin(key replayKey, request [32]byte, now time.Time) (before replay, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := s.order.Front(); e != nil && !now.Before(e.Value.(*replay).expires); e = s.order.Front() {
		s.remove(e)
	}
	if e := s.byKey[key]; e != nil {
		return *e.Value.(*replay), true
	}
	r := &replay{replayKey: key, request: request, expires: now.Add(replayTTL)}
	s.byKey[key] = s.order.PushBack(r)
	s.bytes += r.size()
	if s.count[key.client]++; s.count[key.client] > s.maxKeys {
		oldest := s.order.Front()
		for oldest.Value.(*replay).client != key.client {
			oldest = oldest.Next()
		}
		s.remove(oldest)
	}
	s.fit()
	return replay{}, false
}

// end keeps the response of a request that begin recorded; a nil body frees the key.
func (s *replays) end(key replayKey, request [32]byte, status int, location string, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.byKey[key]
	if e == nil {
		return // evicted while running
	}
	r := e.Value.(*replay)
	if r.request != request || r.done {
		return // evicted, and the key was used again
	}
	if body == nil {
		s.remove(e)
		return
	}
	s.bytes -= r.size()
	r.done, r.status, r.location, r.body = true, status, location, body
	s.bytes += r.size()
	s.fit()
}

// fit evicts the oldest replays until the rest fits.
func (s *replays) fit() {
	for s.bytes > s.maxBytes {
		s.remove(s.order.Front())
	}
}

func (s *replays) remove(e *list.Element) {
	r := s.order.Remove(e).(*replay)
	delete(s.byKey, r.replayKey)
	s.bytes -= r.size()
	if s.count[r.client]--; s.count[r.client] == 0 {
		delete(s.count, r.client)
	}
}
