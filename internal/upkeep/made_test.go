package upkeep_test

import (
	"context"
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

// TestOldRecords: what is made from a record is found beside records from before there were labels, and among them.
func TestOldRecords(t *testing.T) {
	k, _ := newKeeper()
	movie := create(t, k, owner, storage.Movies, "", "{}")
	var made []storage.Key
	for i, data := range []string{
		`{"from":[{"kind":"movies","id":1}]}`, `{"from":[{"kind":"movies","id":2}]}`, `{"from":[{"kind":"keypoints","id":1}]}`, `{"from":[{"kind":"keypoints","id":3}]}`,
	} {
		key := create(t, k, owner, storage.Keypoints, storage.Success, data)
		made = append(made, key)
		if i == 3 {
			break // it has labels
		}
		r, err := k.Store.Head(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		r.Labels = []string{storage.Unlabelled}
		if _, err := k.Store.Update(t.Context(), r, r.Status); err != nil {
			t.Fatal(err)
		}
	}
	page, total, err := k.MadeFrom(t.Context(), movie, storage.Keypoints, storage.Filter{Limit: 9})
	if err != nil || total != 1 || page[0].Key != made[0] {
		t.Errorf("%d are made from the movie (%v)", total, err)
	}
	if err := k.Delete(t.Context(), movie); err != nil {
		t.Fatal(err)
	}
	left, err := k.Store.Scan(t.Context(), storage.Keypoints, 0, 9)
	if err != nil || len(left) != 1 || left[0].Key != made[1] {
		t.Errorf("%d are left (%v), want the one of another movie", len(left), err)
	}
}

// interrupted is a Store that makes keypoints from a movie right after that was deleted, and answers no lists then.
type interrupted struct {
	storage.Store
	late func()
	down bool
}

func (s *interrupted) Delete(ctx context.Context, keys ...storage.Key) error {
	err := s.Store.Delete(ctx, keys...)
	if s.late != nil {
		s.late()
		s.late, s.down = nil, true
	}
	return err
}

func (s *interrupted) List(ctx context.Context, of string, kind storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	if s.down {
		return nil, 0, storage.ErrUnavailable
	}
	return s.Store.List(ctx, of, kind, f)
}

// TestGoneWithAll: who asks again for a deletion that was interrupted is told that the record is gone when all is that was made from
// it.
func TestGoneWithAll(t *testing.T) {
	k, _ := newKeeper()
	movie := create(t, k, owner, storage.Movies, "", "{}")
	var late storage.Key
	store := &interrupted{Store: k.Store}
	store.late = func() {
		late = create(t, k, owner, storage.Keypoints, storage.Success, `{"from":[{"kind":"movies","id":1}]}`)
	}
	k.Store = store
	if err := k.Delete(t.Context(), movie); !errors.Is(err, storage.ErrUnavailable) {
		t.Fatal(err)
	}
	if err := k.Delete(t.Context(), movie); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("while storage is down: %v", err)
	}
	store.down = false
	if err := k.Delete(t.Context(), movie); !errors.Is(err, storage.ErrNotFound) {
		t.Error(err)
	}
	if _, err := k.Store.Head(t.Context(), late); !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("what was made late is there: %v", err)
	}
}
