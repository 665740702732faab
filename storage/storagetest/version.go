package storagetest

import (
	"testing"

	"github.com/bodymotion/motion/storage"
)

// version tests the promise of stores that are storage.Versioned.
func version(t *testing.T, s storage.Store) {
	v, ok := s.(storage.Versioned)
	if !ok {
		t.Skip("the store is not Versioned")
	}
	const owner = "alice"
	seen := map[uint64]string{}
	changes := func(what string, change func() error) {
		t.Helper()
		before := v.Version(owner, storage.Movies)
		if again := v.Version(owner, storage.Movies); again != before {
			t.Fatalf("before %s: %d and %d, though nothing has changed", what, before, again)
		}
		seen[before] = what
		if err := change(); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if earlier, ok := seen[v.Version(owner, storage.Movies)]; ok {
			t.Fatalf("after %s: the version of before %s", what, earlier)
		}
	}
	var r storage.Record
	changes("Create", func() (err error) {
		r, err = s.Create(t.Context(), storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Movies}, Data: []byte(`{}`)})
		return err
	})
	changes("Update", func() (err error) {
		r.Data = []byte(`{"name":"x"}`)
		r, err = s.Update(t.Context(), r, r.Status)
		return err
	})
	changes("Delete", func() error { return s.Delete(t.Context(), r.Key) })

	of := v.Version(owner, storage.Movies)
	for _, key := range []storage.Key{{Owner: "bob", Kind: storage.Movies}, {Owner: owner, Kind: storage.Images}} {
		if _, err := s.Create(t.Context(), storage.Record{Key: key, Data: []byte(`{}`)}); err != nil {
			t.Fatal(err)
		}
	}
	if v.Version(owner, storage.Movies) != of {
		t.Error("records of another owner or kind have changed the version")
	}
}
