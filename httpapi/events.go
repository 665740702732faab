package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/storage"
)

// heartbeat is how often an event stream says that it is alive.
const heartbeat = 15 * time.Second

// event is the data of a record event, that a record has reached a status, or of a progress event, that the work on it has advanced.
type event struct {
	Kind       storage.Kind   `json:"kind"`
	ID         int64          `json:"id"`
	ExecStatus storage.Status `json:"execStatus,omitempty"`
	Progress   *float64       `json:"progress,omitempty"`
	UpdatedAt  string         `json:"updatedAt"`
}

// events serves the changes of the client's records as server-sent events until the client
// disconnects, its token is no longer valid, or the handler drains.
func events(c *call) error {
	if c.drain.Err() != nil {
		return wire.Later(http.StatusServiceUnavailable, "The service is shutting down; try again later.")
	}
	for _, counter := range []*wire.Waiters{c.waiters, c.streams} {
		leave, ok := counter.Enter(c.client)
		if !ok {
			return wire.Later(http.StatusTooManyRequests, "The client has %d requests waiting; no more are allowed. End one, or try again later.", counter.Most)
		}
		defer leave()
	}
	changes, err := c.service.Watch(c.r.Context(), c.client)
	if err != nil {
		return err
	}
	h := c.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // of proxies that would collect
	c.w.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodGet {
		stream(c, changes)
	}
	return nil
}

// stream writes events in the goroutine of the request, unbuffered. The write deadline ends a stream whose reader is too slow.
func stream(c *call, changes <-chan motion.Events) {
	control := http.NewResponseController(c.w)
	send := func(format string, args ...any) bool {
		if err := c.extend(c.opt.Limits.IdleTimeout + heartbeat); err != nil {
			return false
		}
		_, err := fmt.Fprintf(c.w, format, args...)
		if err == nil {
			err = control.Flush()
		}
		if errors.Is(err, http.ErrNotSupported) {
			c.log(slog.LevelError, "events need a ResponseWriter that can flush", "error", err)
		}
		return err == nil
	}
	if !send("retry: 5000\n: watching\n\n") {
		return
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-c.r.Context().Done():
			return
		case <-c.drain.Done():
			send("event: end\ndata: {}\n\n")
			return
		case <-beat.C:
			// A stream lives no longer than its token.
			if id, err := c.opt.Authenticator(c.r); err != nil || id.Client != c.client {
				send("event: end\ndata: {}\n\n")
				return
			}
			if !send(": alive\n\n") {
				return
			}
		case some, ok := <-changes:
			if !ok {
				return
			}
			if some.Err != nil {
				c.log(slog.LevelError, "event stream broken off", "error", some.Err)
				return
			}
			if some.Lost && !send("event: lost\ndata: {}\n\n") {
				return
			}
			for _, x := range some.Records {
				name, v := "record", event{Kind: x.Kind, ID: x.ID, ExecStatus: x.Status, UpdatedAt: stamp(x.UpdatedAt)}
				if x.Advanced {
					name, v.ExecStatus, v.Progress = "progress", "", progressOf(x.State)
				}
				data, err := json.Marshal(v)
				if err != nil || !send("event: %s\ndata: %s\n\n", name, data) {
					return
				}
			}
		}
	}
}
