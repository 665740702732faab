package storagetest

import (
	"errors"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/storage"
)

// Relabeler tests a storage.Relabeler: what the driver opens is one, or wraps one.
func Relabeler(t *testing.T, d StoreDriver) {
	s := d.empty(t)
	store, ok := storage.As[storage.Relabeler](s)
	if !ok {
		t.Fatalf("%T is no storage.Relabeler", s)
	}
	var records []storage.Record
	for range 3 {
		r := record("alice", storage.Keypoints, storage.Success)
		r.Labels, r.Result = []string{"word:kenji"}, []byte("r")
		records = append(records, create(t, s, r))
	}
	stale := records[1]
	changed, err := s.Update(t.Context(), stale, storage.Success)
	if err != nil {
		t.Fatal(err)
	}
	gone := records[2]
	if err := s.Delete(t.Context(), gone.Key); err != nil {
		t.Fatal(err)
	}
	relabelled := slices.Clone(records)
	for i := range relabelled {
		relabelled[i].Labels = []string{"word:mika"}
		relabelled[i].Data, relabelled[i].Result, relabelled[i].Status = nil, nil, storage.Failure // stay as they are
	}
	left, err := store.Relabel(t.Context(), relabelled...)
	if diff := gocmp.Diff([]storage.Key{stale.Key, gone.Key}, left); diff != "" || err != nil {
		t.Errorf("left as they are (%v): %s", err, diff)
	}
	now, err := s.Get(t.Context(), records[0].Key)
	if err != nil || !now.UpdatedAt.After(records[0].UpdatedAt) {
		t.Errorf("changed at %v, before at %v (%v)", now.UpdatedAt, records[0].UpdatedAt, err)
	}
	want := records[0]
	want.Labels, want.UpdatedAt = []string{"word:mika"}, now.UpdatedAt
	if diff := gocmp.Diff(want, now); diff != "" {
		t.Errorf("relabelled: %s", diff)
	}
	if now, err := s.Get(t.Context(), stale.Key); err != nil || !gocmp.Equal(now, changed) {
		t.Errorf("a record that has changed: %+v (%v)", now, err)
	}
	for label, n := range map[string]int{"word:mika": 1, "word:kenji": 1} {
		if _, total, err := s.List(t.Context(), "alice", storage.Keypoints, storage.Filter{Labels: []string{label}, Limit: 9}); err != nil || total != n {
			t.Errorf("%d are listed by %s, want %d (%v)", total, label, n, err)
		}
	}
	if _, err := s.Update(t.Context(), records[0], storage.Success); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("an Update of what was read before: %v, want ErrConflict", err)
	}

	now.Labels, changed.Labels = []string{"word:ana"}, []string{""}
	if _, err := store.Relabel(t.Context(), now, changed); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("with an empty label: %v, want ErrInvalid", err)
	}
	if _, total, err := s.List(t.Context(), "alice", storage.Keypoints, storage.Filter{Labels: []string{"word:ana"}, Limit: 9}); err != nil || total != 0 {
		t.Errorf("half of a call that has failed was done: %d (%v)", total, err)
	}
	if left, err := store.Relabel(t.Context()); err != nil || left != nil {
		t.Errorf("no records: %v (%v)", left, err)
	}
}
