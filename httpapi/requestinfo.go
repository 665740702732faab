package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strings"
)

// RequestInfo names a request of the API, for logs and traces.
type RequestInfo struct {
	// ID is in the answer's X-Request-Id and in every line of the log. It is what the
	// client sent in its own X-Request-Id where that has 1 to 64 letters, digits, '.',
	// '_' or '-', and random otherwise.
	ID string
	// TraceParent is the request's header traceparent (W3C Trace Context), "" where
	// there is none or it is malformed.
	TraceParent string
	// TraceID is the 32 hexadecimal digits of the trace in TraceParent.
	TraceID string
}

type requestInfoKey struct{}

// RequestInfoFrom returns the request that a context belongs to. The stores and queues of
// a service are called with such contexts.
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

// traceID returns the trace of a header traceparent: version, trace, parent and flags in
// hexadecimal with dashes between. Later versions may be longer.
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

// log writes a line that names the request.
func (c *call) log(level slog.Level, message string, args ...any) {
	args = append([]any{"request", c.info.ID}, args...)
	if c.info.TraceID != "" {
		args = append(args, "trace", c.info.TraceID)
	}
	c.opt.Logger.Log(c.r.Context(), level, message, args...)
}
