package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
)

// linked are blobs to which there are links.
type linked struct {
	storage.Blobs
	err error // of a link
}

func (b linked) Open(ctx context.Context, key string) (storage.Blob, error) {
	blob, err := b.Blobs.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	return linkedBlob{blob, b.err}, nil
}

type linkedBlob struct {
	storage.Blob
	err error
}

func (b linkedBlob) Link(_ context.Context, o storage.LinkOptions) (string, error) {
	return fmt.Sprintf("https://blobs.example.com/%s?for=%v&type=%s", b.Info().Key, o.TTL, o.ContentType), b.err
}

// TestRedirect: downloads are redirected where the host wants it and the blobs can do it.
func TestRedirect(t *testing.T) {
	for _, c := range []struct {
		name             string
		redirect, linker bool
		err              error
		method           string
		status           int
	}{
		{"redirect", true, true, nil, "GET", 302},
		{"not wanted", false, true, nil, "GET", 200},
		{"no links", true, false, nil, "GET", 200},
		{"no link for HEAD", true, true, nil, "HEAD", 200},
		{"no link now", true, true, storage.ErrUnavailable, "GET", 503},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, func(o *httpapi.Options, cfg *motion.Config) {
				o.RedirectDownloads, o.LinkTTL = c.redirect, time.Minute
				if c.linker {
					cfg.Blobs = linked{cfg.Blobs, c.err}
				}
			})
			key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
			id, d := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d}`, key))
			req, err := http.NewRequestWithContext(t.Context(), c.method, d["drawingUrl"].(string), nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != c.status {
				t.Fatalf("%s, want %d", resp.Status, c.status)
			}
			to := resp.Header.Get("Location")
			if c.status == 302 && (!strings.HasPrefix(to, fmt.Sprintf("https://blobs.example.com/drawings/%d", id)) ||
				!strings.HasSuffix(to, "?for=1m0s&type=image/jpeg") || resp.Header.Get("Cache-Control") != "no-store") {
				t.Errorf("%v", resp.Header)
			}
		})
	}
}
