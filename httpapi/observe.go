package httpapi

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/bodymotion/motion/httpapi/internal/wire"
)

// observe writes the access log and the metrics of a completed request.
func observe(c *call, began time.Time) {
	stats := RequestStats{Method: c.r.Method, Route: c.pattern, Status: c.w.status, Duration: time.Since(began), Sent: c.w.sent}
	switch stats.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default:
		stats.Method = "other"
	}
	if c.opt.Metrics != nil {
		c.opt.Metrics(c.r.Context(), stats)
	}
	if c.opt.AccessLog == nil {
		return
	}
	// The query, which is the credential of a link, and all headers are omitted.
	attrs := []slog.Attr{
		slog.String("request", c.info.ID), slog.String("method", c.r.Method), slog.String("path", wire.Address(c.r)),
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
