package httpapi_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
)

// heldLists is a Store whose lists of one owner wait for a gate.
type heldLists struct {
	storage.Store
	owner  string
	gate   chan struct{}
	inside atomic.Int64
}

func (h *heldLists) List(ctx context.Context, owner string, kind storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	if owner == h.owner {
		h.inside.Add(1)
		defer h.inside.Add(-1)
		select {
		case <-h.gate:
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
	}
	return h.Store.List(ctx, owner, kind, f)
}

// TestListsTakeTurns: however many lists one client reads at once, only few of them are with the storage, so that its connections
// are free for others, whose lists are read meanwhile.
func TestListsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		most := int64(max(2, runtime.GOMAXPROCS(0)/4)) / 2
		held := &heldLists{owner: "busy", gate: make(chan struct{})}
		d := newDirect(t, func(_ *httpapi.Options, c *motion.Config) {
			held.Store = c.Store
			c.Store = held
		})
		get := func(client, address string) *httptest.ResponseRecorder {
			return serve(d.api, "GET", address, client, strings.NewReader(""), 0)
		}
		var all sync.WaitGroup
		var served atomic.Int64
		for i := range 200 {
			kind := []string{"keypoints", "movies", "subjects", "analyses"}[i%4]
			all.Go(func() {
				if r := get("busy", fmt.Sprintf("/%s/?size=1000", kind)); r.Code == 200 {
					served.Add(1)
				} else {
					t.Errorf("%d %s", r.Code, r.Body)
				}
			})
		}
		synctest.Wait()
		if n := held.inside.Load(); n == 0 || n > most {
			t.Errorf("%d lists of one client are with the storage at once", n)
		}
		for _, address := range []string{"/keypoints/?size=1000", "/movies/", "/subjects/"} {
			if r := get("other", address); r.Code != 200 {
				t.Errorf("%s of another client: %d %s", address, r.Code, r.Body)
			}
		}
		if served.Load() != 0 {
			t.Error("the other client was served after the busy one")
		}
		close(held.gate)
		all.Wait()
		if served.Load() != 200 {
			t.Errorf("%d of 200 were served", served.Load())
		}
	})
}
