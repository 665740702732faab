package analyze_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// TestPart: the results of a part are those of that part alone, with the frames of the whole recording.
func TestPart(t *testing.T) {
	seq := testkit.Rendered(t, "squat_60").Seq
	rules := []analyze.Rule{
		{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Symmetry: true, Statistics: true, Repetitions: &analyze.RepetitionOptions{}, Movie: &analyze.MovieOption{Statistic: analyze.Max}},
		{Type: analyze.Speed, Points: keypoint.PartSelectors(keypoint.LeftWrist)},
		{Type: analyze.AnkleDorsiflexion, Side: analyze.RightSide},
	}
	whole, err := analyze.Run(seq, rules)
	if err != nil {
		t.Fatal(err)
	}
	list := whole[0].Repetitions.List
	first, last := list[2].Start.Frame-5, list[2].Turn.Frame+(list[2].End.Frame-list[2].Turn.Frame)/2 // before one, and on its way back
	part, err := analyze.RunWith(seq, rules, analyze.Options{Part: &keypoint.Span{First: first, Last: last}})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := analyze.Run(seq.Slice(first, last), rules)
	if err != nil {
		t.Fatal(err)
	}
	for k := range part {
		for name, values := range map[string][2][]analyze.Value{"values": {part[k].Values, alone[k].Values}, "uncertainty": {part[k].Uncertainty, alone[k].Uncertainty}} {
			if values[1] == nil {
				continue
			}
			for i, v := range values[0] {
				want := analyze.Value{}
				if i >= first && i <= last {
					want = values[1][i-first]
				}
				if len(values[0]) != seq.Len() || v != want {
					t.Fatalf("rule %d: %s of frame %d of %d: %v, want %v", k, name, i, len(values[0]), v, want)
				}
			}
		}
		if part[k].Coverage != alone[k].Coverage || !cmp.Equal(part[k].Movie, alone[k].Movie) || !cmp.Equal(part[k].Statistics, alone[k].Statistics) {
			t.Errorf("rule %d: %v %v, want %v %v", k, part[k].Coverage, part[k].Movie, alone[k].Coverage, alone[k].Movie)
		}
	}
	if at := part[0].Movie.Time.X; at < seq.Times[first] || at > seq.Times[last] {
		t.Errorf("the maximum is at %v s, the part from %v s to %v s", at, seq.Times[first], seq.Times[last])
	}
	for name, r := range map[string]analyze.Result{"left": part[0], "right": part[0].Symmetry.OtherSide} {
		found := r.Repetitions.List
		if len(r.Values) != seq.Len() || len(found) != 1 || found[0].Turn.Frame < list[2].Turn.Frame-3 || found[0].Turn.Frame > list[2].Turn.Frame+3 || found[0].End.Frame > last ||
			found[0].Start.Time < seq.Times[first] || found[0].End.Time > seq.Times[last] {
			t.Errorf("%s: %d repetitions, want that which turns at %d: %v", name, len(found), list[2].Turn.Frame, found)
		}
	}
	w := part[2].Warnings // a body without feet
	if len(w) != 1 || w[0].From != first || w[0].To != last {
		t.Errorf("warnings: %v, want one of the frames %d to %d", w, first, last)
	}

	// A repetition that the part ends at its turn is not complete.
	part, err = analyze.RunWith(seq, rules, analyze.Options{Part: &keypoint.Span{First: list[2].Start.Frame - 5, Last: list[2].Turn.Frame}})
	if err != nil || len(part[0].Repetitions.List) != 1 || part[0].Repetitions.Complete != 0 {
		t.Errorf("on the way out: %v (%v)", part[0].Repetitions, err)
	}
	all, err := analyze.RunWith(seq, rules, analyze.Options{Part: &keypoint.Span{Last: seq.Len() - 1}})
	if d := cmp.Diff(whole, all); d != "" || err != nil {
		t.Errorf("the whole: %v %s", err, d)
	}
	for _, span := range [][2]int{{-1, 3}, {5, 3}, {0, seq.Len()}} {
		if _, err := analyze.RunWith(seq, rules, analyze.Options{Part: &keypoint.Span{First: span[0], Last: span[1]}}); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("frames %v: %v", span, err)
		}
	}
}
