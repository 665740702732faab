package upkeep_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// TestMadeFrom lists records among more than are read at a time.
func TestMadeFrom(t *testing.T) {
	k, _ := newKeeper()
	const n = 2300
	for i := range n {
		create(t, k, owner, storage.Analyses, []storage.Status{storage.Success, storage.Failure}[i/2%2], fmt.Sprintf(`{"from":[{"kind":"keypoints","id":%d}]}`, 1+i%2))
	}
	create(t, k, "somebody else", storage.Analyses, storage.Success, `{"from":[{"kind":"keypoints","id":1}]}`)
	origin := storage.Key{Owner: owner, Kind: storage.Keypoints, ID: 1}
	for _, c := range []struct {
		f               storage.Filter
		total, first, n int
	}{
		{storage.Filter{Limit: 20}, n / 2, n - 1, 20},
		{storage.Filter{Limit: 5, Offset: 1100}, n / 2, n - 1 - 2*1100, 5},
		{storage.Filter{Limit: 50, Offset: n/2 - 3}, n / 2, 5, 3},
		{storage.Filter{Limit: 50, Offset: n}, n / 2, 0, 0},
		{storage.Filter{Limit: 7, Status: storage.Failure}, n / 4, n - 1, 7},
	} {
		page, total, err := k.MadeFrom(t.Context(), origin, storage.Analyses, c.f)
		if err != nil || total != c.total || len(page) != c.n || c.n > 0 && page[0].ID != int64(c.first) {
			t.Errorf("%+v: %d of %d (%v), want %d of %d", c.f, len(page), total, err, c.n, c.total)
		}
		for i := range len(page) - 1 {
			if page[i].ID <= page[i+1].ID || page[i].ID%2 != 1 || page[i].Owner != owner {
				t.Fatalf("%+v: %v before %v", c.f, page[i].Key, page[i+1].Key)
			}
		}
	}
	for _, f := range []storage.Filter{{Limit: 0}, {Limit: 1, Offset: -1}} {
		if _, _, err := k.MadeFrom(t.Context(), origin, storage.Analyses, f); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	create(t, k, owner, storage.Analyses, storage.Success, `{"from":[{"kind":"keypoints","id":"1"}]}`)
	if _, _, err := k.MadeFrom(t.Context(), origin, storage.Analyses, storage.Filter{Limit: 1}); err == nil {
		t.Error("damaged data are no error")
	}
}
