package httpapi_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// estimator finds the same person in every picture: this package is tested for what it
// makes of results, not for the results.
type estimator struct{}

func (estimator) Estimate(_ context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	var f keypoint.Frame
	for p, at := range map[keypoint.Part]keypoint.Point{
		keypoint.Nose: {10, 5.5}, keypoint.LeftShoulder: {14, 10}, keypoint.RightShoulder: {6, 10},
		keypoint.LeftHip: {13, 20}, keypoint.RightHip: {7, 20.25},
	} {
		f.Set(p, at, 0.875)
	}
	return f, nil
}

// world is a service with its API, mounted as a host would.
type world struct {
	t       testing.TB
	service *motion.Service
	api     *httpapi.Handler
	server  *httptest.Server
	token   string // of the client "alice"
	other   string // of the client "bob"
	reader  string // of "alice", for reading only
}

// credentials are those of the clients.
func credentials(t testing.TB) *httpapi.Credentials {
	t.Helper()
	creds, err := httpapi.NewCredentials(map[string]string{"alice": "secret-a", "bob": "secret-b"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return creds
}

func newWorld(t testing.TB, change func(*httpapi.Options, *motion.Config)) *world {
	t.Helper()
	creds := credentials(t)
	auth := func(r *http.Request) (httpapi.Identity, error) {
		if r.Header.Get("Authorization") == "Bearer reader" {
			return httpapi.Identity{Client: "alice", ReadOnly: true}, nil
		}
		return creds.Authenticate(r)
	}
	cfg := motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: estimator{}, Logger: slog.New(slog.DiscardHandler), WorkDir: t.TempDir(),
	}
	opt := httpapi.Options{Authenticator: auth, Tokens: creds, Logger: cfg.Logger}
	if change != nil {
		change(&opt, &cfg)
	}
	w := &world{t: t, reader: "reader"}
	var err error
	if w.service, err = motion.New(cfg); err != nil {
		t.Fatal(err)
	}
	if w.api, err = httpapi.New(w.service, opt); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", checked(t, w.api)))
	mux.Handle("/oauth/v1/accesstokens", checked(t, creds))
	w.server = httptest.NewServer(mux)
	t.Cleanup(w.server.Close)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.service.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	w.token, w.other = w.login("alice", "secret-a"), w.login("bob", "secret-b")
	return w
}

func (w *world) login(id, secret string) string {
	w.t.Helper()
	body := fmt.Sprintf(`{"grantType":"client_credentials","clientId":%q,"clientSecret":%q}`, id, secret)
	resp, err := http.Post(w.server.URL+"/oauth/v1/accesstokens", "application/json", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer map[string]string // all members are strings
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode != 200 {
		w.t.Fatalf("token: %d %v", resp.StatusCode, err)
	}
	if answer["tokenType"] != "BearerToken" || answer["expiresIn"] != "86399" || answer["issuedAt"] == "" || len(answer["accessToken"]) < 43 {
		w.t.Fatalf("token: %v", answer)
	}
	return answer["accessToken"]
}

// reply is an answer that was read.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) get(t testing.TB) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(r.body, &m); err != nil {
		t.Fatalf("%d %s: %v", r.status, r.body, err)
	}
	return m
}

// do sends a request to a path of the API, or to an absolute address.
func (w *world) do(method, path, token, body string, header ...string) reply {
	w.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = w.server.URL + "/anymotion/v1" + path
	}
	req, err := http.NewRequest(method, path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, b}
}

func picture() []byte {
	m := image.NewRGBA(image.Rect(0, 0, 20, 30))
	for y := range 30 {
		for x := range 20 {
			m.Set(x, y, color.RGBA{uint8(x * 9), uint8(y * 7), 90, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func base64MD5(b []byte) string {
	sum := md5.Sum(b)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// image uploads a picture and returns its id.
func (w *world) image(token string) int64 {
	w.t.Helper()
	data := picture()
	r := w.do("POST", "/images/", token, fmt.Sprintf(`{"name":"a picture","content_md5":%q,"text":null}`, base64MD5(data)))
	m := r.get(w.t)
	if r.status != 201 {
		w.t.Fatalf("%d %s", r.status, r.body)
	}
	if r := w.do("PUT", m["uploadUrl"].(string), "", string(data), "Content-MD5", base64MD5(data), "Content-Type", "image/png"); r.status != 200 {
		w.t.Fatalf("upload: %d %s", r.status, r.body)
	}
	return int64(m["id"].(float64))
}

// record makes a record and waits until it is finished.
func (w *world) record(kind storage.Kind, token, body string) (int64, map[string]any) {
	w.t.Helper()
	r := w.do("POST", "/"+string(kind)+"/", token, body)
	m := r.get(w.t)
	if r.status != 201 || m["execStatus"] != "UNPROCESSED" && m["execStatus"] != "SUCCESS" {
		w.t.Fatalf("%d %s", r.status, r.body)
	}
	id := int64(m["id"].(float64))
	if want := fmt.Sprintf("%s/anymotion/v1/%s/%d/", w.server.URL, kind, id); r.header.Get("Location") != want {
		w.t.Errorf("Location %q, want %q", r.header.Get("Location"), want)
	}
	owner := "alice"
	if token == w.other {
		owner = "bob"
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := w.service.Wait(ctx, owner, kind, id); err != nil {
		w.t.Fatal(err)
	}
	return id, w.do("GET", fmt.Sprintf("/%s/%d/", kind, id), token, "").get(w.t)
}
