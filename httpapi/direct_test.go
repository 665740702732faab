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
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// direct is a handler that is called without a network, and whose jobs nobody works on.
type direct struct {
	t       testing.TB
	service *motion.Service
	api     *httpapi.Handler
}

// byToken is an authenticator whose tokens are the names of clients.
var byToken = func(r *http.Request) (httpapi.Identity, error) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	client, _, _ := strings.Cut(token, "/") // several tokens of one client
	if !ok || client == "" {
		return httpapi.Identity{}, httpapi.ErrUnauthenticated
	}
	return httpapi.Identity{Client: client}, nil
}

func newDirect(t testing.TB, change func(*httpapi.Options, *motion.Config)) *direct {
	t.Helper()
	cfg := motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: estimator{}, Logger: slog.New(slog.DiscardHandler), WorkDir: t.TempDir(),
	}
	opt := httpapi.Options{Authenticator: byToken, Logger: cfg.Logger}
	if change != nil {
		change(&opt, &cfg)
	}
	d := &direct{t: t}
	var err error
	if d.service, err = motion.New(cfg); err != nil {
		t.Fatal(err)
	}
	if d.api, err = httpapi.New(d.service, opt); err != nil {
		t.Fatal(err)
	}
	return d
}

// do serves a request of a client and holds it against the OpenAPI document.
func (d *direct) do(method, path, token, body string, header ...string) *httptest.ResponseRecorder {
	d.t.Helper()
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	checked(d.t, d.api).ServeHTTP(rec, req)
	return rec
}

// newMovie is a body that registers a movie.
const newMovie = `{"name":"m","contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg=="}`

// upload keeps the picture as the file of an image.
func (d *direct) upload(client string, id int64) {
	d.t.Helper()
	if _, err := d.service.UploadMedia(d.t.Context(), client, storage.Images, id, bytes.NewReader(picture())); err != nil {
		d.t.Fatal(err)
	}
}
