package storagetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/storage"
)

// scan: Scan returns the records of all owners in ascending order of their IDs, without results.
func scan(t *testing.T, s storage.Store) {
	var want []storage.Record
	for i := range 7 {
		r := record([]string{"alice", "bob"}[i%2], storage.Keypoints, storage.Processing)
		r.Result = []byte("result")
		r = create(t, s, r)
		r.Result = nil
		want = append(want, r)
		create(t, s, record("alice", storage.Movies, ""))
	}
	if err := s.Delete(t.Context(), want[3].Key); err != nil {
		t.Fatal(err)
	}
	want = append(want[:3:3], want[4:]...)
	for _, limit := range []int{1, 2, 5, 6, 1000} {
		var got []storage.Record
		for after := int64(0); ; {
			page, err := s.Scan(t.Context(), storage.Keypoints, after, limit)
			if err != nil || len(page) > limit {
				t.Fatalf("%d records, at most %d are wanted (%v)", len(page), limit, err)
			}
			if len(page) == 0 {
				break
			}
			got = append(got, page...)
			after = page[len(page)-1].ID
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pages of %d (-want +got):\n%s", limit, diff)
		}
	}
	if none, err := s.Scan(t.Context(), storage.Analyses, 0, 10); err != nil || len(none) != 0 {
		t.Errorf("of another kind: %v (%v)", none, err)
	}
	for _, limit := range []int{0, -1} {
		if _, err := s.Scan(t.Context(), storage.Keypoints, 0, limit); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("the limit %d: %v, want ErrInvalid", limit, err)
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Scan(canceled, storage.Keypoints, 0, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

// scanWhileMade: scanning on from the last ID misses no record while others create some.
func scanWhileMade(t *testing.T, s storage.Store) {
	const makers, each = 4, 50
	var wg sync.WaitGroup
	for i := range makers {
		wg.Go(func() {
			for range each {
				if _, err := s.Create(context.Background(), record(fmt.Sprint("owner ", i), storage.Movies, "")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	made := make(chan struct{})
	go func() { wg.Wait(); close(made) }()
	seen, after := 0, int64(0)
	for done := false; ; {
		page, err := s.Scan(t.Context(), storage.Movies, after, 7)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page {
			if r.ID <= after {
				t.Errorf("%d after %d", r.ID, after)
			}
			after = r.ID
		}
		if seen += len(page); len(page) > 0 {
			continue
		}
		if done {
			break
		}
		select {
		case <-made:
			done = true
		default:
		}
	}
	if seen != makers*each {
		t.Errorf("%d of %d records were seen", seen, makers*each)
	}
}

// compareAndSetMedia: two writers of the data of a record without a status do not overwrite each
// other. After a conflict, a writer reads again.
func compareAndSetMedia(t *testing.T, a, b storage.Store, rounds int) {
	r := create(t, a, record("alice", storage.Movies, ""))
	r.Data = []byte("{}")
	if _, err := a.Update(t.Context(), r, ""); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i, s := range []storage.Store{a, b} {
		name := string(rune('a' + i))
		wg.Go(func() {
			for n := 1; n <= rounds; {
				now, err := s.Get(context.Background(), r.Key)
				if err != nil {
					t.Error(err)
					return
				}
				counts := map[string]int{}
				if err := json.Unmarshal(now.Data, &counts); err != nil || counts[name] != n-1 {
					t.Errorf("writer %s has counted to %d, and reads %s (%v)", name, n-1, now.Data, err)
					return
				}
				counts[name] = n
				now.Data, _ = json.Marshal(counts)
				switch _, err := s.Update(context.Background(), now, ""); {
				case err == nil:
					n++
				case !errors.Is(err, storage.ErrConflict):
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}
