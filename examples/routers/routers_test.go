package routers

import (
	"bufio"
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage/memory"
)

type estimator struct{}

func (estimator) Estimate(context.Context, image.Image, inference.Hint) (keypoint.Frame, error) {
	var f keypoint.Frame
	f.Set(keypoint.Nose, keypoint.Point{5, 5}, 0.9)
	return f, nil
}

// client is a client of the API.
type client struct {
	t    *testing.T
	base string
}

func (c client) do(method, address, body string) (*http.Response, []byte) {
	c.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = c.base + address
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer x")
	req.Header.Set("Content-Type", "application/json")
	noRedirects := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := noRedirects.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp, b
}

// record sends a request that must succeed and returns the JSON response.
func (c client) record(method, address, body string, status int) map[string]any {
	c.t.Helper()
	resp, b := c.do(method, address, body)
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil || resp.StatusCode != status {
		c.t.Fatalf("%s %s: %d, want %d: %s", method, address, resp.StatusCode, status, b)
	}
	return m
}

func TestRouters(t *testing.T) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			service, err := motion.New(motion.Config{
				Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}),
				Estimator: estimator{}, WorkDir: t.TempDir(),
			})
			if err != nil {
				t.Fatal(err)
			}
			w.opt.Authenticator = func(r *http.Request) (httpapi.Identity, error) {
				if r.Header.Get("Authorization") == "" {
					return httpapi.Identity{}, httpapi.ErrUnauthenticated
				}
				return httpapi.Identity{Client: "x"}, nil
			}
			api, err := httpapi.New(service, w.opt)
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(w.mount(api))
			defer server.Close()
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- service.Run(ctx) }()
			defer func() { cancel(); <-done }()
			use(client{t, server.URL + prefix}, api)
		})
	}
}

// use tests everything that a router may break: methods, addresses in responses, redirections,
// streams.
func use(c client, api *httpapi.Handler) {
	t := c.t
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewRGBA(image.Rect(0, 0, 20, 20))); err != nil {
		t.Fatal(err)
	}
	sum := md5.Sum(file.Bytes())
	resp, b := c.do("POST", "/images/", fmt.Sprintf(`{"contentMd5":%q}`, hex.EncodeToString(sum[:])))
	if want := c.base + "/images/1/"; resp.StatusCode != 201 || resp.Header.Get("Location") != want {
		t.Fatalf("%d, Location %q, want %q: %s", resp.StatusCode, resp.Header.Get("Location"), want, b)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	c.record("PUT", m["uploadUrl"].(string), file.String(), 200)
	c.record("PATCH", "/images/1/", `{"name":"n"}`, 200)
	c.record("POST", "/keypoints/", `{"imageId":1}`, 201)
	c.record("POST", "/drawings/", `{"keypointId":1}`, 201)
	d := c.record("GET", "/drawings/1/?wait=30", "", 200)
	if resp, b := c.do("GET", d["drawingUrl"].(string), ""); resp.StatusCode != 200 || !bytes.HasPrefix(b, []byte{0xff, 0xd8}) {
		t.Errorf("download: %d", resp.StatusCode)
	}
	if resp, b := c.do("HEAD", "/drawings/1/", ""); resp.StatusCode != 200 || len(b) != 0 {
		t.Errorf("HEAD: %d", resp.StatusCode)
	}
	if resp, _ := c.do("GET", "/images?page=2", ""); resp.StatusCode != 308 || resp.Header.Get("Location") != c.base+"/images/?page=2" {
		t.Errorf("without the slash: %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if l := c.record("GET", "/images/?page=2", "", 200); l["previous"] != c.base+"/images/?page=1" {
		t.Errorf("previous page: %v", l["previous"])
	}
	c.record("GET", "/openapi.json", "", 200)
	if p := c.record("GET", "/nonsense/", "", 404); p["errorCode"] != 404.0 {
		t.Errorf("nothing there: %v", p)
	}
	if p := c.record("PUT", "/images/", "", 405); p["errorCode"] != 405.0 {
		t.Errorf("method: %v", p)
	}

	req, err := http.NewRequestWithContext(t.Context(), "GET", c.base+"/events/", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer x")
	events, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	lines := bufio.NewScanner(events.Body)
	for lines.Scan() && lines.Text() != ": watching" {
	}
	if events.StatusCode != 200 || lines.Text() != ": watching" {
		t.Errorf("events: %d, %v", events.StatusCode, lines.Err())
	}
	if resp, b := c.do("DELETE", "/images/1/", ""); resp.StatusCode != 204 || len(b) != 0 {
		t.Errorf("DELETE: %d %s", resp.StatusCode, b)
	}
	api.Drain()
	for lines.Scan() && lines.Text() != "event: end" {
	}
	if lines.Text() != "event: end" {
		t.Errorf("the stream does not end as it should: %v", lines.Err())
	}
}
