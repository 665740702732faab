package main

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/keypoint"
)

// TestPictures holds the numbers of small sets against what can be counted by hand.
func TestPictures(t *testing.T) {
	dir := folder(t)
	table, closed := fake()
	var out bytes.Buffer
	if err := run(t.Context(), table, []string{"-json", "-annotations", filepath.Join(dir, "*", "annotations.json")}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if *closed != 1 {
		t.Errorf("the estimator was closed %d times", *closed)
	}
	var got report
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for i := range got.Sets {
		s := &got.Sets[i]
		if s.Milliseconds == nil || s.Milliseconds.Mean < 0 {
			t.Errorf("%s has the times %v", s.Name, s.Milliseconds)
		}
		s.Milliseconds = nil
	}
	v := func(x float64) *float64 { return &x }
	share := func(count, of int) *shareReport { return &shareReport{count, of} }
	// Of set a, two of four people are found at any threshold, and one result is wrong: all
	// have the same score, so precision is 1 up to a recall of a half, which are 51 of the
	// 101 points. With set b one more result is wrong, and comes later.
	half := v(51.0 / 101)
	want := []setReport{
		{Name: "a", Pictures: 4, AP: half, AP50: half, AP75: half, AR: v(.5), PCK: v(.5), Error: v(0), Missed: share(1, 4), Chosen: share(1, 2)},
		{Name: "b", Pictures: 2, FalsePositives: share(1, 2), FalseParts: 5},
		{Name: "all", Pictures: 6, AP: half, AP50: half, AP75: half, AR: v(.5), PCK: v(.5), Error: v(0), Missed: share(1, 4), Chosen: share(1, 2), FalsePositives: share(1, 2), FalseParts: 5},
	}
	near := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })
	if d := cmp.Diff(want, got.Sets, near); d != "" {
		t.Errorf("sets (-want +got):\n%s", d)
	}
	if n := len(got.PartErrors); n != keypoint.NumBody+1 || got.PartErrors[0].Count != 3 || got.PartErrors[1].Mean != nil {
		t.Errorf("%d part errors: %+v", n, got.PartErrors)
	}
}
