package httpapi_test

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

func TestRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) { o.Limits.RateLimit, o.Limits.RateBurst = 0.5, 3 })
		status := func(token string) int { return d.do("GET", "/movies/", token, "").Code }
		for i := range 3 {
			if got := status("alice/1"); got != 200 {
				t.Errorf("request %d: %d", i, got)
			}
		}
		r := d.do("GET", "/movies/", "alice/1", "")
		p := replyOf(r).get(t)
		if r.Code != 429 || r.Header().Get("Retry-After") != "2" || p["errorMessage"] != "Too Many Request." {
			t.Errorf("%d %v %v", r.Code, r.Header(), p)
		}
		if status("alice/2") != 200 || status("bob") != 200 {
			t.Error("another token is throttled")
		}
		time.Sleep(2*time.Second - time.Nanosecond)
		if got := status("alice/1"); got != 429 {
			t.Errorf("too early: %d", got)
		}
		time.Sleep(time.Nanosecond)
		if a, b := status("alice/1"), status("alice/1"); a != 200 || b != 429 {
			t.Errorf("after Retry-After: %d, %d", a, b)
		}
	})
}

// TestRateLimitTable holds that the table of tokens is bounded, and that those that are
// used stay in it.
func TestRateLimitTable(t *testing.T) {
	d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) { o.Limits.RateLimit = 1e-6 })
	status := func(token string) int {
		req := httptest.NewRequest("GET", "/movies/1/", nil)
		req.Header.Set("Authorization", "Bearer "+token)
		rec := httptest.NewRecorder()
		d.api.ServeHTTP(rec, req) // so many that they are not held against the document
		return rec.Code
	}
	if got := status("alice/first"); got != 404 {
		t.Fatalf("%d", got)
	}
	for i := range 10_000 {
		if i%5000 == 0 && status("alice/first") != 429 {
			t.Error("a token in use was forgotten")
		}
		status(fmt.Sprintf("alice/%d", i))
	}
	if got := status("alice/0"); got != 404 {
		t.Errorf("the table grows: %d", got)
	}
}

// TestFullQueue holds that a queue that takes no more is an answer, and leaves no record.
func TestFullQueue(t *testing.T) {
	d := newDirect(t, func(_ *httpapi.Options, c *motion.Config) {
		c.Queue = memory.NewQueue(memory.QueueOptions{MaxJobs: 1})
	})
	m, err := d.service.RegisterMedia(t.Context(), "alice", storage.Images, motion.NewMedia{ContentMD5: base64MD5(picture())})
	if err != nil {
		t.Fatal(err)
	}
	d.upload("alice", m.ID)
	body := fmt.Sprintf(`{"imageId":%d}`, m.ID)
	if r := d.do("POST", "/keypoints/", "alice", body); r.Code != 201 {
		t.Fatalf("%d %s", r.Code, r.Body)
	}
	r := d.do("POST", "/keypoints/", "alice", body)
	if r.Code != 503 || r.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v", r.Code, r.Header())
	}
	if _, total, err := d.service.ListExtractions(t.Context(), "alice", motion.Page{}); err != nil || total != 1 {
		t.Errorf("%d records (%v)", total, err)
	}
}
