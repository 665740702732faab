package storagetest

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/storage"
)

// labels: At and Labels are kept and changed as the other fields are, and lists follow them.
func labels(t *testing.T, s storage.Store) {
	in := record("alice", storage.Keypoints, storage.Unprocessed)
	in.Labels = []string{"subject:7", "tag:knee"}
	r := create(t, s, in)
	in.Labels[0] = "subject:8" // the store must not share it
	if !r.At.Equal(r.CreatedAt) {
		t.Errorf("created at %v, and at %v", r.CreatedAt, r.At)
	}
	held := func(want storage.Record, f storage.Filter, listed bool) {
		t.Helper()
		got, err := s.Get(t.Context(), r.Key)
		if diff := gocmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		f.Limit = 9
		page, total, err := s.List(t.Context(), "alice", storage.Keypoints, f)
		if err != nil || (total == 1) != listed || len(page) != total {
			t.Errorf("%+v: %d of %d (%v)", f, len(page), total, err)
		}
		want.Result = nil
		if listed && len(page) == 1 {
			if diff := gocmp.Diff(want, page[0]); diff != "" {
				t.Errorf("listed (-want +got):\n%s", diff)
			}
		}
	}
	held(r, storage.Filter{Labels: []string{"subject:7", "tag:knee"}}, true)
	held(r, storage.Filter{Labels: []string{"subject:8"}}, false)
	held(r, storage.Filter{From: r.CreatedAt, To: r.CreatedAt.Add(time.Microsecond)}, true)

	next := r
	next.Status, next.Result = storage.Processing, []byte("r")
	r, err := s.Update(t.Context(), next, storage.Unprocessed)
	if err != nil {
		t.Fatal(err)
	}
	held(r, storage.Filter{Labels: []string{"subject:7"}, Status: storage.Processing}, true)
	held(r, storage.Filter{Labels: []string{"subject:7"}, Status: storage.Unprocessed}, false)

	next, stale := r, r
	next.Labels, next.At = []string{"tag:hip", "tag:knee"}, time.Date(2020, 1, 2, 3, 4, 5, 6789, time.FixedZone("", 3600))
	if r, err = s.Update(t.Context(), next, storage.Processing); err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2020, 1, 2, 2, 4, 5, 6000, time.UTC); !r.At.Equal(want) || r.At.Location() != time.UTC {
		t.Errorf("at %v, want %v", r.At, want)
	}
	held(r, storage.Filter{Labels: []string{"tag:hip", "tag:knee"}, To: r.At.Add(time.Microsecond), From: r.At}, true)
	held(r, storage.Filter{Labels: []string{"subject:7"}}, false)
	held(r, storage.Filter{From: r.At.Add(time.Microsecond)}, false)

	stale.Labels = []string{"stale"}
	if _, err := s.Update(t.Context(), stale, storage.Processing); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("of a record that was changed meanwhile: %v, want ErrConflict", err)
	}
	held(r, storage.Filter{Labels: []string{"stale"}}, false)

	next = r
	next.Labels, next.At = nil, time.Time{}
	if r, err = s.Update(t.Context(), next, storage.Processing); err != nil || !r.At.Equal(r.CreatedAt) || r.Labels != nil {
		t.Errorf("without: at %v, %q (%v)", r.At, r.Labels, err)
	}
	held(r, storage.Filter{From: r.CreatedAt}, true)
	held(r, storage.Filter{Begins: []string{"t"}}, false)
	if err := s.Delete(t.Context(), r.Key); err != nil {
		t.Fatal(err)
	}
	if _, total, err := s.List(t.Context(), "alice", storage.Keypoints, storage.Filter{From: r.At, Limit: 1}); total != 0 || err != nil {
		t.Errorf("%d after it was deleted (%v)", total, err)
	}
}

func badLabels(t *testing.T, s storage.Store) {
	var many []string
	for i := range storage.MaxLabels + 1 {
		many = append(many, fmt.Sprintf("%s%03d", strings.Repeat("x", 197), i))
	}
	full := record("alice", storage.Movies, "")
	full.Labels = many[1:]
	full = create(t, s, full)
	if got, err := s.Head(t.Context(), full.Key); err != nil || !slices.Equal(got.Labels, full.Labels) {
		t.Errorf("%d of %d labels come back (%v)", len(got.Labels), len(full.Labels), err)
	}
	for name, bad := range map[string][]string{
		"too many": many, "too long": {strings.Repeat("x", 201)}, "empty": {""}, "not sorted": {"b", "a"}, "twice": {"a", "a"},
		"no UTF-8": {"\xff"}, "zero byte": {"a\x00b"},
	} {
		r := record("alice", storage.Movies, "")
		r.Labels = bad
		if _, err := s.Create(t.Context(), r); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("create, %s: %v, want ErrInvalid", name, err)
		}
		r = full
		r.Labels = bad
		if _, err := s.Update(t.Context(), r, ""); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("update, %s: %v, want ErrInvalid", name, err)
		}
	}
	for _, f := range []storage.Filter{{Labels: []string{""}, Limit: 1}, {Begins: []string{""}, Limit: 1}, {Labels: []string{"a"}}} {
		if _, _, err := s.List(t.Context(), "alice", storage.Movies, f); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%+v: %v, want ErrInvalid", f, err)
		}
	}
}

// labelModel creates, changes and deletes records of two owners with random times and labels, some of them at one
// moment, and compares lists with a model.
func labelModel(t *testing.T, s storage.Store) {
	random := rand.New(rand.NewPCG(5, 6))
	statuses := []storage.Status{storage.Unprocessed, storage.Success, storage.Success, storage.Failure}
	begin := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	moment := func() time.Time { return begin.Add(time.Duration(random.IntN(400)) * 24 * time.Hour) }
	words := []string{"tag:a", "tag:ab", "tag:b", "tag:%", "tag:_", "word:膝", "word:膝の", "word:膝の痛み"}
	some := func(n int) (list []string) {
		for range random.IntN(n + 1) {
			list = append(list, words[random.IntN(len(words))])
		}
		if random.IntN(3) == 0 {
			list = append(list, fmt.Sprint("subject:", random.IntN(30)))
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	model := map[string][]storage.Record{}
	check := func(f storage.Filter) {
		t.Helper()
		for owner, all := range model {
			var want []storage.Record
			for _, r := range all {
				begins := func(b string) bool {
					return slices.ContainsFunc(r.Labels, func(l string) bool { return strings.HasPrefix(l, b) })
				}
				has := func(l string) bool { return slices.Contains(r.Labels, l) }
				if (f.Status == "" || r.Status == f.Status) && every(f.Labels, has) && every(f.Begins, begins) &&
					!r.At.Before(f.From) && (f.To.IsZero() || r.At.Before(f.To)) {
					want = append(want, r)
				}
			}
			byAt := len(f.Labels)+len(f.Begins) > 0 || !f.From.IsZero() || !f.To.IsZero()
			slices.SortFunc(want, func(a, b storage.Record) int {
				if at := b.At.Compare(a.At); byAt && at != 0 {
					return at
				}
				return cmp.Compare(b.ID, a.ID)
			})
			total := len(want)
			want = want[min(f.Offset, total):min(f.Offset+f.Limit, total)]
			got, n, err := s.List(t.Context(), owner, storage.Analyses, f)
			if err != nil || n != total || len(got) != len(want) {
				t.Fatalf("%s, %+v: %d of %d (%v), want %d of %d", owner, f, len(got), n, err, len(want), total)
			}
			for i := range want {
				if diff := gocmp.Diff(want[i], got[i]); diff != "" {
					t.Fatalf("%s, %+v: record %d (-want +got):\n%s", owner, f, i, diff)
				}
			}
		}
	}
	// So many have two labels that a store does not look at each of them.
	for range 300 {
		r := record("alice", storage.Analyses, statuses[random.IntN(4)])
		r.At, r.Labels = moment(), slices.Compact(slices.Sorted(slices.Values(append(some(2), "tag:a", "word:膝"))))
		model["alice"] = append(model["alice"], create(t, s, r))
	}
	for step := range 1500 {
		owner := []string{"alice", "bob"}[random.IntN(2)]
		all := model[owner]
		i := random.IntN(len(all) + 1)
		switch what := random.IntN(8); {
		case what < 5 || i == len(all):
			r := record(owner, storage.Analyses, statuses[random.IntN(4)])
			r.At, r.Labels = moment(), some(3)
			all = append(all, create(t, s, r))
		case what < 7:
			r := all[i]
			r.Status = statuses[random.IntN(4)]
			if what == 6 {
				r.At, r.Labels = moment(), some(3)
			}
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
		if step%20 == 19 {
			f := storage.Filter{Offset: random.IntN(30), Limit: 1 + random.IntN(50), Labels: some(1)}
			if random.IntN(2) == 0 {
				f.Status = statuses[random.IntN(4)]
			}
			if random.IntN(2) == 0 {
				f.Begins = []string{[]string{"t", "tag:a", "tag:%", "word:", "word:膝の", "subject:1", "none"}[random.IntN(7)]}
			}
			if random.IntN(2) == 0 {
				f.From = moment()
			}
			if random.IntN(2) == 0 {
				f.To = moment()
			}
			check(f)
		}
	}
	for _, f := range []storage.Filter{
		{From: begin}, {To: begin.AddDate(0, 6, 0)}, {Labels: []string{"tag:a"}}, {Begins: []string{"tag:a"}}, {Begins: []string{"t", "w"}}, {Labels: []string{"tag:a", "word:膝"}},
		{Labels: []string{"tag:a"}, Begins: []string{"word:"}, Status: storage.Success}, {From: begin, Status: storage.Failure},
	} {
		for _, f.Offset = range []int{0, 7, 250, 10_000} {
			f.Limit = 100
			check(f)
		}
	}
	// Nothing is left of what was deleted, at once or one by one.
	for owner, all := range model {
		var keys []storage.Key
		for _, r := range all {
			keys = append(keys, r.Key)
		}
		if err := s.Delete(t.Context(), keys...); err != nil {
			t.Fatal(err)
		}
		model[owner] = nil
	}
	for _, f := range []storage.Filter{{Limit: 1}, {Limit: 1, From: begin}, {Limit: 1, Begins: []string{"t"}}} {
		check(f)
	}
}

func every(list []string, ok func(string) bool) bool {
	return !slices.ContainsFunc(list, func(x string) bool { return !ok(x) })
}

// deleteSeveral: records of several kinds are deleted at once; those that do not exist are left out.
func deleteSeveral(t *testing.T, s storage.Store) {
	var keys []storage.Key
	for i := range 40 {
		r := record("alice", []storage.Kind{storage.Movies, storage.Keypoints}[i%2], storage.Success)
		r.Labels, r.Result = []string{"subject:1"}, []byte("r")
		keys = append(keys, create(t, s, r).Key)
	}
	theirs := create(t, s, record("bob", storage.Movies, "")).Key
	none := storage.Key{Owner: "alice", Kind: storage.Movies, ID: theirs.ID}
	for _, absent := range [][]storage.Key{nil, {none}, {none, {Owner: "alice", Kind: storage.Drawings, ID: 1}}} {
		if err := s.Delete(t.Context(), absent...); !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("delete %v: %v, want ErrNotFound", absent, err)
		}
	}
	left := func(want int) {
		t.Helper()
		n := 0
		for _, kind := range []storage.Kind{storage.Movies, storage.Keypoints} {
			for _, f := range []storage.Filter{{Limit: 99}, {Limit: 99, Labels: []string{"subject:1"}}, {Limit: 99, Status: storage.Success}} {
				page, total, err := s.List(t.Context(), "alice", kind, f)
				if err != nil || len(page) != total {
					t.Errorf("%d of %d (%v)", len(page), total, err)
				}
				n += total
			}
		}
		if n != 3*want {
			t.Errorf("%d in three lists, want %d", n, 3*want)
		}
	}
	left(40)
	if err := s.Delete(t.Context(), append([]storage.Key{none, keys[3], keys[3]}, keys[10:]...)...); err != nil {
		t.Fatal(err)
	}
	left(9)
	if err := s.Delete(t.Context(), keys...); err != nil {
		t.Fatal(err)
	}
	left(0)
	if _, err := s.Get(t.Context(), theirs); err != nil {
		t.Errorf("of another owner: %v", err)
	}
}
