package driver

import (
	"sync"
	"time"
)

// headStart is how long quick jobs are worked on before a slow one has its turn.
const headStart = 5 * time.Second

// Share shares the time of a Queue's handlers between quick and slow jobs, so that quick ones start before slow ones,
// but many of them do not keep a slow one waiting for ever: when handlers have worked on quick jobs for as long as on
// the last slow one, and for at least headStart, a slow one is next. The zero value is ready to use.
type Share struct {
	mu          sync.Mutex
	quick, slow time.Duration // worked on quick jobs since a slow one has begun; on the last slow one
}

// SlowFirst reports whether a slow job is next, if one waits.
func (s *Share) SlowFirst() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.quick >= max(headStart, s.slow)
}

func (s *Share) Begin(slow bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slow {
		s.quick = 0
	}
}

func (s *Share) End(slow bool, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slow {
		s.slow = took
	} else {
		s.quick += took
	}
}
