package upkeep_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/upkeep"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

const (
	owner = "somebody"
	past  = time.Nanosecond // the age of everything that was there before
)

var movies = map[storage.Kind]time.Duration{storage.Movies: past}

func newKeeper() (*upkeep.Keeper, *[]storage.Key) {
	cancelled := new([]storage.Key)
	return &upkeep.Keeper{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}),
		Cancel: func(key storage.Key) { *cancelled = append(*cancelled, key) },
		Logger: slog.New(slog.DiscardHandler),
	}, cancelled
}

// create creates a record and waits until the clock has passed its time: a store in memory
// gives no time twice, and so may be ahead.
func create(t *testing.T, k *upkeep.Keeper, owner string, kind storage.Kind, status storage.Status, data string) storage.Key {
	t.Helper()
	r, _ := catalog.Labelled(storage.Record{Key: storage.Key{Owner: owner, Kind: kind}, Status: status, Data: []byte(data)}) // perhaps damaged
	r, err := k.Store.Create(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	for !time.Now().After(r.UpdatedAt.Add(past)) {
		runtime.Gosched()
	}
	return r.Key
}

// TestExpireMany goes over more records than are read or removed at a time.
func TestExpireMany(t *testing.T) {
	k, _ := newKeeper()
	const n = 1300
	for i := range n {
		m := create(t, k, fmt.Sprint("owner ", i%7), storage.Movies, "", "{}")
		if i%10 == 0 { // kept
			create(t, k, m.Owner, storage.Keypoints, storage.Success, fmt.Sprintf(`{"from":[{"kind":"movies","id":%d}]}`, m.ID))
		}
	}
	got, err := k.Expire(t.Context(), movies)
	if err != nil || got != n-n/10 {
		t.Errorf("%d of %d movies have expired (%v)", got, n, err)
	}
	left, err := k.Store.Scan(t.Context(), storage.Movies, 0, n)
	if err != nil || len(left) != n/10 || left[0].ID != 1 || left[1].ID != 11 {
		t.Errorf("%d movies are left (%v)", len(left), err)
	}
}

// later is a store in which more is created while something is deleted for the first time.
type later struct {
	storage.Store
	once   *sync.Once
	create func(storage.Key)
}

func (l later) Delete(ctx context.Context, keys ...storage.Key) error {
	l.once.Do(func() { l.create(keys[0]) })
	return l.Store.Delete(ctx, keys...)
}

// TestExpireBesideWork: a record that is created during Expire keeps what it is made from.
func TestExpireBesideWork(t *testing.T) {
	k, _ := newKeeper()
	const n = 200
	for range n {
		create(t, k, owner, storage.Movies, "", "{}")
	}
	inner := *k
	k.Store = later{k.Store, &sync.Once{}, func(first storage.Key) {
		// The newest go first: the oldest one's turn comes last.
		if create(t, &inner, owner, storage.Keypoints, storage.Unprocessed, `{"from":[{"kind":"movies","id":1}]}`); first.ID != n {
			t.Errorf("%+v goes first", first)
		}
	}}
	if got, err := k.Expire(t.Context(), movies); err != nil || got != n-1 {
		t.Errorf("%d have expired (%v)", got, err)
	}
	if _, err := k.Store.Get(t.Context(), storage.Key{Owner: owner, Kind: storage.Movies, ID: 1}); err != nil {
		t.Errorf("what is needed: %v", err)
	}
}

// TestDeleteOrder: dependents are deleted before what they are made from, each is cancelled,
// and what is made from something else stays.
func TestDeleteOrder(t *testing.T) {
	k, cancelled := newKeeper()
	movie := create(t, k, owner, storage.Movies, "", "{}")
	other := create(t, k, owner, storage.Movies, "", "{}")
	raw := create(t, k, owner, storage.Keypoints, storage.Success, `{"from":[{"kind":"movies","id":1}]}`)
	cleaned := create(t, k, owner, storage.Keypoints, storage.Success, `{"from":[{"kind":"movies","id":1}],"from":[{"kind":"keypoints","id":1}]}`)
	stays := create(t, k, owner, storage.Keypoints, storage.Success, `{"from":[{"kind":"movies","id":2}]}`)
	comparison := create(t, k, owner, storage.Comparisons, storage.Success, `{"from":[{"kind":"keypoints","id":3},{"kind":"keypoints","id":2}],"options":{}}`)
	analysis := create(t, k, owner, storage.Analyses, storage.Success, `{"from":[{"kind":"keypoints","id":3}]}`)
	drawing := create(t, k, owner, storage.Drawings, storage.Success, `{"from":[{"kind":"comparisons","id":1}],"extension":".jpg"}`)
	for _, name := range append(catalog.FileNames(movie), append(catalog.FileNames(other), catalog.FileNames(drawing)...)...) {
		if _, err := k.Blobs.Put(t.Context(), name, strings.NewReader("x"), storage.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Delete(t.Context(), storage.Key{Owner: "nobody", Kind: storage.Movies, ID: 1}); !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("somebody else deletes it: %v", err)
	}
	if err := k.Delete(t.Context(), movie); err != nil {
		t.Fatal(err)
	}
	if want := []storage.Key{drawing, comparison, cleaned, raw, movie}; !slices.Equal(*cancelled, want) {
		t.Errorf("deleted %v, want %v", *cancelled, want)
	}
	for _, key := range []storage.Key{other, stays, analysis} {
		if _, err := k.Store.Get(t.Context(), key); err != nil {
			t.Errorf("%v: %v", key, err)
		}
	}
	var files []string
	if err := k.Blobs.List(t.Context(), "", func(b storage.BlobInfo) error { files = append(files, b.Key); return nil }); err != nil || !slices.Equal(files, catalog.FileNames(other)) {
		t.Errorf("files: %v (%v)", files, err)
	}
}
