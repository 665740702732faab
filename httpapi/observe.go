package httpapi

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/bodymotion/motion/httpapi/internal/wire"
)

// observe writes the access log and the metrics of a completed request.
func observe(c *call, began time.Time) {
	stats := RequestStats{Method: c.r.Method, Route: c.pattern, Status: c.w.status, Duration: time.Since(began), Sent: c.w.sent}
	if !slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, stats.Method) {
		stats.Method = "other"
	}
	if c.opt.Metrics != nil {
		c.opt.Metrics(c.r.Context(), stats)
	}
	if c.opt.AccessLog == nil {
		return
	}
	// The query, which is the credential of a link, and all headers are omitted.
	args := []any{
		"request", c.id, "method", c.r.Method, "path", wire.Address(c.r), "status", stats.Status, "bytes", stats.Sent,
		"duration", stats.Duration, "remote", c.r.RemoteAddr,
	}
	if c.client != "" {
		args = append(args, "client", c.client)
	}
	if c.trace != "" {
		args = append(args, "trace", c.trace)
	}
	c.opt.AccessLog.InfoContext(c.r.Context(), "request", args...)
}

var (
	validID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	// Version, trace, parent and flags. Versions later than 00 may be longer.
	traceParent = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)
)

// traceID returns the trace in the header traceparent (W3C Trace Context), "" if that is missing or malformed.
func traceID(r *http.Request) string {
	parents := r.Header.Values("traceparent")
	if len(parents) != 1 || len(parents[0]) > 256 {
		return ""
	}
	m := traceParent.FindStringSubmatch(parents[0])
	if m == nil || m[1] == "ff" || m[1] == "00" && m[4] != "" || strings.Trim(m[2], "0") == "" || strings.Trim(m[3], "0") == "" {
		return ""
	}
	return m[2]
}
