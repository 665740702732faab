package viewer_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/viewer"
)

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func handler(t *testing.T) http.Handler {
	t.Helper()
	h, err := viewer.New(viewer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// sources returns the names of the page's files with these extensions, below its folder.
func sources(t *testing.T, extensions ...string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS("page"), ".", func(name string, _ fs.DirEntry, err error) error {
		if slices.Contains(extensions, path.Ext(name)) {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files (%v)", len(names), err)
	}
	return names
}

func ask(h http.Handler, method, target string, change ...func(*http.Request)) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// TestFiles: every file is served whole, with its type and the policy.
func TestFiles(t *testing.T) {
	h := handler(t)
	types := map[string]string{
		".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
		".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".jpg": "image/jpeg",
	}
	served := 0
	err := fs.WalkDir(os.DirFS("page"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		served++
		want, err := os.ReadFile(path.Join("page", name))
		if err != nil {
			return err
		}
		at := "/viewer/" + name
		if name == "index.html" {
			at, want = "/", bytes.Replace(want, []byte("<html"), []byte(`<html data-api="/anymotion/v1/"`), 1)
		}
		resp := ask(h, "GET", at)
		got, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK || string(got) != string(want) {
			t.Errorf("GET %s: %s, %d bytes of %d (%v)", at, resp.Status, len(got), len(want), err)
		}
		for header, want := range map[string]string{
			"Content-Type": types[path.Ext(name)], "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
			"Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
			"Referrer-Policy":    "no-referrer", "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-cache",
		} {
			if got := resp.Header.Get(header); got != want || want == "" {
				t.Errorf("GET %s: %s is %q, want %q", at, header, got, want)
			}
		}
		tag := resp.Header.Get("ETag")
		if resp := ask(h, "GET", at, func(r *http.Request) { r.Header.Set("If-None-Match", tag) }); tag == "" || resp.StatusCode != http.StatusNotModified {
			t.Errorf("GET %s again: %s", at, resp.Status)
		}
		return nil
	})
	if err != nil || served < 10 {
		t.Errorf("%d files (%v)", served, err)
	}
}

// TestOptions: the page has the path and the title that the host gives it, and the token of its login.
func TestOptions(t *testing.T) {
	login := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	h, err := viewer.New(viewer.Options{Login: login, Path: "/club/", Title: "<Jump> & run"})
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(ask(h, "GET", "/club/").Body)
	if n := strings.Count(string(body), "&lt;Jump&gt; &amp; run</"); err != nil || n != 2 || bytes.Contains(body, []byte("Motion viewer")) {
		t.Errorf("the title is there %d times (%v):\n%s", n, err, body)
	}
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/club/viewer/main.js", 200},
		{"GET", "/viewer/main.js", 404},
		{"GET", "/", 404},
		{"POST", "/club/viewer/token", 418},
		{"GET", "/club/viewer/token", 404},
	} {
		if resp := ask(h, c.method, c.path); resp.StatusCode != c.status {
			t.Errorf("%s %s: %s, want %d", c.method, c.path, resp.Status, c.status)
		}
	}
	if resp := ask(handler(t), "POST", "/viewer/token"); resp.StatusCode != 204 || resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("without a login: %s %v", resp.Status, resp.Header)
	}
	for _, path := range []string{"club/", "/club", "club"} {
		for _, opt := range []viewer.Options{{Path: path}, {API: path}} {
			if _, err := viewer.New(opt); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if !bytes.Contains(body, []byte(`data-api="/club/anymotion/v1/"`)) {
		t.Error("the page does not know where the API is")
	}
	if h, err = viewer.New(viewer.Options{API: `/a"b/`}); err != nil {
		t.Fatal(err)
	}
	if body, err = io.ReadAll(ask(h, "GET", "/").Body); err != nil || !bytes.Contains(body, []byte(`data-api="/a&#34;b/"`)) {
		t.Errorf("the API at another path: %v\n%s", err, body[:200])
	}
}

// TestTitle: the page has the title that its dictionary knows as its own.
func TestTitle(t *testing.T) {
	body, err := io.ReadAll(ask(handler(t), "GET", "/").Body)
	words, err2 := os.ReadFile("words/base.json")
	known, err3 := os.ReadFile("page/base/i18n.js")
	if title := "Motion viewer"; err != nil || err2 != nil || err3 != nil || !bytes.Contains(known, []byte("own = '"+title+"',")) || !bytes.Contains(words, []byte(`"title": {"en": "`+title+`",`)) || strings.Count(string(body), ">"+title+"</") != 2 {
		t.Errorf("%v %v %v\n%s", err, err2, err3, body)
	}
}

// TestPacked: text is sent compressed to those who take it, and what a first visit loads stays small.
func TestPacked(t *testing.T) {
	h := handler(t)
	sent, begin := 0, 0
	load, _ := first(t)
	for _, name := range load {
		at := "/viewer/" + name
		if name == "index.html" {
			at = "/"
		}
		body, err := io.ReadAll(ask(h, "GET", at, func(r *http.Request) { r.Header.Set("Accept-Encoding", "gzip") }).Body)
		if err != nil {
			t.Fatal(err)
		}
		begin += len(body)
	}
	if begin < 50_000 || begin > 102_000 {
		t.Errorf("a first visit loads %d bytes: %v", begin, load)
	}
	for _, name := range sources(t, ".js", ".css") {
		resp := ask(h, "GET", "/viewer/"+name, func(r *http.Request) { r.Header.Set("Accept-Encoding", "br;q=1.0, gzip;q=0.8") })
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.Header.Get("Content-Encoding") != "gzip" || resp.Header.Get("Vary") != "Accept-Encoding" {
			t.Fatalf("%s: %v %v", name, resp.Header, err)
		}
		sent += len(body)
		unpacked, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(unpacked)
		want, _ := os.ReadFile(path.Join("page", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes of %d (%v)", name, len(got), len(want), err)
		}
		for _, accept := range []string{"", "br", "gzip;q=0", "identity, gzip; q=0.0"} {
			plain := ask(h, "GET", "/viewer/"+name, func(r *http.Request) { r.Header.Set("Accept-Encoding", accept) })
			if plain.Header.Get("Content-Encoding") != "" || plain.Header.Get("ETag") == resp.Header.Get("ETag") {
				t.Errorf("%s with %q: %v", name, accept, plain.Header)
			}
		}
	}
	if sent == 0 || sent > 265_000 {
		t.Errorf("scripts and styles have %d bytes", sent)
	}
}

func TestPolicy(t *testing.T) {
	for _, part := range []string{"unsafe", "http", "*", "data:"} {
		if strings.Contains(policy, part) {
			t.Errorf("the policy allows %q: %s", part, policy)
		}
	}
	// What the policy would refuse is not there.
	text, err := os.ReadFile("page/index.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, inline := range []string{`\son\w+=`, `\sstyle=`, `<style`, `<script(?:\s+type="module")?>`, `https?://`} {
		if m := regexp.MustCompile(inline).Find(text); m != nil {
			t.Errorf("index.html has %q", m)
		}
	}
}

func TestOtherRequests(t *testing.T) {
	h := handler(t)
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"HEAD", "/", 200},
		{"POST", "/", 405},
		{"DELETE", "/viewer/main.js", 405},
		{"GET", "/nothing", 404},
		{"GET", "/anymotion/v2/movies/", 404},
		{"GET", "/viewer/", 404},
		{"GET", "/viewer/index.html", 404},
		{"GET", "/viewer/../viewer.go", 404},
	} {
		resp := ask(h, c.method, c.path)
		if resp.StatusCode != c.status || (resp.Header.Get("Content-Type") == "application/problem+json") != (c.status >= 400) {
			t.Errorf("%s %s: %s of type %s, want %d", c.method, c.path, resp.Status, resp.Header.Get("Content-Type"), c.status)
		}
	}
}

// TestRange: a range past the end of a file is refused as the API does.
func TestRange(t *testing.T) {
	for _, accept := range []string{"", "gzip"} {
		resp := ask(handler(t), "GET", "/viewer/main.js", func(r *http.Request) {
			r.Header.Set("Range", "bytes=10000000-")
			r.Header.Set("Accept-Encoding", accept)
		})
		if resp.StatusCode != 416 || resp.Header.Get("Content-Type") != "application/problem+json" || resp.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %v", resp.Status, resp.Header)
		}
	}
}

// TestLocalToken: who gets a token without a secret.
func TestLocalToken(t *testing.T) {
	tokens, err := httpapi.NewCredentials(map[string]string{"someone": "very-secret"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	h := viewer.LocalToken(tokens, "someone", "very-secret", "key-of-the-page")
	page, err := viewer.New(viewer.Options{Login: h})
	if err != nil {
		t.Fatal(err)
	}
	visit := ask(page, "GET", "/?key=key-of-the-page")
	cookies := visit.Cookies()
	if visit.StatusCode != 303 || visit.Header.Get("Location") != "/" || len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || cookies[0].Path != "/viewer/token" {
		t.Fatalf("the first visit: %s %v", visit.Status, visit.Header)
	}
	for _, path := range []string{"/?key=key-of-the-pag", "/?key=", "/?key=key-of-the-page1"} {
		if resp := ask(page, "GET", path); resp.StatusCode != 303 || len(resp.Cookies()) != 0 {
			t.Errorf("%s: %s %v", path, resp.Status, resp.Header)
		}
	}
	mine, none, wrong := []*http.Cookie{cookies[0]}, []*http.Cookie(nil), []*http.Cookie{{Name: cookies[0].Name, Value: "key"}}
	for _, c := range []struct {
		name         string
		cookies      []*http.Cookie
		remote, host string
		headers      []string
		status       int
	}{
		{"this machine", mine, "127.0.0.1:50000", "127.0.0.1:8080", []string{"Origin", "http://127.0.0.1:8080"}, 200},
		{"by name", mine, "127.0.0.1:50000", "localhost:8080", []string{"Origin", "http://localhost:8080", "Sec-Fetch-Site", "same-origin"}, 200},
		{"IPv6", mine, "[::1]:50000", "[::1]:8080", []string{"Referer", "http://[::1]:8080/"}, 200},
		{"another machine", mine, "192.0.2.7:50000", "127.0.0.1:8080", []string{"Origin", "http://127.0.0.1:8080"}, 204},
		{"a foreign name for this machine", mine, "127.0.0.1:50000", "attacker.example:8080", []string{"Origin", "http://attacker.example:8080"}, 204},
		{"a name that looks local", mine, "127.0.0.1:50000", "localhost.attacker.example", []string{"Origin", "http://localhost.attacker.example"}, 204},
		{"a proxy", mine, "127.0.0.1:50000", "127.0.0.1:8080", []string{"Origin", "http://127.0.0.1:8080", "X-Forwarded-For", "192.0.2.7"}, 204},
		{"a browser behind a proxy that adds no headers", mine, "127.0.0.1:50000", "127.0.0.1:8080",
			[]string{"Origin", "https://clinic.example", "Sec-Fetch-Site", "same-origin"}, 204},
		{"one that sends the Referer alone", mine, "127.0.0.1:50000", "127.0.0.1:8080",
			[]string{"Referer", "https://clinic.example/", "Sec-Fetch-Site", "same-origin"}, 204},
		{"no page", mine, "127.0.0.1:50000", "127.0.0.1:8080", nil, 204},
		{"a page without an address", mine, "127.0.0.1:50000", "127.0.0.1:8080", []string{"Origin", "null", "Sec-Fetch-Site", "same-origin"}, 204},
		{"a page of another site", mine, "127.0.0.1:50000", "127.0.0.1:8080", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"a page of another port", mine, "127.0.0.1:50000", "127.0.0.1:8080", []string{"Origin", "http://127.0.0.1:9000"}, 403},
		{"a program behind a proxy, without the key", none, "127.0.0.1:50000", "localhost", []string{"Referer", "http://localhost/"}, 204},
		{"a program with a wrong key", wrong, "127.0.0.1:50000", "localhost", []string{"Referer", "http://localhost/"}, 204},
	} {
		resp := ask(page, "POST", "/viewer/token", func(r *http.Request) {
			r.RemoteAddr, r.Host = c.remote, c.host
			for _, one := range c.cookies {
				r.AddCookie(one)
			}
			for i := 0; i < len(c.headers); i += 2 {
				r.Header.Set(c.headers[i], c.headers[i+1])
			}
		})
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != c.status || strings.Contains(string(body), "accessToken") != (c.status == 200) {
			t.Errorf("%s: %s %s (%v), want %d", c.name, resp.Status, body, err, c.status)
		}
	}
}

func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:8080": true, "127.8.8.8": true, "localhost": true, "LOCALHOST:1": true, "[::1]:8080": true, "[::1]": true,
		"0.0.0.0:8080": false, "[::]:8080": false, "192.0.2.7:80": false, "example.com": false, "": false, ":8080": false,
	} {
		if got := viewer.Loopback(address); got != want {
			t.Errorf("Loopback(%q) is %v", address, got)
		}
	}
}
