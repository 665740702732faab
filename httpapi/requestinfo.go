package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strings"
)

// RequestInfo identifies an API request in logs and traces.
type RequestInfo struct {
	// ID is in the response header X-Request-Id and in every log line. It is the
	// client's X-Request-Id if that consists of 1 to 64 letters, digits, '.', '_' or
	// '-', else random.
	ID string
	// TraceParent is the request header traceparent (W3C Trace Context), or "" if it is
	// missing or malformed.
	TraceParent string
	// TraceID is the 32 hexadecimal digits of the trace in TraceParent.
	TraceID string
}

type requestInfoKey struct{}

// RequestInfoFrom returns the RequestInfo of a context. The service calls its stores and
// queues with such contexts.
func RequestInfoFrom(ctx context.Context) (RequestInfo, bool) {
	info, ok := ctx.Value(requestInfoKey{}).(RequestInfo)
	return info, ok
}

func requestInfo(r *http.Request) RequestInfo {
	info := RequestInfo{ID: r.Header.Get("X-Request-Id")}
	if !saneID(info.ID) {
		var id [8]byte
		rand.Read(id[:])
		info.ID = hex.EncodeToString(id[:])
	}
	if parent := r.Header.Get("traceparent"); len(r.Header.Values("traceparent")) == 1 {
		if trace, ok := traceID(parent); ok {
			info.TraceParent, info.TraceID = parent, trace
		}
	}
	return info
}

func saneID(id string) bool {
	return len(id) > 0 && len(id) <= 64 && strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") == ""
}

// traceID returns the trace ID in a traceparent header, which consists of version, trace,
// parent and flags in hexadecimal, separated by dashes. Later versions may be longer.
func traceID(parent string) (string, bool) {
	const size = 2 + 1 + 32 + 1 + 16 + 1 + 2
	if len(parent) < size || len(parent) > 256 || parent[2] != '-' || parent[35] != '-' || parent[52] != '-' {
		return "", false
	}
	version, trace, span, flags := parent[:2], parent[3:35], parent[36:52], parent[53:55]
	for _, part := range []string{version, trace, span, flags} {
		if strings.Trim(part, "0123456789abcdef") != "" {
			return "", false
		}
	}
	switch {
	case version == "ff", version == "00" && len(parent) != size, len(parent) > size && parent[size] != '-':
		return "", false
	case strings.Trim(trace, "0") == "", strings.Trim(span, "0") == "":
		return "", false
	}
	return trace, true
}

// log writes a log line with the request's ID.
func (c *call) log(level slog.Level, message string, args ...any) {
	args = append([]any{"request", c.info.ID}, args...)
	if c.info.TraceID != "" {
		args = append(args, "trace", c.info.TraceID)
	}
	c.opt.Logger.Log(c.r.Context(), level, message, args...)
}
