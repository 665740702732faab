package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/internal/testkit/faults"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// decoder knows the headers of every movie, after a while.
type decoder struct {
	info  inference.Info
	pause time.Duration
}

func (d decoder) Probe(ctx context.Context, _ io.ReadSeeker) (inference.Info, error) {
	if d.pause > 0 {
		timer := time.NewTimer(d.pause)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return inference.Info{}, ctx.Err()
		case <-timer.C:
		}
	}
	return d.info, nil
}

func (d decoder) Open(context.Context, io.ReadSeeker) (inference.Frames, error) {
	return nil, fmt.Errorf("%w: nothing to decode", inference.ErrFormat)
}

// anyone is an authenticator that lets everybody in as one client.
var anyone = func(*http.Request) (httpapi.Identity, error) {
	return httpapi.Identity{Client: "alice"}, nil
}

// TestSlowProbe holds that the deadline of an upload ends with its data: looking into the
// file may take longer than the data may pause.
func TestSlowProbe(t *testing.T) {
	const idle = 500 * time.Millisecond
	w := newWorld(t, func(o *httpapi.Options, c *motion.Config) {
		o.Limits.IdleTimeout = idle
		c.Decoder = decoder{inference.Info{Frames: 3}, 5 * idle}
	})
	m := w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5([]byte("movie")))).get(t)
	if r := w.do("PUT", m["uploadUrl"].(string), "", "movie"); r.status != 200 {
		t.Errorf("upload: %d %s", r.status, r.body)
	}
}

// TestLongTransfers holds that transfers may take longer than the host's own timeouts as
// long as data flows.
func TestLongTransfers(t *testing.T) {
	data := picture()
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Blobs = slow{c.Blobs} })
	api, err := httpapi.New(w.service, httpapi.Options{Authenticator: anyone})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(checked(t, api))
	server.Config.ReadTimeout, server.Config.WriteTimeout = 200*time.Millisecond, 200*time.Millisecond
	server.Start()
	defer server.Close()
	m := w.do("POST", server.URL+"/images/", "", fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)

	r, pipe := io.Pipe()
	go func() {
		pause := time.NewTicker(500 * time.Millisecond)
		defer pause.Stop()
		pipe.Write(data[:len(data)/2])
		<-pause.C
		pipe.Write(data[len(data)/2:])
		pipe.Close()
	}()
	req, err := http.NewRequest("PUT", m["uploadUrl"].(string), r)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 {
		t.Errorf("upload: %d %s", resp.StatusCode, b)
	}

	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%v}`, m["id"]))
	_, d := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d}`, key))
	// The links of both handlers are not the same: ask the one with the timeouts.
	d = w.do("GET", fmt.Sprintf("%s/drawings/%v/", server.URL, d["id"]), "", "").get(t)
	if r := w.do("GET", d["drawingUrl"].(string), "", ""); r.status != 200 {
		t.Errorf("download: %d %s", r.status, r.body)
	}
}

// slow are blobs that drawings are read from slowly.
type slow struct{ storage.Blobs }

func (b slow) Open(ctx context.Context, key string) (storage.Blob, error) {
	blob, err := b.Blobs.Open(ctx, key)
	if err != nil || !strings.HasPrefix(key, "drawings/") {
		return blob, err
	}
	return &slowBlob{blob}, nil
}

type slowBlob struct{ storage.Blob }

func (b *slowBlob) Read(p []byte) (int, error) {
	<-time.After(400 * time.Millisecond)
	return b.Blob.Read(p)
}

// TestStalledUpload holds that an upload whose data stops is given up and leaves nothing.
func TestStalledUpload(t *testing.T) {
	blobs := memory.NewBlobs(memory.BlobsOptions{})
	w := newWorld(t, func(o *httpapi.Options, c *motion.Config) {
		o.Limits.IdleTimeout = 50 * time.Millisecond
		c.Blobs = blobs
	})
	m := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(picture()))).get(t)
	r, pipe := io.Pipe()
	defer pipe.Close()
	go pipe.Write([]byte("the beginning"))
	req, err := http.NewRequest("PUT", m["uploadUrl"].(string), r)
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := http.DefaultClient.Do(req); err == nil {
		defer resp.Body.Close()
		if resp.StatusCode != 400 {
			t.Errorf("status %d, want 400", resp.StatusCode)
		}
	}
	err = blobs.List(t.Context(), "", func(b storage.BlobInfo) error { return fmt.Errorf("%s is there", b.Key) })
	if err != nil {
		t.Error(err)
	}
}

// TestStalledBody holds that a JSON body that does not come to its end is given up, with and
// without a key.
func TestStalledBody(t *testing.T) {
	w := newWorld(t, func(o *httpapi.Options, _ *motion.Config) { o.Limits.IdleTimeout = 50 * time.Millisecond })
	server := httptest.NewServer(w.api) // without the check against the document, which reads bodies first
	defer server.Close()
	for _, header := range []string{"X-Nothing", "Idempotency-Key"} {
		r, pipe := io.Pipe()
		defer pipe.Close()
		go pipe.Write([]byte(`{"name":`))
		req, err := http.NewRequest("POST", server.URL+"/images/", r)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+w.token)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set(header, "k")
		if resp, err := http.DefaultClient.Do(req); err == nil {
			defer resp.Body.Close()
			if resp.StatusCode != 400 {
				t.Errorf("status %d, want 400", resp.StatusCode)
			}
		}
	}
}

// torn are blobs that panic in the middle of a file.
type torn struct{ storage.Blobs }

func (b torn) Open(ctx context.Context, key string) (storage.Blob, error) {
	blob, err := b.Blobs.Open(ctx, key)
	if err != nil || !strings.HasPrefix(key, "drawings/") {
		return blob, err
	}
	return &tornBlob{Blob: blob}, nil
}

type tornBlob struct {
	storage.Blob
	read bool
}

func (b *tornBlob) Read(p []byte) (int, error) {
	if b.read {
		panic("torn")
	}
	b.read = true
	return b.Blob.Read(p[:100])
}

// TestPanicUnderWay holds that an answer that has begun is broken off, so that the client
// sees that it is not whole, and that no second answer follows it.
func TestPanicUnderWay(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Blobs = torn{c.Blobs} })
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
	_, d := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d}`, key))
	resp, err := http.Get(d["drawingUrl"].(string))
	if err == nil {
		var b []byte
		b, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if bytes.Contains(b, []byte("problem")) {
			t.Error("a problem follows the beginning of the file")
		}
	}
	if err == nil {
		t.Error("half a file looks whole")
	}
}

// TestUnknownHeaders holds that what a movie does not tell is null, not zero.
func TestUnknownHeaders(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) {
		d := decoder{}
		d.info.Size.X, d.info.Size.Y = 640, 480
		c.Decoder = d
	})
	m := w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5([]byte("movie")))).get(t)
	got := w.do("PUT", m["uploadUrl"].(string), "", "movie").get(t)
	if got["width"] != 640.0 || got["height"] != 480.0 {
		t.Errorf("size: %v", got)
	}
	for _, member := range []string{"frame", "fps", "time"} {
		if v, ok := got[member]; !ok || v != nil {
			t.Errorf("%s is %v, want null", member, v)
		}
	}
}

// TestInstance holds that a problem names the address that was asked for.
func TestInstance(t *testing.T) {
	w := newWorld(t, nil)
	for path, want := range map[string]string{
		"/movies/999/": "/anymotion/v1/movies/999/",
		"/a%20b/":      "/anymotion/v1/a%20b/",
	} {
		if got := w.do("GET", path, w.token, "").get(t)["instance"]; got != want {
			t.Errorf("instance %v, want %s", got, want)
		}
	}
}

// TestQueryMistakes holds that a wrong query parameter is named, and no place in a body
// that there is not.
func TestQueryMistakes(t *testing.T) {
	w := newWorld(t, nil)
	for query, parameter := range map[string]string{"/movies/?size=0": "size", "/movies/?page=x": "page", "/drawings/?execStatus=x": "execStatus"} {
		errs, _ := w.do("GET", query, w.token, "").get(t)["errors"].([]any)
		if len(errs) != 1 {
			t.Fatalf("%s: errors %v", query, errs)
		}
		e := errs[0].(map[string]any)
		if _, ok := e["pointer"]; ok || e["parameter"] != parameter {
			t.Errorf("%s: %v", query, e)
		}
	}
}

// TestOddIDs holds that a record has one address.
func TestOddIDs(t *testing.T) {
	w := newWorld(t, nil)
	id := w.image(w.token)
	for _, spelling := range []string{"0%d", "+%d", "%d.5", "%%2B%d"} {
		if r := w.do("GET", fmt.Sprintf("/images/"+spelling+"/", id), w.token, ""); r.status != 404 {
			t.Errorf("%s: %d", spelling, r.status)
		}
	}
	for _, page := range []string{"1000000001", "99999999999999999999"} {
		if r := w.do("GET", "/images/?page="+page, w.token, ""); r.status != 200 || len(r.get(t)["data"].([]any)) != 0 {
			t.Errorf("page %s: %d %s, want none", page, r.status, r.body)
		}
	}
	if r := w.do("GET", "/images/?page=%2B1", w.token, ""); r.status != 400 {
		t.Errorf("page +1: %d", r.status)
	}
}

// TestStorageHangs: requests to a service whose storage hangs are told to try again, and so is one with a key.
func TestStorageHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faults := &faults.Faults{Choose: func(faults.Call) faults.Fault { return faults.Hang }}
		service, err := motion.New(motion.Config{
			Role: motion.ServeAndWork, Store: faults.Store(memory.NewStore(memory.StoreOptions{})), Blobs: memory.NewBlobs(memory.BlobsOptions{}),
			Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: fakes.Estimator{}, Logger: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		api, err := httpapi.New(service, httpapi.Options{Authenticator: anyone, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ method, path, body string }{
			{"GET", "/movies/1/", ""}, {"GET", "/analyses/", ""}, {"POST", "/images/", `{"contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg=="}`},
			{"PATCH", "/keypoints/1/", `{"edits":[{"frame":0,"part":"nose","point":null}]}`}, {"DELETE", "/movies/1/", ""},
		} {
			r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
			r.Header.Set("Content-Type", "application/json")
			w, began := httptest.NewRecorder(), time.Now()
			api.ServeHTTP(w, r)
			if took := time.Since(began); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || took > 16*time.Second {
				t.Errorf("%s %s: %d after %v: %s", c.method, c.path, w.Code, took, w.Body)
			}
		}
	})
}
