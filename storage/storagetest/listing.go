package storagetest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bodymotion/motion/storage"
)

func list(t *testing.T, s storage.Store) {
	for i := range 25 {
		status := storage.Success
		if i%5 == 0 {
			status = storage.Failure
		}
		create(t, s, record("alice", storage.Drawings, status))
		create(t, s, record("bob", storage.Drawings, status))
	}
	var seen []int64
	for offset := 0; ; offset += 10 {
		page, total, err := s.List(t.Context(), "alice", storage.Drawings, storage.Filter{Offset: offset, Limit: 10})
		if err != nil || total != 25 {
			t.Fatalf("total %d (%v)", total, err)
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			seen = append(seen, r.ID)
		}
	}
	falling := slices.IsSortedFunc(seen, func(a, b int64) int { return cmp.Compare(b, a) })
	if len(seen) != 25 || !falling || len(slices.Compact(seen)) != 25 {
		t.Errorf("newest first, each once: %v", seen)
	}
	page, total, err := s.List(t.Context(), "alice", storage.Drawings, storage.Filter{Status: storage.Failure, Offset: 1, Limit: 3})
	if err != nil || total != 5 || len(page) != 3 || page[0].Status != storage.Failure {
		t.Errorf("failures: %d of %d (%v)", len(page), total, err)
	}
	page, total, err = s.List(t.Context(), "alice", storage.Drawings, storage.Filter{Offset: math.MaxInt, Limit: math.MaxInt})
	if err != nil || total != 25 || len(page) != 0 {
		t.Errorf("far behind: %d of %d (%v)", len(page), total, err)
	}
	page, total, err = s.List(t.Context(), "alice", storage.Drawings, storage.Filter{Limit: math.MaxInt})
	if err != nil || total != 25 || len(page) != 25 {
		t.Errorf("without a limit: %d of %d (%v)", len(page), total, err)
	}
	for _, f := range []storage.Filter{{Limit: 0}, {Offset: -1, Limit: 1}} {
		if _, _, err := s.List(t.Context(), "alice", storage.Drawings, f); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// listModel creates, changes and deletes hundreds of records of two owners at random, and compares lists with a model.
func listModel(t *testing.T, s storage.Store) {
	random := rand.New(rand.NewPCG(3, 4))
	statuses := []storage.Status{storage.Unprocessed, storage.Processing, storage.Success, storage.Failure}
	model := map[string][]storage.Record{} // newest last
	check := func(f storage.Filter) {
		t.Helper()
		for owner, all := range model {
			var want []int64
			for _, r := range slices.Backward(all) {
				if f.Status == "" || r.Status == f.Status {
					want = append(want, r.ID)
				}
			}
			total := len(want)
			want = want[min(f.Offset, total):min(f.Offset+f.Limit, total)]
			page, n, err := s.List(t.Context(), owner, storage.Comparisons, f)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]int64, len(page))
			for i, r := range page {
				got[i] = r.ID
				if r.Owner != owner || r.Kind != storage.Comparisons || (f.Status != "" && r.Status != f.Status) {
					t.Fatalf("%s, %+v: listed %+v", owner, f, r)
				}
			}
			if n != total || !slices.Equal(got, want) {
				t.Fatalf("%s, %+v: %v of %d, want %v of %d", owner, f, got, n, want, total)
			}
		}
	}
	for step := range 1500 {
		owner := []string{"alice", "bob"}[random.IntN(2)]
		all := model[owner]
		i := random.IntN(len(all) + 1)
		switch what := random.IntN(6); {
		case what < 3 || i == len(all):
			all = append(all, create(t, s, record(owner, storage.Comparisons, statuses[random.IntN(4)])))
		case what < 5:
			r := all[i]
			r.Status = statuses[random.IntN(4)]
			var err error
			if all[i], err = s.Update(t.Context(), r, all[i].Status); err != nil {
				t.Fatal(err)
			}
		default:
			if err := s.Delete(t.Context(), all[i].Key); err != nil {
				t.Fatal(err)
			}
			all = slices.Delete(all, i, i+1)
		}
		model[owner] = all
		if step%25 == 0 {
			check(storage.Filter{Offset: random.IntN(len(all) + 10), Limit: 1 + random.IntN(50), Status: append(statuses, "")[random.IntN(5)]})
		}
	}
	for _, status := range append(statuses, "") {
		for offset := 0; offset < 700; offset += 50 {
			check(storage.Filter{Offset: offset, Limit: 50, Status: status})
		}
		check(storage.Filter{Limit: 10_000, Status: status})
	}
	// After all records are deleted, the total is 0.
	for owner, all := range model {
		for _, r := range all {
			if err := s.Delete(t.Context(), r.Key); err != nil {
				t.Fatal(err)
			}
		}
		model[owner] = nil
	}
	check(storage.Filter{Limit: 1})
}

func unfinished(t *testing.T, s storage.Store) {
	var want []storage.Key
	for i, status := range []storage.Status{storage.Unprocessed, storage.Success, storage.Processing, storage.Failure, "", storage.Unprocessed} {
		r := record(fmt.Sprint("client", i), []storage.Kind{storage.Keypoints, storage.Drawings}[i%2], status)
		r.Result = []byte("[]")
		r = create(t, s, r)
		if status == storage.Unprocessed || status == storage.Processing {
			want = append(want, r.Key)
		}
	}
	var got []storage.Key
	err := s.Unfinished(t.Context(), func(r storage.Record) error {
		got = append(got, r.Key)
		if r.Result != nil || string(r.Data) != `{"a":1}` || r.CreatedAt.IsZero() || r.Status.Final() {
			t.Errorf("%+v", r)
		}
		return second(s.Get(t.Context(), r.Key)) // fn may use the store
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v (%v), want %v", got, err, want)
	}
	calls, stop := 0, errors.New("stop")
	err = s.Unfinished(t.Context(), func(storage.Record) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("fn's error after %d calls: %v", calls, err)
	}
}

// unfinishedChanges: fn changes the records, as the service does when it starts, and creates new
// ones, which does not make Unfinished endless.
func unfinishedChanges(t *testing.T, s storage.Store) {
	const n = 250
	for i := range n {
		create(t, s, record("alice", storage.Keypoints, []storage.Status{storage.Unprocessed, storage.Processing}[i%2]))
	}
	var got []int64
	calls := 0
	err := s.Unfinished(t.Context(), func(r storage.Record) error {
		if calls++; calls > 10*n {
			return errors.New("it never ends")
		}
		create(t, s, record("bob", storage.Analyses, storage.Unprocessed))
		if r.Owner != "alice" {
			return nil // created by fn
		}
		got = append(got, r.ID)
		if from := r.Status; from == storage.Processing {
			r.Status = storage.Unprocessed
			return second(s.Update(t.Context(), r, from))
		}
		if r.ID%3 == 0 {
			return s.Delete(t.Context(), r.Key)
		}
		return nil
	})
	if err != nil || len(got) != n || !slices.IsSorted(got) {
		t.Errorf("%d records (%v), want %d, oldest first: %v", len(got), err, n, got)
	}
}
