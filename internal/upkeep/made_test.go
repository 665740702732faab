package upkeep_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// TestLabelled finds records among more than are read at a time.
func TestLabelled(t *testing.T) {
	k, _ := newKeeper()
	const n = 2300
	for i := range n {
		create(t, k, owner, storage.Analyses, storage.Success, fmt.Sprintf(`{"from":[{"kind":"keypoints","id":%d}]}`, 1+i%2))
	}
	create(t, k, "somebody else", storage.Analyses, storage.Success, `{"from":[{"kind":"keypoints","id":1}]}`)
	keys, err := k.Labelled(t.Context(), owner, storage.Analyses, catalog.FromLabel(storage.Key{Kind: storage.Keypoints, ID: 1}))
	if err != nil || len(keys) != n/2 {
		t.Fatalf("%d records (%v), want %d", len(keys), err, n/2)
	}
	for i, key := range keys {
		if want := int64(n - 1 - 2*i); key.ID != want || key.Owner != owner {
			t.Fatalf("record %d is %v, want %d", i, key, want)
		}
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
