package httpapi_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
)

// counting is a Versioned store that counts what is read of it.
type counting struct {
	storage.Versioned
	reads int
}

func (c *counting) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	c.reads++
	return c.Versioned.Get(ctx, key)
}

func (c *counting) List(ctx context.Context, owner string, kind storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	c.reads++
	return c.Versioned.List(ctx, owner, kind, f)
}

// TestAgain asks for the same again: the store is read once, until something changes.
func TestAgain(t *testing.T) {
	store := &counting{}
	d := newDirect(t, func(o *httpapi.Options, c *motion.Config) {
		store.Versioned = c.Store.(storage.Versioned)
		c.Store, o.TrustForwarded = store, true
	})
	if r := d.do("POST", "/movies/", "alice", newMovie); r.Code != 201 {
		t.Fatal(r.Code, r.Body)
	}
	get := func(read bool, client, path string, status int, want string, header ...string) {
		t.Helper()
		before := store.reads
		r := d.do("GET", path, client, "", header...)
		if r.Code != status || !strings.Contains(r.Body.String(), want) {
			t.Errorf("%s %s: %d %s, want %d with %s", client, path, r.Code, r.Body, status, want)
		}
		if got := store.reads > before; got != read {
			t.Errorf("%s %s: the store was read: %t, want %t", client, path, got, read)
		}
		if r.Header().Get("X-Request-Id") == "" || r.Header().Get("Cache-Control") != "no-store" && status == 200 {
			t.Errorf("%s %s: header %v", client, path, r.Header())
		}
	}
	for _, path := range []string{"/movies/1/", "/movies/", "/movies/?size=1"} {
		get(true, "alice", path, 200, `"name":"m"`)
		get(false, "alice", path, 200, `"name":"m"`)
	}
	// To others nothing of it.
	get(true, "bob", "/movies/1/", 404, "")
	get(true, "bob", "/movies/1/", 404, "")
	get(true, "bob", "/movies/", 200, `"data":[]`)
	// What is made of another request is another answer.
	get(true, "alice", "/movies/?page=2&size=1", 200, `"previous":"http://example.com/movies/?page=1`)
	get(true, "alice", "/movies/?page=2&size=1", 200, `"previous":"https://front/api/movies/?page=1`,
		"X-Forwarded-Proto", "https", "X-Forwarded-Host", "front", "X-Forwarded-Prefix", "/api")
	// Changes show at once.
	if r := d.do("PATCH", "/movies/1/", "alice", `{"name":"another"}`); r.Code != 200 {
		t.Fatal(r.Code, r.Body)
	}
	get(true, "alice", "/movies/1/", 200, `"name":"another"`)
	get(true, "alice", "/movies/", 200, `"name":"another"`)
	if r := d.do("DELETE", "/movies/1/", "alice", ""); r.Code != 204 {
		t.Fatal(r.Code, r.Body)
	}
	get(true, "alice", "/movies/1/", 404, "")
	get(true, "alice", "/movies/", 200, `"data":[]`)
}

// TestAgainBounded asks for more pages than are kept.
func TestAgainBounded(t *testing.T) {
	store := &counting{}
	d := newDirect(t, func(_ *httpapi.Options, c *motion.Config) {
		store.Versioned = c.Store.(storage.Versioned)
		c.Store = store
	})
	const pages = 80_000 // of about 350 bytes each
	for i := range pages {
		d.ask("GET", fmt.Sprintf("/movies/?page=%d", i+1), "alice")
	}
	before := store.reads
	d.ask("GET", "/movies/?page=1", "alice")
	if store.reads == before {
		t.Error("the first page is still kept")
	}
	before = store.reads
	d.ask("GET", fmt.Sprintf("/movies/?page=%d", pages), "alice")
	if store.reads != before {
		t.Error("the last page is not kept")
	}
}
