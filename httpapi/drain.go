package httpapi

import (
	"io"
	"net/http"
	"sync"
)

// drain says that the service takes no more work.
type drain struct {
	once sync.Once
	done chan struct{}
}

// Drain makes the handler refuse new records and uploads with 503 and Retry-After, while
// reading and downloads go on, so that clients still get their results. Requests that wait
// for a result are answered at once, and event streams end. Call it
// before http.Server.Shutdown, which waits for those that wait: the check of Ready fails from
// then on. It may be called many times and cannot be undone.
func (h *Handler) Drain() { h.drain.once.Do(func() { close(h.drain.done) }) }

// Ready is a readiness check for the host to mount where its platform asks: 200 until
// Drain is called, 503 from then on.
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

// refuse answers 503 to what would be new work while the handler drains.
func (c *call) refuse() bool {
	if !c.draining() || c.r.Method == http.MethodGet || c.r.Method == http.MethodHead {
		return false
	}
	c.w.Header().Set("Retry-After", "5")
	c.w.Header().Set("Connection", "close") // the next try shall reach another process
	c.problem(problem{Status: http.StatusServiceUnavailable, Detail: "The service is about to end and takes no more work; try again later."})
	return true
}
