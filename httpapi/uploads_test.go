package httpapi_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
)

// register registers an image and returns its upload link.
func (d *direct) register(client string, data []byte, header ...string) (link string) {
	d.t.Helper()
	r := d.do("POST", "/images/", client, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data)), header...)
	var m struct{ UploadURL string }
	if err := json.Unmarshal(r.Body.Bytes(), &m); err != nil || r.Code != 201 {
		d.t.Fatalf("%d %s", r.Code, r.Body)
	}
	return m.UploadURL
}

// put uploads to a link.
func (d *direct) put(link string, body io.Reader) *httptest.ResponseRecorder {
	d.t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		d.t.Fatal(err)
	}
	rec := httptest.NewRecorder()
	checked(d.t, d.api).ServeHTTP(rec, httptest.NewRequest("PUT", u.RequestURI(), body))
	return rec
}

// TestLinkUses: an upload link serves retries, and is refused when it was used often, whether the
// uploads succeeded or not and however the link is spelled.
func TestLinkUses(t *testing.T) {
	d := newDirect(t, nil)
	data := picture()
	for name, bodies := range map[string][]string{"the file": {string(data)}, "other bytes": {"other", string(data)}} {
		link := d.register("alice", data)
		for i := range 20 {
			body := bodies[min(i, 18)%len(bodies)]
			spelled := link
			if i%2 == 1 { // base64 decoders skip line breaks
				spelled = strings.Replace(link, "signature=", "signature=%0A", 1)
			}
			want := 200
			if body != string(data) {
				want = 400
			}
			if r := d.put(spelled, strings.NewReader(body)); r.Code != want {
				t.Fatalf("%s: upload %d: %d %s", name, i, r.Code, r.Body)
			}
		}
		for range 2 {
			if r := d.put(link, bytes.NewReader(data)); r.Code != 403 || !strings.Contains(r.Body.String(), "register the file again") {
				t.Errorf("%s: after 20 uploads: %d %s", name, r.Code, r.Body)
			}
		}
	}
	if r := d.put(d.register("alice", data), bytes.NewReader(data)); r.Code != 200 {
		t.Errorf("registered again: %d %s", r.Code, r.Body)
	}
}

// TestLinkUsesBounded: links that have expired are forgotten, and never more are kept than allowed.
func TestLinkUsesBounded(t *testing.T) {
	now := time.Now()
	if n := httpapi.LinksKept(now, time.Hour, 50_000); n > 20_001 || n < 20_000 {
		t.Errorf("%d links are kept", n)
	}
	if n := httpapi.LinksKept(now, -time.Hour, 1000); n != 1 {
		t.Errorf("%d expired links are kept", n)
	}
}

// TestExpiredUploadLink: the answer says what to do, and the same request with its
// Idempotency-Key gets a fresh link for the same record.
func TestExpiredUploadLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDirect(t, nil)
		data := picture()
		link := d.register("alice", data, "Idempotency-Key", "k")
		time.Sleep(time.Hour)
		if r := d.put(link, bytes.NewReader(data)); r.Code != 403 || !strings.Contains(r.Body.String(), "has expired; register the file again") {
			t.Errorf("after an hour: %d %s", r.Code, r.Body)
		}
		fresh := d.register("alice", data, "Idempotency-Key", "k")
		if r := d.put(fresh, bytes.NewReader(data)); r.Code != 200 || !strings.Contains(r.Body.String(), `"id":1,`) {
			t.Errorf("the fresh link: %d %s", r.Code, r.Body)
		}
		if _, total, err := d.service.ListMedia(t.Context(), "alice", storage.Images, motion.Page{}); total != 1 || err != nil {
			t.Errorf("%d images (%v)", total, err)
		}
	})
}

// trickle gives some bytes at a time, each after a pause.
type trickle struct {
	data  []byte
	size  int
	pause time.Duration
}

func (r *trickle) Read(p []byte) (int, error) {
	time.Sleep(r.pause)
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.data[:min(r.size, len(r.data))])
	r.data = r.data[n:]
	return n, nil
}

// TestSlowUpload: an upload that is slower than the least rate over a minute ends, although data
// flows, and leaves nothing.
func TestSlowUpload(t *testing.T) {
	for _, c := range []struct {
		name        string
		rate        int // of Options
		bytes, size int
		pause       time.Duration
		status      int
	}{
		{"a byte a second", 0, 10_000, 1, time.Second, 400},
		{"pauses", 0, 100_000, 2000, 3 * time.Second / 2, 200},
		{"1000 bytes a second", 0, 100_000, 500, time.Second / 2, 400},
		{"1100 bytes a second", 0, 100_000, 1100, time.Second, 200},
		{"less than a minute", 0, 50, 1, time.Second, 200},
		{"another rate", 5000, 1_000_000, 4000, time.Second, 400},
		{"no limit", -1, 200, 1, time.Second, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			blobs, err := file.Open(folder, file.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer blobs.Close()
			synctest.Test(t, func(t *testing.T) {
				d := newDirect(t, func(o *httpapi.Options, cfg *motion.Config) { o.Limits.MinUploadRate, cfg.Blobs = c.rate, blobs })
				data := make([]byte, c.bytes)
				rand.Read(data)
				link, began := d.register("alice", data), time.Now()
				r := d.put(link, &trickle{data, c.size, c.pause})
				if r.Code != c.status {
					t.Fatalf("%d %s", r.Code, r.Body)
				}
				if c.status == 200 {
					return
				}
				if took := time.Since(began); took < time.Minute || took > 2*time.Minute {
					t.Errorf("it ends after %v", took)
				}
				if !strings.Contains(r.Body.String(), "too slow") {
					t.Errorf("the answer does not say why: %s", r.Body)
				}
				noFiles(t, folder)
			})
		})
	}
}

// TestUploadsAtATime: a client has so many uploads at a time; those of others go on.
func TestUploadsAtATime(t *testing.T) {
	for _, c := range []struct {
		option, running int
		more            int // the answer to one more
	}{{2, 2, 429}, {0, 20, 429}, {-1, 30, 200}} {
		t.Run(fmt.Sprint(c.option), func(t *testing.T) {
			d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) { o.Limits.Uploads = c.option })
			data := picture()
			var writers []*io.PipeWriter
			answers := make(chan int)
			for range c.running {
				r, w := io.Pipe()
				link := d.register("alice", data)
				go func() { answers <- d.put(link, r).Code }()
				w.Write(data[:1]) // returns when the upload has begun
				writers = append(writers, w)
			}
			one := d.put(d.register("alice", data), bytes.NewReader(data))
			if one.Code != c.more || (one.Header().Get("Retry-After") != "") != (c.more == 429) {
				t.Errorf("one more: %d %v %s", one.Code, one.Header(), one.Body)
			}
			if r := d.put(d.register("bob", data), bytes.NewReader(data)); r.Code != 200 {
				t.Errorf("another client: %d %s", r.Code, r.Body)
			}
			for _, w := range writers {
				w.Write(data[1:])
				w.Close()
				if got := <-answers; got != 200 {
					t.Errorf("an upload under way: %d", got)
				}
			}
			if r := d.put(d.register("alice", data), bytes.NewReader(data)); r.Code != 200 {
				t.Errorf("when the others have ended: %d %s", r.Code, r.Body)
			}
		})
	}
}

// busy is a decoder that has no room for another file.
type busy struct{ inference.Decoder }

func (busy) Probe(context.Context, io.ReadSeeker) (inference.Info, error) {
	return inference.Info{}, fmt.Errorf("too many at once: %w", storage.ErrUnavailable)
}

// TestBusyProbe: when too many files are looked into at once, the client is told when to try again.
func TestBusyProbe(t *testing.T) {
	d := newDirect(t, func(_ *httpapi.Options, c *motion.Config) { c.Decoder = busy{} })
	r := d.do("POST", "/movies/", "alice", fmt.Sprintf(`{"contentMd5":%q}`, base64MD5([]byte("movie"))))
	var m struct{ UploadURL string }
	if err := json.Unmarshal(r.Body.Bytes(), &m); err != nil {
		t.Fatal(err)
	}
	if r := d.put(m.UploadURL, strings.NewReader("movie")); r.Code != http.StatusServiceUnavailable || r.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v %s", r.Code, r.Header(), r.Body)
	}
}

// TestDiskFull: an upload for which the disk has no room is asked to come again later.
func TestDiskFull(t *testing.T) {
	blobs, err := file.Open(t.TempDir(), file.Options{MinFree: 1 << 60})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blobs.Close() })
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Blobs = blobs })
	data := picture()
	m := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
	r := w.do("PUT", m["uploadUrl"].(string), "", string(data))
	if r.status != 503 || r.header.Get("Retry-After") == "" || strings.Contains(string(r.body), "disk") {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
}

func TestClockTime(t *testing.T) {
	for seconds, want := range map[float64]string{0: "00:00:00", 1.4: "00:00:01", 1.5: "00:00:02", 1.4999999999: "00:00:02", 1.49999: "00:00:01", 59.5: "00:01:00", 3661: "01:01:01", -3: "00:00:00"} {
		if got := httpapi.ClockTime(seconds); got != want {
			t.Errorf("ClockTime(%v) = %s, want %s", seconds, got, want)
		}
	}
}
