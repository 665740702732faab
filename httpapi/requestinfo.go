package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"regexp"
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
	if !validID.MatchString(info.ID) {
		var id [8]byte
		rand.Read(id[:])
		info.ID = hex.EncodeToString(id[:])
	}
	if parents := r.Header.Values("traceparent"); len(parents) == 1 {
		if trace, ok := traceID(parents[0]); ok {
			info.TraceParent, info.TraceID = parents[0], trace
		}
	}
	return info
}

var (
	validID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	// Version, trace, parent and flags. Versions later than 00 may be longer.
	traceParent = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)
)

// traceID returns the trace ID in a traceparent header.
func traceID(parent string) (id string, ok bool) {
	m := traceParent.FindStringSubmatch(parent)
	if m == nil || len(parent) > 256 || m[1] == "ff" || m[1] == "00" && m[4] != "" {
		return "", false
	}
	return m[2], strings.Trim(m[2], "0") != "" && strings.Trim(m[3], "0") != ""
}
