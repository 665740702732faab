package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
)

// counted is a store that counts how often records are read, one or many at a time.
type counted struct {
	storage.Store
	gets, lists atomic.Int64
}

func (c *counted) List(ctx context.Context, owner string, kind storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	c.lists.Add(1)
	return c.Store.List(ctx, owner, kind, f)
}

func (c *counted) Changed(ctx context.Context, owner string, since time.Time, limit int) ([]storage.Record, error) {
	c.lists.Add(1)
	return c.Store.Changed(ctx, owner, since, limit)
}

func (c *counted) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	c.gets.Add(1)
	return c.Store.Get(ctx, key)
}

func (c *counted) Head(ctx context.Context, key storage.Key) (storage.Record, error) {
	c.gets.Add(1)
	return c.Store.Head(ctx, key)
}

// slowWork is a handler whose jobs the test itself does.
type slowWork struct {
	*direct
	store counted
}

func newSlowWork(t *testing.T, change func(*httpapi.Options)) *slowWork {
	w := &slowWork{}
	w.direct = newDirect(t, func(o *httpapi.Options, c *motion.Config) {
		w.store.Store = c.Store
		c.Store = &w.store
		if change != nil {
			change(o)
		}
	})
	return w
}

// add makes a record that nobody works on.
func (w *slowWork) add(client string, kind storage.Kind) storage.Key {
	w.t.Helper()
	data := `{"from":[{"kind":"keypoints","id":1}],"request":{"keypointId":1,"rule":{"analysisType":"coordinate","points":["nose"]}}}`
	if kind == storage.Drawings {
		data = `{"from":[{"kind":"keypoints","id":1}],"request":{"keypointId":1}}`
	}
	r, err := w.store.Create(w.t.Context(), storage.Record{Key: storage.Key{Owner: client, Kind: kind}, Status: storage.Unprocessed, Data: []byte(data)})
	if err != nil {
		w.t.Fatal(err)
	}
	return r.Key
}

// move brings a record to another state.
func (w *slowWork) move(key storage.Key, to storage.Status) {
	w.t.Helper()
	r, err := w.store.Get(w.t.Context(), key)
	if err == nil {
		from := r.Status
		r.Status = to
		_, err = w.store.Update(w.t.Context(), r, from)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// get asks for a keypoint record in the background.
func (w *slowWork) get(key storage.Key, query string) <-chan *httptest.ResponseRecorder {
	answer := make(chan *httptest.ResponseRecorder, 1)
	go func() {
		answer <- w.do("GET", fmt.Sprintf("/%s/%d/%s", key.Kind, key.ID, query), key.Owner, "")
	}()
	return answer
}

func TestWait(t *testing.T) {
	for _, kind := range []storage.Kind{storage.Keypoints, storage.Comparisons, storage.Analyses, storage.Drawings} {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newSlowWork(t, nil)
				key := w.add("alice", kind)
				began := time.Now()
				if status := w.status(<-w.get(key, "")); status != "UNPROCESSED" || time.Since(began) != 0 {
					t.Errorf("without wait: %s after %v", status, time.Since(began))
				}
				if status := w.status(<-w.get(key, "?wait=0")); status != "UNPROCESSED" || time.Since(began) != 0 {
					t.Errorf("wait=0: %s after %v", status, time.Since(began))
				}
				w.store.gets.Store(0)
				if status := w.status(<-w.get(key, "?wait=60")); status != "UNPROCESSED" || time.Since(began) != time.Minute {
					t.Errorf("wait=60: %s after %v", status, time.Since(began))
				}
				if n := w.store.gets.Load(); n > 4*60+1 {
					t.Errorf("the store was asked %d times in a minute", n)
				}
				answer := w.get(key, "?wait=30")
				time.Sleep(10*time.Second + time.Millisecond)
				w.move(key, storage.Processing)
				time.Sleep(time.Second)
				w.move(key, storage.Failure)
				began = time.Now()
				if status := w.status(<-answer); status != "FAILURE" || time.Since(began) > 250*time.Millisecond {
					t.Errorf("finished: %s after %v", status, time.Since(began))
				}
				if <-w.get(key, "?wait=30"); time.Since(began) > 250*time.Millisecond {
					t.Error("a finished record is waited for")
				}
			})
		})
	}
}

func (w *slowWork) status(r *httptest.ResponseRecorder) any {
	w.t.Helper()
	if r.Code != 200 {
		w.t.Errorf("%d %s", r.Code, r.Body)
	}
	return replyOf(r).get(w.t)["execStatus"]
}

func TestWaitEndsAtDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newSlowWork(t, nil)
		answer := w.get(w.add("alice", storage.Keypoints), "?wait=30")
		synctest.Wait()
		began := time.Now()
		w.api.Drain()
		if status := w.status(<-answer); status != "UNPROCESSED" || time.Since(began) != 0 {
			t.Errorf("%s after %v", status, time.Since(began))
		}
	})
}

func TestWaitEndsWithTheRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newSlowWork(t, nil)
		key := w.add("alice", storage.Keypoints)
		answer := w.get(key, "?wait=30")
		synctest.Wait()
		if err := w.store.Delete(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		if r := <-answer; r.Code != 404 {
			t.Errorf("%d", r.Code)
		}
	})
}

// TestWaitEndsWithTheClient holds that nobody waits for a client that has gone.
func TestWaitEndsWithTheClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newSlowWork(t, nil)
		key := w.add("alice", storage.Keypoints)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan any)
		go func() {
			defer func() { ended <- recover() }()
			req := httptest.NewRequestWithContext(ctx, "GET", fmt.Sprintf("/keypoints/%d/?wait=60", key.ID), nil)
			req.Header.Set("Authorization", "Bearer alice")
			w.api.ServeHTTP(httptest.NewRecorder(), req)
		}()
		synctest.Wait()
		began := time.Now()
		cancel()
		if p := <-ended; p != http.ErrAbortHandler || time.Since(began) != 0 {
			t.Errorf("%v after %v", p, time.Since(began))
		}
	})
}

func TestWaitMistakes(t *testing.T) {
	w := newSlowWork(t, nil)
	key := w.add("alice", storage.Keypoints)
	for _, value := range []string{"61", "-1", "1.5", "x", "", "%2B1", "99999999999999999999"} {
		r := <-w.get(key, "?wait="+value)
		errs, _ := replyOf(r).get(t)["errors"].([]any)
		if r.Code != 400 || len(errs) != 1 || errs[0].(map[string]any)["parameter"] != "wait" {
			t.Errorf("wait=%s: %d %s", value, r.Code, r.Body)
		}
	}
}

// TestWaiting holds that one client cannot make the service look at its store without end.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newSlowWork(t, func(o *httpapi.Options) { o.Limits.Waiting = 1 })
		key, other := w.add("alice", storage.Keypoints), w.add("bob", storage.Keypoints)
		began := time.Now()
		first, theirs := w.get(key, "?wait=30"), w.get(other, "?wait=30")
		synctest.Wait()
		if w.status(<-w.get(key, "?wait=30")); time.Since(began) != 0 {
			t.Errorf("the second waits, too: %v", time.Since(began))
		}
		if r := w.do("GET", "/events/", "alice", ""); r.Code != 429 || r.Header().Get("Retry-After") == "" {
			t.Errorf("events: %d %v", r.Code, r.Header())
		}
		<-first
		if <-theirs; time.Since(began) != 30*time.Second {
			t.Errorf("those who may wait: %v", time.Since(began))
		}
		if w.status(<-w.get(key, "?wait=1")); time.Since(began) != 31*time.Second {
			t.Errorf("after the first has ended: %v", time.Since(began))
		}
	})
}
