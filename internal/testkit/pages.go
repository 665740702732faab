package testkit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

// Place is an empty store, and SQL beside it.
type Place struct {
	Store storage.Store
	// Fill creates n records of alice, whose IDs are the multiples of step; every fourth is a failure, the others are successes.
	Fill func(tb testing.TB, n, step int)
	// Remove deletes the records for which a condition on id holds.
	Remove func(tb testing.TB, condition string)
}

// ListPages tests the pages of a list with gaps that is longer than a block of each size.
func ListPages(t *testing.T, p Place) {
	const n, step = 8000, 5
	p.Fill(t, n, step)
	p.Remove(t, "id BETWEEN 10000 AND 10300 OR id % 7 = 0")
	want := map[storage.Status][]int64{}
	for i := int64(n); i > 0; i-- {
		id := i * step
		if id >= 10000 && id <= 10300 || id%7 == 0 {
			continue
		}
		status := storage.Success
		if i%4 == 0 {
			status = storage.Failure
		}
		want[""] = append(want[""], id)
		want[status] = append(want[status], id)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for status, ids := range want {
		offsets := []int{0, 127, 128, 129, 3276, 3277, len(ids) - 1, len(ids), len(ids) + 1, math.MaxInt}
		for range 100 {
			offsets = append(offsets, random.IntN(len(ids)))
		}
		for _, offset := range offsets {
			f := storage.Filter{Status: status, Offset: offset, Limit: 1 + random.IntN(300)}
			page, total, err := p.Store.List(t.Context(), "alice", storage.Keypoints, f)
			if err != nil || total != len(ids) {
				t.Fatalf("%+v: total %d (%v), want %d", f, total, err, len(ids))
			}
			rest := ids[min(offset, len(ids)):]
			if len(page) != min(f.Limit, len(rest)) {
				t.Fatalf("%+v: %d records", f, len(page))
			}
			for i, r := range page {
				if r.ID != rest[i] {
					t.Fatalf("%+v: record %d is %d, want %d", f, i, r.ID, rest[i])
				}
			}
		}
	}
}

// BenchmarkPages measures a page of 20 of short and long lists; open opens an empty place.
func BenchmarkPages(b *testing.B, open func(b *testing.B) Place) {
	for _, n := range []int{1000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			if n == 1_000_000 && testing.Short() {
				b.Skip("takes some 20 seconds to fill")
			}
			p := open(b)
			p.Fill(b, n, 1)
			for _, status := range []storage.Status{"", storage.Failure} {
				of := n
				if status != "" {
					of = n / 4
				}
				for _, page := range []int{1, 10, 5000, of / 20} {
					if page*20 > of || page == 5000 && of == 100_000 {
						continue
					}
					f := storage.Filter{Status: status, Offset: (page - 1) * 20, Limit: 20}
					b.Run(fmt.Sprintf("status=%s/page=%d", status, page), func(b *testing.B) {
						for b.Loop() {
							records, total, err := p.Store.List(b.Context(), "alice", storage.Keypoints, f)
							if err != nil || len(records) != 20 || total != of {
								b.Fatalf("%d of %d (%v)", len(records), total, err)
							}
						}
					})
				}
			}
		})
	}
}

// OldRecords tests that the n records of alice in a database from before there were labels are listed by At and by
// the label of the migration, until they get labels or are deleted.
func OldRecords(t *testing.T, s storage.Store, n int) {
	listed := func(want int, f storage.Filter) storage.Record {
		t.Helper()
		f.Limit = 7
		page, total, err := s.List(t.Context(), "alice", storage.Keypoints, f)
		if err != nil || total != want || len(page) != min(7, want) {
			t.Fatalf("%+v: %d of %d (%v), want %d", f, len(page), total, err, want)
		}
		return page[0]
	}
	old, since := storage.Filter{Labels: []string{"?"}}, storage.Filter{From: time.UnixMicro(1)}
	listed(n, since)
	listed(n, storage.Filter{Labels: old.Labels, Offset: n / 2})
	r := listed(n, old)
	if !r.At.Equal(r.CreatedAt) || len(r.Labels) != 1 {
		t.Errorf("at %v, created at %v, labels %q", r.At, r.CreatedAt, r.Labels)
	}
	r.Labels = []string{"subject:1"}
	r, err := s.Update(t.Context(), r, r.Status)
	if err != nil {
		t.Fatal(err)
	}
	listed(n-1, old)
	listed(1, storage.Filter{Labels: r.Labels, Status: r.Status})
	if err := s.Delete(t.Context(), r.Key, listed(n-1, old).Key); err != nil {
		t.Fatal(err)
	}
	listed(n-2, since)
	listed(n-2, old)
}

// OldLabels are the labels of some records, that of ID 1 first.
func OldLabels() [][]string {
	var many []string
	for i := range storage.MaxLabels {
		many = append(many, fmt.Sprint("word:", i, strings.Repeat("長", i%60)))
	}
	all := [][]string{nil, {"a"}, {"a", "b"}, {"a", " ", `"`, `",\"`, `\u0000`, "\x01\t", "<&>\u2028", "größe", "word:膝"}, nil, many}
	for _, labels := range all {
		slices.Sort(labels)
	}
	return all
}

// OldLabelled tests that the records of alice in a database from before labels were a table, which have OldLabels and an At of as
// many microseconds as their ID, are listed as they were, and by other labels when they get some.
func OldLabelled(t *testing.T, s storage.Store) {
	var four storage.Record
	labels := map[string][]int64{}
	for i, want := range slices.Backward(OldLabels()) {
		id := int64(i + 1)
		for _, label := range want {
			labels[label] = append(labels[label], id)
		}
		r, err := s.Get(t.Context(), storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: id})
		if err != nil || !slices.Equal(r.Labels, want) || !r.At.Equal(time.UnixMicro(id)) {
			t.Errorf("record %d has the labels %q at %v (%v), want %q", id, r.Labels, r.At, err, want)
		}
		if id == 4 {
			four = r
		}
	}
	listed := func(f storage.Filter, want ...int64) {
		t.Helper()
		f.Limit = 100
		page, total, err := s.List(t.Context(), "alice", storage.Keypoints, f)
		var got []int64
		for _, r := range page {
			got = append(got, r.ID)
		}
		if err != nil || total != len(want) || !slices.Equal(got, want) {
			t.Errorf("%+v: %v of %d (%v), want %v", f, got, total, err, want)
		}
	}
	for label, want := range labels {
		listed(storage.Filter{Labels: []string{label}}, want...)
	}
	some := storage.Filter{From: time.UnixMicro(2), To: time.UnixMicro(6)}
	listed(some, 5, 4, 3, 2)
	four.Labels, four.At = []string{"b"}, time.UnixMicro(7)
	if _, err := s.Update(t.Context(), four, four.Status); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: 2}); err != nil {
		t.Fatal(err)
	}
	listed(some, 5, 3)
	listed(storage.Filter{Labels: []string{"a"}}, 3)
	listed(storage.Filter{Labels: []string{"b"}}, 4, 3)
	listed(storage.Filter{Labels: []string{`"`}})
}
