package httpapi

import (
	"context"
	"io"
	"net/http"
)

// drain is a context that ends when the handler takes no more work.
type drain struct {
	context.Context
	begin context.CancelFunc
}

func newDrain() drain {
	ctx, begin := context.WithCancel(context.Background())
	return drain{ctx, begin}
}

// Drain makes the handler refuse new records and uploads with 503 and Retry-After. Reading
// and downloads go on, so that clients still get their results. Requests that wait for a
// result are answered at once, event streams end, and Ready fails. Call it before
// http.Server.Shutdown, which waits for those requests. Drain may be called more than once.
// It cannot be undone.
func (h *Handler) Drain() { h.drain.begin() }

// Ready is a readiness check for the host to mount: it answers 200, and 503 with a reason after
// Drain is called or while the storage does not answer, see motion.Service.Ready.
func (h *Handler) Ready() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if h.draining() {
			http.Error(w, "draining", http.StatusServiceUnavailable)
			return
		}
		if err := h.service.Ready(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "ready\n")
	})
}

func (h *Handler) draining() bool { return h.drain.Err() != nil }

// refuse answers 503 to requests for new work while the handler drains.
func (c *call) refuse() bool {
	if !c.draining() || c.r.Method == http.MethodGet || c.r.Method == http.MethodHead {
		return false
	}
	c.w.Header().Set("Retry-After", "5")
	c.w.Header().Set("Connection", "close") // so that the retry reaches another process
	c.problem(problem{Status: http.StatusServiceUnavailable, Detail: "The service is shutting down and accepts no new work; try again later."})
	return true
}
