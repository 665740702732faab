package storagetest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/storage"
)

func record(owner string, kind storage.Kind, status storage.Status) storage.Record {
	return storage.Record{Key: storage.Key{Owner: owner, Kind: kind}, Status: status, Data: []byte(`{"a":1}`)}
}

func create(t *testing.T, s storage.Store, r storage.Record) storage.Record {
	t.Helper()
	r, err := s.Create(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func second[T any](_ T, err error) error { return err }

func createAndGet(t *testing.T, s storage.Store) {
	data := []byte(`{"name":"x"}`)
	in := record("alice", storage.Movies, "")
	in.ID, in.Data = 99, data
	before := time.Now().Add(-time.Second)
	r := create(t, s, in)
	data[2] = 'X' // the store must not share it
	if r.ID != 1 || r.Owner != "alice" || r.Kind != storage.Movies {
		t.Errorf("created %+v", r.Key)
	}
	if r.CreatedAt.Before(before) || !r.CreatedAt.Equal(r.UpdatedAt) || r.CreatedAt.Location() != time.UTC || r.CreatedAt.Nanosecond()%1000 != 0 {
		t.Errorf("times %v and %v", r.CreatedAt, r.UpdatedAt)
	}
	got, err := s.Get(t.Context(), r.Key)
	if err != nil || string(got.Data) != `{"name":"x"}` || !got.CreatedAt.Equal(r.CreatedAt) {
		t.Fatalf("got %+v (%v)", got, err)
	}
	got.Data[2] = 'Y'
	if again, err := s.Get(t.Context(), r.Key); err != nil || string(again.Data) != `{"name":"x"}` {
		t.Errorf("the store shares its bytes: %s (%v)", again.Data, err)
	}
	if other := create(t, s, record("bob", storage.Movies, "")); other.ID != 2 {
		t.Errorf("ids are given per kind, not per owner: %d", other.ID)
	}
	if other := create(t, s, record("bob", storage.Images, "")); other.ID != 1 {
		t.Errorf("another kind begins at %d", other.ID)
	}
}

// values: the store returns exactly the bytes that it was given.
func values(t *testing.T, s storage.Store) {
	for _, owner := range []string{"alice", "Alice", "al%ce", "al_ce", "o'hara; --", "größe 漢字", " ", strings.Repeat("x", 500)} {
		in := storage.Record{
			Key:    storage.Key{Owner: owner, Kind: storage.Analyses},
			Status: storage.Failure, Failure: "why: \"ü\"\n'", Attempts: 7,
			Data: []byte("{\"\\u0000\":\"\x00\xff'\"}"), Result: []byte("\x00result\xff"),
			At: time.Date(1999, 12, 31, 23, 59, 59, 999_999_000, time.UTC), Labels: []string{" ", "a b", "größe", "word:膝"},
		}
		r := create(t, s, in)
		got, err := s.Get(t.Context(), r.Key)
		if err != nil {
			t.Fatal(err)
		}
		in.ID, in.CreatedAt, in.UpdatedAt = r.ID, got.CreatedAt, got.UpdatedAt
		if diff := cmp.Diff(in, r); diff != "" {
			t.Errorf("created, owner %q (-in +out):\n%s", owner, diff)
		}
		if diff := cmp.Diff(in, got); diff != "" {
			t.Errorf("owner %q (-in +out):\n%s", owner, diff)
		}
		in.Result = nil
		if got, err = s.Head(t.Context(), r.Key); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(in, got); diff != "" {
			t.Errorf("head, owner %q (-in +out):\n%s", owner, diff)
		}
		if _, total, err := s.List(t.Context(), owner, storage.Analyses, storage.Filter{Limit: 1}); err != nil || total != 1 {
			t.Errorf("owner %q has %d records (%v)", owner, total, err)
		}
	}
	for _, r := range []storage.Record{record("", storage.Movies, ""), record("alice", "", "")} {
		if _, err := s.Create(t.Context(), r); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%+v: %v, want ErrInvalid", r.Key, err)
		}
	}
}

// largeResults: the store returns results of some megabytes, but not in lists.
func largeResults(t *testing.T, s storage.Store) {
	const size = 8 << 20
	source := rand.New(rand.NewPCG(1, 2))
	r := create(t, s, record("alice", storage.Keypoints, storage.Processing))
	for _, n := range []int{size, 1, size / 2} {
		r.Result = make([]byte, n)
		for i := range r.Result {
			r.Result[i] = byte(source.Uint32())
		}
		want := bytes.Clone(r.Result)
		var err error
		if r, err = s.Update(t.Context(), r, storage.Processing); err != nil {
			t.Fatal(err)
		}
		clear(r.Result) // the store must not share it
		got, err := s.Get(t.Context(), r.Key)
		if err != nil || !bytes.Equal(got.Result, want) {
			t.Errorf("a result of %d bytes comes back with %d (%v)", n, len(got.Result), err)
		}
	}
	page, _, err := s.List(t.Context(), "alice", storage.Keypoints, storage.Filter{Limit: 1})
	if err != nil || len(page) != 1 || page[0].Result != nil {
		t.Errorf("listed %d records (%v), want one without its result", len(page), err)
	}
	if head, err := s.Head(t.Context(), r.Key); err != nil || head.Result != nil || head.ID != r.ID {
		t.Errorf("the head of %+v is %+v (%v), want it without its result", r.Key, head.Key, err)
	}
	r.Result = nil
	if _, err := s.Update(t.Context(), r, storage.Processing); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(t.Context(), r.Key); err != nil || len(got.Result) != 0 {
		t.Errorf("a result that was taken away still has %d bytes (%v)", len(got.Result), err)
	}
}

func ownership(t *testing.T, s storage.Store) {
	r := create(t, s, record("alice", storage.Keypoints, storage.Unprocessed))
	theirs, nobodys := r, r
	theirs.Owner, nobodys.Owner = "bob", ""
	for name, err := range map[string]error{
		"get":    second(s.Get(t.Context(), theirs.Key)),
		"head":   second(s.Head(t.Context(), theirs.Key)),
		"none":   second(s.Head(t.Context(), storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: 7})),
		"update": second(s.Update(t.Context(), theirs, storage.Unprocessed)),
		"delete": s.Delete(t.Context(), theirs.Key),

		"get without an owner":    second(s.Get(t.Context(), nobodys.Key)),
		"head without an owner":   second(s.Head(t.Context(), nobodys.Key)),
		"update without an owner": second(s.Update(t.Context(), nobodys, storage.Unprocessed)),
		"delete without an owner": s.Delete(t.Context(), nobodys.Key),

		"id":   second(s.Get(t.Context(), storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: 7})),
		"kind": second(s.Get(t.Context(), storage.Key{Owner: "alice", Kind: storage.Drawings, ID: r.ID})),
	} {
		if !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", name, err)
		}
	}
	for _, owner := range []string{"bob", ""} {
		if list, total, err := s.List(t.Context(), owner, storage.Keypoints, storage.Filter{Limit: 10}); err != nil || total != 0 || len(list) != 0 {
			t.Errorf("%q sees %v (%v)", owner, list, err)
		}
		if list, err := s.Changed(t.Context(), owner, time.Time{}, 10); err != nil || len(list) != 0 {
			t.Errorf("%q sees the changes %v (%v)", owner, list, err)
		}
	}
	if _, err := s.Get(t.Context(), r.Key); err != nil {
		t.Errorf("the owner: %v", err)
	}
	if got, err := s.Head(t.Context(), r.Key); err != nil || got.Key != r.Key {
		t.Errorf("the head of %+v is that of %+v (%v)", r.Key, got.Key, err)
	}
}

func update(t *testing.T, s storage.Store) {
	r := create(t, s, record("alice", storage.Keypoints, storage.Unprocessed))
	r.Status, r.Attempts = storage.Processing, 1
	next, err := s.Update(t.Context(), r, storage.Unprocessed)
	if err != nil || next.Status != storage.Processing || next.Attempts != 1 || !next.UpdatedAt.After(r.UpdatedAt) || !next.CreatedAt.Equal(r.CreatedAt) {
		t.Fatalf("%+v (%v)", next, err)
	}
	if _, err := s.Update(t.Context(), r, storage.Unprocessed); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("from another status: %v, want ErrConflict", err)
	}
	stale := r
	stale.Attempts = 7
	if _, err := s.Update(t.Context(), stale, storage.Processing); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("of a record that was changed meanwhile: %v, want ErrConflict", err)
	}
	stale.UpdatedAt = time.Time{}
	stale.Status = storage.Processing
	if next, err = s.Update(t.Context(), stale, storage.Processing); err != nil || next.Attempts != 7 {
		t.Errorf("without the time: %+v (%v)", next, err)
	}
	next.Status, next.Failure, next.Result, next.Data = storage.Failure, "why", []byte("[1]"), []byte("{}")
	if _, err := s.Update(t.Context(), next, storage.Processing); err != nil {
		t.Fatal(err)
	}
	got, err := s.Get(t.Context(), r.Key)
	if err != nil || got.Failure != "why" || string(got.Result) != "[1]" || string(got.Data) != "{}" {
		t.Errorf("%+v (%v)", got, err)
	}
	list, _, err := s.List(t.Context(), "alice", storage.Keypoints, storage.Filter{Limit: 1})
	if err != nil || len(list) != 1 || list[0].Result != nil || string(list[0].Data) != "{}" {
		t.Errorf("lists come without results: %+v (%v)", list, err)
	}
}

func deletion(t *testing.T, s storage.Store) {
	create(t, s, record("alice", storage.Movies, ""))
	r := record("alice", storage.Movies, "")
	r.Result = []byte("of a deleted record")
	r = create(t, s, r)
	if err := s.Delete(t.Context(), r.Key); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), r.Key); !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("again: %v", err)
	}
	if _, total, err := s.List(t.Context(), "alice", storage.Movies, storage.Filter{Limit: 9}); err != nil || total != 1 {
		t.Errorf("%d left (%v)", total, err)
	}
	next := create(t, s, record("alice", storage.Movies, ""))
	if got, err := s.Get(t.Context(), next.Key); err != nil || next.ID != 3 || len(got.Result) != 0 {
		t.Errorf("after a deleted 2 comes %d with the result %q (%v)", next.ID, got.Result, err)
	}
	for _, id := range []int64{1, 3} {
		if err := s.Delete(t.Context(), storage.Key{Owner: "alice", Kind: storage.Movies, ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	if next := create(t, s, record("bob", storage.Movies, "")); next.ID != 4 {
		t.Errorf("the id after all were deleted is %d, want 4", next.ID)
	}
}
