package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// Metrics counts what the API does. It is called by many goroutines at once, after each
// request, and must return soon.
type Metrics interface {
	RequestDone(ctx context.Context, r RequestStats)
}

// RequestStats are the measures of a request that was answered.
type RequestStats struct {
	Method   string        // "other" where it is none of the API's
	Route    string        // as in the OpenAPI document, such as "/movies/{id}/"; "" where nothing is there
	Status   int           // 0 where the connection broke before an answer
	Duration time.Duration // from the request's header to the answer's end
	Sent     int64         // bytes of the answer's body
}

// observe writes the access log and counts, when a request is done.
func (c *call) observe(began time.Time) {
	stats := RequestStats{Method: c.r.Method, Route: c.pattern, Status: c.w.status, Duration: time.Since(began), Sent: c.w.sent}
	switch stats.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default:
		stats.Method = "other"
	}
	if c.opt.Metrics != nil {
		c.opt.Metrics.RequestDone(c.r.Context(), stats)
	}
	if c.opt.AccessLog == nil {
		return
	}
	// The query is left out: that of a link is its credential. So are all headers.
	attrs := []slog.Attr{
		slog.String("request", c.info.ID), slog.String("method", c.r.Method), slog.String("path", address(c.r)),
		slog.Int("status", stats.Status), slog.Int64("bytes", stats.Sent), slog.Duration("duration", stats.Duration),
		slog.String("remote", c.r.RemoteAddr),
	}
	if c.client != "" {
		attrs = append(attrs, slog.String("client", c.client))
	}
	if c.info.TraceID != "" {
		attrs = append(attrs, slog.String("trace", c.info.TraceID))
	}
	c.opt.AccessLog.LogAttrs(c.r.Context(), slog.LevelInfo, "request", attrs...)
}
