package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
)

func TestRequestID(t *testing.T) {
	d := newDirect(t, nil)
	for sent, taken := range map[string]bool{
		"abc-123_X.y": true, "a": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "a b": false, "a\nb": false, "<script>": false, "ä": false,
	} {
		got := d.do("GET", "/movies/", "alice", "", "X-Request-Id", sent).Header().Get("X-Request-Id")
		if got == "" || (got == sent) != taken {
			t.Errorf("%q was answered with %q", sent, got)
		}
	}
	if a, b := d.do("GET", "/movies/", "alice", ""), d.do("GET", "/movies/", "alice", ""); a.Header().Get("X-Request-Id") == b.Header().Get("X-Request-Id") {
		t.Error("two requests have one id")
	}
}

func TestTraceContext(t *testing.T) {
	const trace = "0af7651916cd43dd8448eb211c80319c"
	var log bytes.Buffer
	d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) {
		o.AccessLog = slog.New(slog.NewTextHandler(&log, nil))
	})
	for parent, want := range map[string]string{
		"00-" + trace + "-b7ad6b7169203331-01":                   trace,
		"01-" + trace + "-b7ad6b7169203331-01-more":              trace,
		"00-" + trace + "-b7ad6b7169203331-01-more":              "",
		"ff-" + trace + "-b7ad6b7169203331-01":                   "",
		"00-" + strings.ToUpper(trace) + "-b7ad6b7169203331-01":  "",
		"00-" + strings.Repeat("0", 32) + "-b7ad6b7169203331-01": "",
		"00-" + trace + "-0000000000000000-01":                   "",
		"00-" + trace:                                            "",
		"":                                                       "",
	} {
		log.Reset()
		d.do("POST", "/movies/", "alice", newMovie, "traceparent", parent, "X-Request-Id", "r1")
		if line := log.String(); !strings.Contains(line, "request=r1 ") || strings.Contains(line, "trace="+want) != (want != "") || strings.Contains(line, "trace=") != (want != "") {
			t.Errorf("%q: %s", parent, &log)
		}
	}
}

// TestAccessLog holds that there is one line a request, without anything that opens doors.
func TestAccessLog(t *testing.T) {
	var log bytes.Buffer
	var mu sync.Mutex
	w := newWorld(t, func(o *httpapi.Options, _ *motion.Config) {
		o.AccessLog = slog.New(slog.NewTextHandler(&locked{&mu, &log}, nil))
	})
	m := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(picture())), "Idempotency-Key", "secret-key").get(t)
	link := m["uploadUrl"].(string)
	w.do("PUT", link, "", string(picture()))
	w.do("GET", "/images/999/", w.token, "")
	w.server.Close() // waits for the handlers
	text := log.String()
	if n := strings.Count(text, "\n"); n != 3 {
		t.Errorf("%d lines", n)
	}
	for _, want := range []string{"method=POST path=/anymotion/v1/images/ status=201", "method=PUT path=/anymotion/v1/files/images/1 status=200", "status=404", "client=alice"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
	_, signature, _ := strings.Cut(link, "signature=")
	for _, secret := range []string{w.token, signature, "secret-key", "?"} {
		if strings.Contains(text, secret) {
			t.Errorf("the log shows %q:\n%s", secret, text)
		}
	}
}

type locked struct {
	mu *sync.Mutex
	b  *bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// counts are the metrics of a test.
type counts []string

func (c *counts) record(_ context.Context, r httpapi.RequestStats) {
	*c = append(*c, fmt.Sprint(r.Method, " ", r.Route, " ", r.Status, " ", r.Sent > 0 && r.Duration > 0))
}

// TestMetrics holds that requests are counted by routes of which there are few.
func TestMetrics(t *testing.T) {
	var got counts
	auth := func(r *http.Request) (httpapi.Identity, error) {
		if r.Header.Get("Authorization") == "Bearer panic" {
			panic("here")
		}
		return byToken(r)
	}
	d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) { o.Metrics = got.record; o.Authenticator = auth })
	for _, c := range []struct{ method, path, token, body, want string }{
		{"POST", "/movies/", "alice", newMovie, "POST /movies/ 201 true"},
		{"GET", "/movies/1/", "alice", "", "GET /movies/{id}/ 200 true"},
		{"GET", "/movies/nonsense/", "alice", "", "GET /movies/{id}/ 404 true"},
		{"GET", "/movies/", "panic", "", "GET /movies/ 500 true"},
		{"GET", "/nonsense/", "alice", "", "GET  404 true"},
		{"BREW", "/movies/", "alice", "", "other /movies/ 405 true"},
		{"PUT", "/files/movies/1", "alice", "x", "PUT /files/movies/{id} 403 true"},
		{"GET", "/files/drawings/1.jpg", "alice", "", "GET /files/drawings/{file} 403 true"},
		{"GET", "/docs/", "alice", "", "GET /docs/ 200 true"},
	} {
		got = nil
		if d.do(c.method, c.path, c.token, c.body); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s %s: %q, want %q", c.method, c.path, got, c.want)
		}
	}
}

// FuzzHeaders holds that no header breaks a request, or comes back as it was.
func FuzzHeaders(f *testing.F) {
	f.Add("abc", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "k", "Bearer alice")
	f.Add("a b", "00-0-0-0", "k\x00", "Basic x")
	d := newDirect(f, nil)
	sane := regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	f.Fuzz(func(t *testing.T, id, parent, key, authorization string) {
		req := httptest.NewRequest("POST", "/movies/", strings.NewReader(newMovie))
		req.Header = http.Header{
			"X-Request-Id": {id}, "Traceparent": {parent}, "Idempotency-Key": {key},
			"Authorization": {authorization}, "Content-Type": {"application/json"},
		}
		rec := httptest.NewRecorder()
		checkedAnswers(t, d.api).ServeHTTP(rec, req)
		if rec.Code >= 500 || !sane.MatchString(rec.Header().Get("X-Request-Id")) {
			t.Fatalf("%d %v", rec.Code, rec.Header())
		}
	})
}
