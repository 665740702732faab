package httpapi_test

import (
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
)

// TestAgain asks for the same again and again: each answer is of what is stored then, and of
// nothing that was answered to others.
func TestAgain(t *testing.T) {
	d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) { o.TrustForwarded = true })
	if r := d.do("POST", "/movies/", "alice", newMovie); r.Code != 201 {
		t.Fatal(r.Code, r.Body)
	}
	get := func(client, path string, status int, want string, header ...string) {
		t.Helper()
		r := d.do("GET", path, client, "", header...)
		if r.Code != status || !strings.Contains(r.Body.String(), want) {
			t.Errorf("%s %s: %d %s, want %d with %s", client, path, r.Code, r.Body, status, want)
		}
		if r.Header().Get("X-Request-Id") == "" || r.Header().Get("Cache-Control") != "no-store" && status == 200 {
			t.Errorf("%s %s: header %v", client, path, r.Header())
		}
	}
	for _, path := range []string{"/movies/1/", "/movies/", "/movies/?size=1"} {
		get("alice", path, 200, `"name":"m"`)
		get("alice", path, 200, `"name":"m"`)
	}
	// To others nothing of it.
	get("bob", "/movies/1/", 404, "")
	get("bob", "/movies/1/", 404, "")
	get("bob", "/movies/", 200, `"data":[]`)
	// What is made of another request is another answer.
	get("alice", "/movies/?page=2&size=1", 200, `"previous":"http://example.com/movies/?page=1`)
	get("alice", "/movies/?page=2&size=1", 200, `"previous":"https://front/api/movies/?page=1`,
		"X-Forwarded-Proto", "https", "X-Forwarded-Host", "front", "X-Forwarded-Prefix", "/api")
	// Changes show at once.
	if r := d.do("PATCH", "/movies/1/", "alice", `{"name":"another"}`); r.Code != 200 {
		t.Fatal(r.Code, r.Body)
	}
	get("alice", "/movies/1/", 200, `"name":"another"`)
	get("alice", "/movies/", 200, `"name":"another"`)
	if r := d.do("DELETE", "/movies/1/", "alice", ""); r.Code != 204 {
		t.Fatal(r.Code, r.Body)
	}
	get("alice", "/movies/1/", 404, "")
	get("alice", "/movies/", 200, `"data":[]`)
}
