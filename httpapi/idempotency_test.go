package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit/faults"
	"github.com/bodymotion/motion/storage"
)

// movies says how many movies a client has.
func (d *direct) movies(client string) int {
	d.t.Helper()
	_, total, err := d.service.ListMedia(context.Background(), client, storage.Movies, motion.Page{})
	if err != nil {
		d.t.Fatal(err)
	}
	return total
}

func TestIdempotencyKey(t *testing.T) {
	d := newDirect(t, nil)
	first := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k1")
	again := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k1")
	body := func(r *httptest.ResponseRecorder) string { // without the link, which is a new one
		return regexp.MustCompile(`"uploadUrl":"[^"]*"`).ReplaceAllString(r.Body.String(), "")
	}
	if first.Code != 201 || again.Code != 201 || body(first) != body(again) || d.movies("alice") != 1 {
		t.Errorf("%d %s, then %d %s, %d movies", first.Code, first.Body, again.Code, again.Body, d.movies("alice"))
	}
	if got, want := again.Header().Get("Location"), first.Header().Get("Location"); got != want || got == "" {
		t.Errorf("Location %q, want %q", got, want)
	}
	if first.Header().Get("Idempotent-Replayed") != "" || again.Header().Get("Idempotent-Replayed") != "true" {
		t.Error("the second answer does not say that it is the first one again, or the first one does")
	}
	for name, r := range map[string]*httptest.ResponseRecorder{
		"another body": d.do("POST", "/movies/", "alice", strings.Replace(newMovie, "m", "n", 1), "Idempotency-Key", "k1"),
		"another path": d.do("POST", "/images/", "alice", newMovie, "Idempotency-Key", "k1"),
	} {
		if r.Code != 422 {
			t.Errorf("%s: %d", name, r.Code)
		}
	}
	for _, key := range []string{"", strings.Repeat("k", 256), "k\tk", "kö"} {
		if r := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", key); r.Code != 400 {
			t.Errorf("key %q: %d", key, r.Code)
		}
	}
	if d.movies("alice") != 1 {
		t.Errorf("%d movies", d.movies("alice"))
	}
	if r := d.do("POST", "/movies/", "bob", newMovie, "Idempotency-Key", "k1"); r.Code != 201 || d.movies("bob") != 1 {
		t.Errorf("the key of another client: %d, %d movies", r.Code, d.movies("bob"))
	}
	if r := d.do("POST", "/movies/", "alice", newMovie); r.Code != 201 || d.movies("alice") != 2 {
		t.Errorf("without a key: %d, %d movies", r.Code, d.movies("alice"))
	}
}

// TestIdempotencyKeyFreed holds that a key whose request made nothing can be used again.
func TestIdempotencyKeyFreed(t *testing.T) {
	d := newDirect(t, nil)
	for body, want := range map[string]int{`{`: 400, `{"contentMd5":"x"}`: 400} {
		if r := d.do("POST", "/movies/", "alice", body, "Idempotency-Key", "k"); r.Code != want {
			t.Errorf("%s: %d", body, r.Code)
		}
	}
	if r := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k"); r.Code != 201 {
		t.Errorf("the right body: %d %s", r.Code, r.Body)
	}
}

func TestIdempotencyKeyExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDirect(t, nil)
		post := func() { d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k") }
		post()
		time.Sleep(24*time.Hour - time.Second)
		if post(); d.movies("alice") != 1 {
			t.Errorf("%d movies within 24 hours", d.movies("alice"))
		}
		time.Sleep(time.Second)
		if post(); d.movies("alice") != 2 {
			t.Errorf("%d movies after 24 hours", d.movies("alice"))
		}
	})
}

// TestIdempotencyKeysBounded holds that the oldest keys of a client make room for its new
// ones, and leave those of others alone.
func TestIdempotencyKeysBounded(t *testing.T) {
	d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) { o.Limits.IdempotencyKeys = 2 })
	replayed := func(client, key string) bool {
		return d.do("POST", "/movies/", client, newMovie, "Idempotency-Key", key).Header().Get("Idempotent-Replayed") == "true"
	}
	replayed("bob", "k1")
	for _, key := range []string{"k1", "k2", "k3"} {
		replayed("alice", key)
	}
	if !replayed("bob", "k1") || !replayed("alice", "k2") || !replayed("alice", "k3") {
		t.Error("a key has gone too early")
	}
	if replayed("alice", "k1") {
		t.Error("the oldest key is still there")
	}
}

// TestIdempotencyLink holds that a repeated request gets a link that is valid from now on.
func TestIdempotencyLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDirect(t, nil)
		data := picture()
		post := func() (answer map[string]any) {
			r := d.do("POST", "/images/", "alice", fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data)), "Idempotency-Key", "k")
			if err := json.Unmarshal(r.Body.Bytes(), &answer); err != nil || r.Code != 201 {
				t.Fatalf("%d %s", r.Code, r.Body)
			}
			return answer
		}
		put := func(answer map[string]any) int {
			u, err := url.Parse(answer["uploadUrl"].(string))
			if err != nil {
				t.Fatal(err)
			}
			return d.do("PUT", u.RequestURI(), "", string(data)).Code
		}
		first := post()
		time.Sleep(2 * time.Hour)
		again := post()
		if old, fresh := put(first), put(again); old != 403 || fresh != 200 {
			t.Errorf("the old link: %d, the fresh one: %d", old, fresh)
		}
		delete(first, "uploadUrl")
		delete(again, "uploadUrl")
		if d := cmp.Diff(first, again); d != "" {
			t.Errorf("the rest differs: %s", d)
		}
	})
}

// TestIdempotencyDeleted: a repeated request does not name a record that is gone.
func TestIdempotencyDeleted(t *testing.T) {
	d := newDirect(t, nil)
	image := fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(picture()))
	for i, path := range []string{"/images/", "/keypoints/"} {
		post := func() *httptest.ResponseRecorder {
			return d.do("POST", path, "alice", []string{image, `{"imageId":1}`}[i], "Idempotency-Key", path)
		}
		first := post()
		if i == 0 {
			d.upload("alice", 1)
		}
		if again := post(); first.Code != 201 || again.Code != 201 {
			t.Fatalf("%s: %d %s, %d", path, first.Code, first.Body, again.Code)
		}
	}
	if r := d.do("DELETE", "/images/1/", "alice", ""); r.Code != 204 {
		t.Fatalf("%d %s", r.Code, r.Body)
	}
	for path, body := range map[string]string{"/images/": image, "/keypoints/": `{"imageId":1}`} {
		if r := d.do("POST", path, "alice", body, "Idempotency-Key", path); r.Code != 409 || !strings.Contains(r.Body.String(), "The record 1 ") || !strings.Contains(r.Body.String(), "use a new key") {
			t.Errorf("%s: %d %s", path, r.Code, r.Body)
		}
	}
}

func TestIdempotencyOff(t *testing.T) {
	d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) { o.Limits.IdempotencyKeys = -1 })
	for range 2 {
		if r := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k"); r.Code != 201 {
			t.Errorf("%d", r.Code)
		}
	}
	if d.movies("alice") != 2 {
		t.Errorf("%d movies", d.movies("alice"))
	}
}

// gate is a store whose Create waits.
type gate struct {
	storage.Store
	entered chan struct{}
	open    chan error // what Create does after the wait: an error, nil to go on
}

func (g gate) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
	g.entered <- struct{}{}
	if err := <-g.open; err != nil {
		if err == errPanic {
			panic(err)
		}
		return storage.Record{}, err
	}
	return g.Store.Create(context.WithoutCancel(ctx), r) // it was on its way when its time was over
}

var errPanic = fmt.Errorf("panic")

func TestIdempotencyUnderWay(t *testing.T) {
	g := gate{entered: make(chan struct{}), open: make(chan error)}
	d := newDirect(t, func(_ *httpapi.Options, c *motion.Config) { g.Store = c.Store; c.Store = g })
	post := func() *httptest.ResponseRecorder {
		return d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k")
	}
	for _, c := range []struct {
		fault  error
		status int
	}{{storage.ErrUnavailable, 503}, {errPanic, 500}, {nil, 201}} {
		answer := make(chan *httptest.ResponseRecorder)
		go func() { answer <- post() }()
		<-g.entered
		if r := post(); r.Code != 409 || r.Header().Get("Retry-After") == "" {
			t.Errorf("while the first is under way: %d %v", r.Code, r.Header())
		}
		g.open <- c.fault
		if r := <-answer; r.Code != c.status {
			t.Errorf("the first: %d, want %d", r.Code, c.status)
		}
	}
	if r := post(); r.Code != 201 || r.Header().Get("Idempotent-Replayed") != "true" || d.movies("alice") != 1 {
		t.Errorf("at last: %d, %d movies", r.Code, d.movies("alice"))
	}
}

// TestIdempotencyLease holds that a key is not blocked for ever by a request that never ends, such as
// one of a process that has died, and what happens if it ends all the same.
func TestIdempotencyLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate{entered: make(chan struct{}), open: make(chan error)}
		d := newDirect(t, func(_ *httpapi.Options, c *motion.Config) { g.Store = c.Store; c.Store = g })
		post := func() *httptest.ResponseRecorder {
			return d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k")
		}
		begin := func() (answer chan *httptest.ResponseRecorder) {
			answer = make(chan *httptest.ResponseRecorder, 1)
			go func() { answer <- post() }()
			<-g.entered
			return answer
		}
		stuck := begin()
		time.Sleep(59 * time.Second)
		if r := post(); r.Code != 409 {
			t.Errorf("within the lease: %d", r.Code)
		}
		time.Sleep(2 * time.Second)
		second := begin()
		g.open <- nil
		synctest.Wait()
		g.open <- nil
		a, b, kept := <-stuck, <-second, post()
		if a.Code != 201 || b.Code != 201 || kept.Code != 201 || kept.Header().Get("Idempotent-Replayed") != "true" {
			t.Errorf("%d, %d and %d", a.Code, b.Code, kept.Code)
		}
		if got, want := kept.Header().Get("Location"), b.Header().Get("Location"); got != want {
			t.Errorf("kept is %s, want that of the second request, %s", got, want)
		}
	})
}

// TestIdempotencyKeyDoubt holds that a record whose creation was not told, to the service or by it, is found again.
func TestIdempotencyKeyDoubt(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults map[string]faults.Fault // of the first call of each
		first  int                     // status
		wait   time.Duration           // until the key is not reserved any more
	}{
		{"the store has lost its answer", map[string]faults.Fault{"Store.Create": faults.Lose}, 201, 0},
		{"and does not answer then", map[string]faults.Fault{"Store.Create": faults.Lose, "Store.List": faults.Fail}, 503, time.Minute},
		{"and is asked again", map[string]faults.Fault{"Store.Create": faults.Lose, "Answers.ReserveAnswer": faults.Lose}, 503, time.Minute},
		{"nothing was made", map[string]faults.Fault{"Store.Create": faults.Fail}, 503, 0},
		{"the service has ended", map[string]faults.Fault{"Answers.KeepAnswer": faults.Fail}, 201, time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &faults.Faults{Choose: func(call faults.Call) faults.Fault {
					if call.N == 1 {
						return c.faults[call.Name]
					}
					return faults.None
				}}
				d := newDirect(t, func(_ *httpapi.Options, cfg *motion.Config) { cfg.Store = f.Store(cfg.Store) })
				first := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k")
				if first.Code != c.first {
					t.Errorf("first: %d %s, want %d", first.Code, first.Body, c.first)
				}
				if c.wait > 0 {
					if r := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k"); r.Code != 409 {
						t.Errorf("while the first request may run: %d %s", r.Code, r.Body)
					}
					time.Sleep(c.wait)
					if err := d.service.Upkeep(t.Context()); err != nil {
						t.Error(err)
					}
				}
				again := replyOf(d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "k"))
				if got := again.get(t); again.status != 201 || got["id"] != 1.0 || d.movies("alice") != 1 {
					t.Errorf("again: %d %s, %d movies", again.status, again.body, d.movies("alice"))
				}
				if r := d.do("POST", "/movies/", "alice", newMovie, "Idempotency-Key", "other"); r.Code != 201 || d.movies("alice") != 2 {
					t.Errorf("another key: %d %s, %d movies", r.Code, r.Body, d.movies("alice"))
				}
			})
		})
	}
}
