package httpapi

import (
	"io"
	"net/http"
	"sync"
)

// drain is the state of a handler that may be draining.
type drain struct {
	once sync.Once
	done chan struct{}
}

// Drain makes the handler refuse new records and uploads with 503 and Retry-After. Reads and
// downloads continue, requests waiting for a result are answered immediately, event streams
// end, and Ready reports 503. Call it before http.Server.Shutdown, which would wait for
// waiting requests. It may be called more than once and cannot be undone.
func (h *Handler) Drain() { h.drain.once.Do(func() { close(h.drain.done) }) }

// Ready returns a readiness check for the host to mount. It answers 200 until Drain is
// called, and 503 afterwards.
func (h *Handler) Ready() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if h.draining() {
			http.Error(w, "draining", http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "ready\n")
	})
}

func (h *Handler) draining() bool {
	select {
	case <-h.drain.done:
		return true
	default:
		return false
	}
}

// refuse answers 503 to requests for new work while the handler drains.
func (c *call) refuse() bool {
	if !c.draining() || c.r.Method == http.MethodGet || c.r.Method == http.MethodHead {
		return false
	}
	c.w.Header().Set("Retry-After", "5")
	c.w.Header().Set("Connection", "close") // so that the retry reaches another process
	c.problem(problem{Status: http.StatusServiceUnavailable, Detail: "The service is about to end and takes no more work; try again later."})
	return true
}
