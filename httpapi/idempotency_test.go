package httpapi_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
)

// movies says how many movies a client has.
func (d *direct) movies(client string) int {
	d.t.Helper()
	_, total, err := d.service.Movies(context.Background(), client, motion.Page{})
	if err != nil {
		d.t.Fatal(err)
	}
	return total
}

// fresh is what a link has anew when the same record is answered again.
var fresh = regexp.MustCompile(`expires=.*?"`)

func TestIdempotencyKey(t *testing.T) {
	d := newDirect(t, nil)
	first := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k1")
	again := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k1")
	// The link of the second answer may be fresher.
	record := func(r *httptest.ResponseRecorder) string { return fresh.ReplaceAllString(r.Body.String(), "") }
	if first.Code != 201 || again.Code != 201 || record(first) != record(again) || d.movies("alice") != 1 {
		t.Errorf("%d %s, then %d %s, %d movies", first.Code, first.Body, again.Code, again.Body, d.movies("alice"))
	}
	if got, want := again.Header().Get("Location"), first.Header().Get("Location"); got != want || got == "" {
		t.Errorf("Location %q, want %q", got, want)
	}
	if first.Header().Get("Idempotent-Replayed") != "" || again.Header().Get("Idempotent-Replayed") != "true" {
		t.Error("the second answer does not say that it is the first one again, or the first one does")
	}
	for name, r := range map[string]*httptest.ResponseRecorder{
		"another body": d.do("POST", "/movies/", "alice", strings.Replace(newMovie, "m", "n", 1), "Idempotency-Key", "k1"),
		"another path": d.do("POST", "/images/", "alice", newMovie, "Idempotency-Key", "k1"),
	} {
		if r.Code != 422 {
			t.Errorf("%s: %d", name, r.Code)
		}
	}
	for _, key := range []string{"", strings.Repeat("k", 256), "k\tk", "kö"} {
		if r := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", key); r.Code != 400 {
			t.Errorf("key %q: %d", key, r.Code)
		}
	}
	if d.movies("alice") != 1 {
		t.Errorf("%d movies", d.movies("alice"))
	}
	if r := d.do("POST", "/movies/", "bob", newMovie, "Idempotency-Key", "k1"); r.Code != 201 || d.movies("bob") != 1 {
		t.Errorf("the key of another client: %d, %d movies", r.Code, d.movies("bob"))
	}
	if r := d.do("POST", "/movies/", "alice", newMovie); r.Code != 201 || d.movies("alice") != 2 {
		t.Errorf("without a key: %d, %d movies", r.Code, d.movies("alice"))
	}
}

// TestIdempotencyKeyFreed holds that a key whose request made nothing can be used again.
func TestIdempotencyKeyFreed(t *testing.T) {
	d := newDirect(t, nil)
	for body, want := range map[string]int{`{`: 400, `{"contentMd5":"x"}`: 400} {
		if r := d.do("POST", "/movies/", "alice", body, "Idempotency-Key", "k"); r.Code != want {
			t.Errorf("%s: %d", body, r.Code)
		}
	}
	if r := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k"); r.Code != 201 {
		t.Errorf("the right body: %d %s", r.Code, r.Body)
	}
}

func TestIdempotencyKeyExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDirect(t, nil)
		post := func() { d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k") }
		post()
		time.Sleep(24*time.Hour - time.Second)
		if post(); d.movies("alice") != 1 {
			t.Errorf("%d movies within 24 hours", d.movies("alice"))
		}
		time.Sleep(time.Second)
		if post(); d.movies("alice") != 2 {
			t.Errorf("%d movies after 24 hours", d.movies("alice"))
		}
	})
}

// TestIdempotencyKeysBounded holds that the oldest keys of a client make room for its new
// ones, and leave those of others alone.
func TestIdempotencyKeysBounded(t *testing.T) {
	d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) { o.IdempotencyKeys = 2 })
	replayed := func(client, key string) bool {
		return d.do("POST", "/movies/", client, newMovie, "Idempotency-Key", key).Header().Get("Idempotent-Replayed") == "true"
	}
	replayed("bob", "k1")
	for _, key := range []string{"k1", "k2", "k3"} {
		replayed("alice", key)
	}
	if !replayed("bob", "k1") || !replayed("alice", "k2") || !replayed("alice", "k3") {
		t.Error("a key has gone too early")
	}
	if replayed("alice", "k1") {
		t.Error("the oldest key is still there")
	}
}

// TestIdempotencyMemory holds that all answers together fit into a memory that is bounded,
// and that nothing is forgotten of what it takes.
func TestIdempotencyMemory(t *testing.T) {
	const limit = 100_000
	d := newDirect(t, nil)
	d.api.SetReplayBytes(limit)
	body := fmt.Sprintf(`{"text":%q,"contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg=="}`, strings.Repeat("x", 9000))
	post := func(i int) bool {
		r := d.do("POST", "/movies/", fmt.Sprint("client", i%7), body, "Idempotency-Key", fmt.Sprint("k", i))
		if n := d.api.ReplayBytes(); n > limit || n < 0 {
			t.Fatalf("%d bytes after request %d", n, i)
		}
		return r.Header().Get("Idempotent-Replayed") == "true"
	}
	for i := range 50 {
		post(i)
	}
	if !post(49) || post(0) {
		t.Error("the newest has gone, or the oldest has stayed")
	}
	d.do("POST", "/movies/", "client0", `{`, "Idempotency-Key", "freed")
	d.api.SetReplayBytes(0)
	d.do("POST", "/movies/", "client0", newMovie, "Idempotency-Key", "x")
	if n := d.api.ReplayBytes(); n != 0 {
		t.Errorf("%d bytes when nothing is kept", n)
	}
}

func TestIdempotencyOff(t *testing.T) {
	d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) { o.IdempotencyKeys = -1 })
	for range 2 {
		if r := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k"); r.Code != 201 {
			t.Errorf("%d", r.Code)
		}
	}
	if d.movies("alice") != 2 {
		t.Errorf("%d movies", d.movies("alice"))
	}
}

// gate is a store whose Create waits.
type gate struct {
	storage.Store
	entered chan struct{}
	open    chan error // what Create does after the wait: an error, nil to go on
}

func (g gate) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
	g.entered <- struct{}{}
	if err := <-g.open; err != nil {
		if err == errPanic {
			panic(err)
		}
		return storage.Record{}, err
	}
	return g.Store.Create(ctx, r)
}

var errPanic = fmt.Errorf("panic")

func TestIdempotencyUnderWay(t *testing.T) {
	g := gate{entered: make(chan struct{}), open: make(chan error)}
	d := newDirect(t, func(_ *httpapi.Options, c *motion.Config) { g.Store = c.Store; c.Store = g })
	post := func() *httptest.ResponseRecorder {
		return d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k")
	}
	for _, c := range []struct {
		fault  error
		status int
	}{{storage.ErrUnavailable, 503}, {errPanic, 500}, {nil, 201}} {
		answer := make(chan *httptest.ResponseRecorder)
		go func() { answer <- post() }()
		<-g.entered
		if r := post(); r.Code != 409 || r.Header().Get("Retry-After") == "" {
			t.Errorf("while the first is under way: %d %v", r.Code, r.Header())
		}
		g.open <- c.fault
		if r := <-answer; r.Code != c.status {
			t.Errorf("the first: %d, want %d", r.Code, c.status)
		}
	}
	if r := post(); r.Code != 201 || r.Header().Get("Idempotent-Replayed") != "true" || d.movies("alice") != 1 {
		t.Errorf("at last: %d, %d movies", r.Code, d.movies("alice"))
	}
}
