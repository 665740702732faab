package cluster_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestProxyWhenAllSay503: while the database is down, every process answers 503. The proxy passes that
// on, and keeps using them when the database is back.
func TestProxyWhenAllSay503(t *testing.T) {
	var away atomic.Bool
	process := func() string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if away.Load() {
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			io.WriteString(w, "from a process")
		}))
		t.Cleanup(s.Close)
		return strings.TrimPrefix(s.URL, "http://")
	}
	url := proxy(t, t.TempDir(), process(), process())
	for _, c := range []struct {
		away   bool
		status int
		retry  string
	}{{true, 503, "7"}, {true, 503, "7"}, {false, 200, ""}, {true, 503, "7"}, {false, 200, ""}} {
		away.Store(c.away)
		resp, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != c.status || resp.Header.Get("Retry-After") != c.retry || string(text) != "from a process" {
			t.Errorf("away %v: %s, Retry-After %q, %q (%v)", c.away, resp.Status, resp.Header.Get("Retry-After"), text, err)
		}
	}
}

// TestProxyWhenOneIsGone: requests that one process refuses go to the other, including POST.
func TestProxyWhenOneIsGone(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			io.Copy(w, r.Body)
		}
	}))
	t.Cleanup(there.Close)
	url := proxy(t, t.TempDir(), strings.TrimPrefix(gone.URL, "http://"), strings.TrimPrefix(there.URL, "http://"))
	gone.Close()
	for range 6 { // more than once around
		resp, err := http.Post(url, "text/plain", strings.NewReader("a body"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 200 || string(text) != "a body" {
			t.Errorf("%s %q (%v)", resp.Status, text, err)
		}
	}
}
