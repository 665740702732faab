package httpapi_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
)

func TestSlash(t *testing.T) {
	w := newWorld(t, nil)
	for _, method := range []string{"GET", "HEAD"} {
		r := w.do(method, "/movies?page=2", w.token, "")
		if want := w.server.URL + "/anymotion/v1/movies/?page=2"; r.status != 308 || r.header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", method, r.status, r.header.Get("Location"), want)
		}
	}
	if r := w.do("POST", "/movies", w.token, `{}`); !strings.Contains(string(r.body), w.server.URL+"/anymotion/v1/movies/") {
		t.Errorf("the right address is not named: %s", r.body)
	}
}

func TestUploads(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Limits.UploadBytes = 2000 })
	data := picture()
	m := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
	link := m["uploadUrl"].(string)
	put := func(body []byte, header ...string) int { return w.do("PUT", link, "", string(body), header...).status }
	if got := put([]byte("other bytes")); got != 400 {
		t.Errorf("other bytes: %d", got)
	}
	if got := put(make([]byte, 3000)); got != 413 {
		t.Errorf("too many bytes: %d", got)
	}
	if got := put(data, "Content-MD5", base64MD5([]byte("x"))); got != 400 {
		t.Errorf("another Content-MD5: %d", got)
	}
	detail := w.do("GET", "/images/1/", w.token, "").get(t)
	if detail["width"] != nil {
		t.Errorf("something was stored: %v", detail)
	}
	for range 2 {
		if got := put(data); got != 200 {
			t.Errorf("the right bytes: %d", got)
		}
	}
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(url.Values){
		"signature": func(q url.Values) { q.Set("signature", strings.Repeat("A", 43)) },
		"expires":   func(q url.Values) { q.Set("expires", "99999999999") },
		"client":    func(q url.Values) { q.Set("client", base64.RawURLEncoding.EncodeToString([]byte("bob"))) },
	} {
		q := u.Query()
		change(q)
		v := *u
		v.RawQuery = q.Encode()
		if r := w.do("PUT", v.String(), "", string(data)); r.status != 403 {
			t.Errorf("another %s: %d", name, r.status)
		}
	}
	v := *u
	v.Path = strings.Replace(u.Path, "/images/1", "/images/2", 1)
	if r := w.do("PUT", v.String(), "", string(data)); r.status != 403 {
		t.Errorf("another file: %d", r.status)
	}
}

func TestLinksExpireAndKeysRotate(t *testing.T) {
	old, fresh := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	w := newWorld(t, func(o *httpapi.Options, _ *motion.Config) { o.LinkKeys = [][]byte{old} })
	data := picture()
	link := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)["uploadUrl"].(string)
	serve := func(link string, keys ...[]byte) int {
		u, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		api, err := httpapi.New(w.service, httpapi.Options{Authenticator: anyone, LinkKeys: keys})
		if err != nil {
			t.Fatal(err)
		}
		rec := httptest.NewRecorder()
		checked(t, api).ServeHTTP(rec, httptest.NewRequest("PUT", strings.TrimPrefix(u.Path, "/anymotion/v1")+"?"+u.RawQuery, bytes.NewReader(data)))
		return rec.Code
	}
	if got := serve(link, fresh, old); got != 200 {
		t.Errorf("after rotation: %d", got)
	}
	if got := serve(link, fresh); got != 403 {
		t.Errorf("after the old key has gone: %d", got)
	}
	brief := newWorld(t, func(o *httpapi.Options, _ *motion.Config) { o.LinkKeys = [][]byte{old}; o.LinkTTL = time.Second })
	link = brief.do("POST", "/images/", brief.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)["uploadUrl"].(string)
	deadline := time.Now().Add(10 * time.Second)
	for serve(link, old) != 403 {
		if time.Now().After(deadline) {
			t.Fatal("the link does not expire")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestAddresses(t *testing.T) {
	for name, c := range map[string]struct {
		opt    httpapi.Options
		path   string
		header map[string]string
		want   string
	}{
		"at the root":   {httpapi.Options{}, "/movies/", nil, "http://example.com/movies/1/"},
		"prefix":        {httpapi.Options{Prefix: "/anymotion/v1/"}, "/anymotion/v1/movies/", nil, "http://example.com/anymotion/v1/movies/1/"},
		"base":          {httpapi.Options{BaseURL: "https://api.test/x/v1/"}, "/movies/", nil, "https://api.test/x/v1/movies/1/"},
		"not trusted":   {httpapi.Options{}, "/movies/", map[string]string{"X-Forwarded-Host": "evil.test"}, "http://example.com/movies/1/"},
		"trusted":       {httpapi.Options{TrustForwarded: true}, "/movies/", map[string]string{"X-Forwarded-Host": "a.test, b", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/p"}, "https://a.test/p/movies/1/"},
		"forwarded":     {httpapi.Options{TrustForwarded: true}, "/movies/", map[string]string{"Forwarded": `for=1.2.3.4;host="a.test";proto=https`}, "https://a.test/movies/1/"},
		"hostile proto": {httpapi.Options{TrustForwarded: true}, "/movies/", map[string]string{"X-Forwarded-Proto": "javascript"}, "http://example.com/movies/1/"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			c.opt.Authenticator = func(*http.Request) (httpapi.Identity, error) { return httpapi.Identity{Client: "x"}, nil }
			api, err := httpapi.New(w.service, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			req := httptest.NewRequest("POST", c.path, strings.NewReader(`{"contentMd5":"`+base64MD5(nil)+`"}`))
			req.Header.Set("Content-Type", "application/json; charset=utf-8")
			for k, v := range c.header {
				req.Header.Set(k, v)
			}
			rec := httptest.NewRecorder()
			checked(t, api).ServeHTTP(rec, req)
			if got := rec.Header().Get("Location"); rec.Code != 201 || got != c.want {
				t.Errorf("%d, Location %q, want %q\n%s", rec.Code, got, c.want, rec.Body)
			}
		})
	}
}

func TestFaultsShowNoInternals(t *testing.T) {
	w := newWorld(t, nil)
	for name, auth := range map[string]httpapi.Authenticator{
		"error": func(*http.Request) (httpapi.Identity, error) {
			return httpapi.Identity{}, fmt.Errorf("database password is hunter2")
		},
		"panic": func(*http.Request) (httpapi.Identity, error) { panic("hunter2") },
		"empty": func(*http.Request) (httpapi.Identity, error) { return httpapi.Identity{}, nil },
	} {
		var log bytes.Buffer
		api, err := httpapi.New(w.service, httpapi.Options{Authenticator: auth, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		rec := httptest.NewRecorder()
		checked(t, api).ServeHTTP(rec, httptest.NewRequest("GET", "/movies/", nil))
		var p map[string]any
		if err := json.Unmarshal(rec.Body.Bytes(), &p); err != nil || rec.Code != 500 || strings.Contains(rec.Body.String(), "hunter2") {
			t.Errorf("%s: %d %s", name, rec.Code, rec.Body)
		}
		if id, _ := p["requestId"].(string); id == "" || !strings.Contains(log.String(), id) {
			t.Errorf("%s: the request id %q is not in the log %s", name, id, log.String())
		}
	}
}

func TestTokens(t *testing.T) {
	w := newWorld(t, nil)
	for body, status := range map[string]int{
		`{"grantType":"client_credentials","clientId":"alice","clientSecret":"wrong"}`: 401,
		`{"grantType":"client_credentials","clientId":"nobody","clientSecret":"x"}`:    401,
		`{"grantType":"password","clientId":"alice","clientSecret":"secret-a"}`:        400,
		`{"clientId":"alice"}`: 400,
		`{`:                    400,
	} {
		r := w.do("POST", w.server.URL+"/oauth/v1/accesstokens", "", body)
		if r.status != status {
			t.Errorf("%s: %d, want %d", body, r.status, status)
		}
		checkProblem(t, r, "")
	}
	creds, err := httpapi.NewCredentials(map[string]string{"a": "b"}, time.Nanosecond)
	if err != nil {
		t.Fatal(err)
	}
	rec := httptest.NewRecorder()
	req := httptest.NewRequest("POST", "/", strings.NewReader(`{"grantType":"client_credentials","clientId":"a","clientSecret":"b"}`))
	req.Header.Set("Content-Type", "application/json")
	creds.ServeHTTP(rec, req)
	var answer map[string]string
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	get := httptest.NewRequest("GET", "/", nil)
	get.Header.Set("Authorization", "Bearer "+answer["accessToken"])
	if _, err := creds.Authenticate(get); err == nil {
		t.Error("an expired token is accepted")
	}
}

func FuzzBodies(f *testing.F) {
	f.Add("keypoints", `{"imageId":1}`)
	f.Add("analyses", `{"keypointId":1,"rule":[{"analysisType":"coordinate","points":["nose"]}]}`)
	f.Add("drawings", `{"keypoint_id":1,"rule":null,"backgroundRule":{"color":"red"}}`)
	f.Add("movies", `{"contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg==","name":null}`)
	w := newWorld(f, nil)
	api, err := httpapi.New(w.service, httpapi.Options{Authenticator: func(*http.Request) (httpapi.Identity, error) {
		return httpapi.Identity{Client: "x"}, nil
	}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, kind, body string) {
		if strings.ContainsAny(kind, "/?#% \x00") || kind == "" {
			return
		}
		req := httptest.NewRequest("POST", "/", strings.NewReader(body))
		req.URL.Path = "/" + kind + "/"
		req.Header.Set("Content-Type", "application/json")
		rec := httptest.NewRecorder()
		checkedAnswers(t, api).ServeHTTP(rec, req)
		if rec.Code >= 500 || !json.Valid(rec.Body.Bytes()) {
			t.Fatalf("%d %s", rec.Code, rec.Body)
		}
	})
}
