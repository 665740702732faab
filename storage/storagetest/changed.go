package storagetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/storage"
)

// changed: Changed returns an owner's records of all kinds, the latest change first, without results.
func changed(t *testing.T, s storage.Store) {
	ask := func(owner string, since time.Time, limit int) []storage.Record {
		t.Helper()
		page, err := s.Changed(t.Context(), owner, since, limit)
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	if got := ask("alice", time.Time{}, 10); len(got) != 0 {
		t.Errorf("an empty store: %v", got)
	}
	var want []storage.Record // latest first
	for _, kind := range []storage.Kind{storage.Movies, storage.Keypoints, storage.Drawings, storage.Keypoints} {
		want = append([]storage.Record{create(t, s, record("alice", kind, storage.Unprocessed))}, want...)
		create(t, s, record("bob", kind, storage.Unprocessed))
		time.Sleep(time.Millisecond) // times of creation may be equal
	}
	r := want[2]
	r.Status, r.Result = storage.Success, []byte("result")
	r, err := s.Update(t.Context(), r, storage.Unprocessed)
	if err != nil {
		t.Fatal(err)
	}
	r.Result = nil
	want = append([]storage.Record{r}, slices.Delete(want, 2, 3)...)
	if diff := cmp.Diff(want, ask("alice", time.Time{}, 10)); diff != "" {
		t.Errorf("all (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[:2], ask("alice", time.Time{}, 2)); diff != "" {
		t.Errorf("a page of 2 (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[:2], ask("alice", want[1].UpdatedAt, 10)); diff != "" {
		t.Errorf("since the second (-want +got):\n%s", diff)
	}
	if got := ask("alice", r.UpdatedAt.Add(time.Microsecond), 10); len(got) != 0 {
		t.Errorf("after the last: %v", got)
	}
	if err := s.Delete(t.Context(), r.Key); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want[1:], ask("alice", time.Time{}, 10)); diff != "" {
		t.Errorf("after a deletion (-want +got):\n%s", diff)
	}
	for _, limit := range []int{0, -1} {
		if _, err := s.Changed(t.Context(), "alice", time.Time{}, limit); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("the limit %d: %v, want ErrInvalid", limit, err)
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Changed(canceled, "alice", time.Time{}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}
