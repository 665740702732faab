package httpapi_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
)

// TestMount: a handler serves under a prefix that is stripped or that it knows. Mounted in another
// way, its answers and one line of the log say what is missing.
func TestMount(t *testing.T) {
	strip := func(prefix string) func(http.Handler) http.Handler {
		return func(h http.Handler) http.Handler { return http.StripPrefix(prefix, h) }
	}
	bare := func(h http.Handler) http.Handler { return h }
	for name, c := range map[string]struct {
		prefix  string // of Options
		mount   func(http.Handler) http.Handler
		path    string
		status  int
		expects string // the path that the handler expects; "" where nothing is said
	}{
		"stripped":             {"", strip("/anymotion/v1"), "/anymotion/v1/movies/", 200, ""},
		"stripped with slash":  {"", strip("/anymotion/v1/"), "/anymotion/v1/movies/", 200, ""},
		"prefix":               {"/anymotion/v1", bare, "/anymotion/v1/movies/", 200, ""},
		"prefix with slash":    {"/anymotion/v1/", bare, "/anymotion/v1/movies/", 200, ""},
		"at the root":          {"", bare, "/movies/", 200, ""},
		"neither":              {"", bare, "/anymotion/v1/movies/", 404, `\"/movies/\"`},
		"neither, one record":  {"", bare, "/anymotion/v1/movies/7/", 404, `\"/movies/7/\"`},
		"neither, document":    {"", bare, "/anymotion/v1/openapi.json", 404, `\"/openapi.json\"`},
		"neither, link":        {"", bare, "/anymotion/v1/files/images/7", 404, `\"/files/images/7\"`},
		"both":                 {"/anymotion/v1", strip("/anymotion/v1"), "/anymotion/v1/movies/", 404, `\"/anymotion/v1/movies/\"`},
		"half":                 {"", strip("/anymotion"), "/anymotion/v1/movies/", 404, `\"/movies/\"`},
		"another prefix":       {"/motion/v1", bare, "/anymotion/v1/movies/", 404, `\"/motion/v1/movies/\"`},
		"no address of ours":   {"", bare, "/people/", 404, ""},
		"nothing below it":     {"", bare, "/movies/7/images/", 404, ""},
		"the root":             {"", bare, "/", 404, ""},
		"two slashes":          {"", bare, "/movies//", 404, ""},
		"dots":                 {"", bare, "/movies/7/../8/", 404, ""},
		"no address, prefix":   {"/anymotion/v1", bare, "/anymotion/v1/people/", 404, ""},
		"below, with a prefix": {"/anymotion/v1", bare, "/anymotion/v1/movies/7/images/", 404, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) {
				o.Prefix, o.Logger = c.prefix, slog.New(slog.NewTextHandler(&log, nil))
			})
			for range 2 {
				r := httptest.NewRequest("GET", c.path, nil)
				r.Header.Set("Authorization", "Bearer alice")
				rec := httptest.NewRecorder()
				c.mount(d.api).ServeHTTP(rec, r)
				if rec.Code != c.status {
					t.Errorf("%d %s, want %d", rec.Code, rec.Body, c.status)
				}
				for _, words := range []string{"http.StripPrefix", "Options.Prefix", c.expects} {
					if strings.Contains(rec.Body.String(), words) != (c.expects != "") && words != "" {
						t.Errorf("%q in the answer: %s", words, rec.Body)
					}
				}
			}
			lines := 0
			for line := range strings.Lines(log.String()) {
				if strings.Contains(line, "http.StripPrefix") && strings.Contains(line, "Options.Prefix") {
					lines++
				}
			}
			want := 0
			if c.expects != "" {
				want = 1
			}
			if lines != want {
				t.Errorf("%d lines in the log, want %d: %s", lines, want, log.String())
			}
		})
	}
}

// TestRefusedReads holds the headers of documents in refusals, and that a link without a file is invalid.
func TestRefusedReads(t *testing.T) {
	d := newDirect(t, nil)
	for _, c := range []struct {
		method, path string
		status       int
		header       string
	}{
		{"POST", "/docs/", 405, "Content-Security-Policy"},
		{"POST", "/openapi.json", 405, "Access-Control-Allow-Origin"},
		{"PUT", "/files/movies/", 403, "Cache-Control"},
		{"GET", "/files/drawings/", 403, "Cache-Control"},
	} {
		if r := d.do(c.method, c.path, "alice", ""); r.Code != c.status || r.Header().Get(c.header) == "" {
			t.Errorf("%s %s: %d %v", c.method, c.path, r.Code, r.Header())
		}
	}
}
