package httpapi_test

import (
	"fmt"
	"testing"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
)

// TestMaxUnfinished holds that a client cannot take the whole queue.
func TestMaxUnfinished(t *testing.T) {
	w := newSlowWork(t, func(o *httpapi.Options) { o.Limits.MaxUnfinished = 3 })
	post := func(client, key string) int {
		t.Helper()
		r := w.do("POST", "/drawings/", client, `{"keypointId":1}`, "Idempotency-Key", key)
		if r.Code == 503 && r.Header().Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		return r.Code
	}
	w.add("alice", storage.Keypoints) // its id is 1
	running := w.add("alice", storage.Comparisons)
	w.move(running, storage.Processing)
	for i, want := range []int{201, 503, 503} {
		if got := post("alice", fmt.Sprint("k", i)); got != want {
			t.Errorf("request %d: %d, want %d", i, got, want)
		}
	}
	if got := post("alice", "k0"); got != 201 {
		t.Errorf("the first answer again: %d", got)
	}
	if r := w.do("POST", "/movies/", "alice", newMovie); r.Code != 201 {
		t.Errorf("media need no work: %d", r.Code)
	}
	if got := post("bob", "k"); got != 404 {
		t.Errorf("another client: %d", got)
	}
	w.move(running, storage.Success)
	if got := post("alice", "k1"); got != 201 {
		t.Errorf("after one has finished: %d", got)
	}
}
