package analyze_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
)

// TestMovementJSON: statistics, repetitions and the other side are written and read back, but for the curve of each one.
func TestMovementJSON(t *testing.T) {
	want := run(t, testkit.Rendered(t, "squat_60").Seq, analyze.Rule{Type: analyze.KneeFlexion, Statistics: true, Repetitions: &analyze.RepetitionOptions{}, Symmetry: true})
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var back analyze.Result
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, back, cmpopts.EquateApprox(0, 1e-4), cmpopts.IgnoreFields(analyze.Repetition{}, "Curve")); d != "" {
		t.Error(d)
	}
	if n := want.Repetitions.List; len(n) < 3 || !n[1].Shallow || n[2].Shallow {
		t.Errorf("%d repetitions, want more, of which the second one is shallow", len(n))
	}
	for _, name := range []analyze.Statistic{analyze.Max, analyze.Range, analyze.StandardDeviation} {
		one := run(t, testkit.Rendered(t, "squat_60").Seq, analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Movie: &analyze.MovieOption{Statistic: name}})
		if got := want.Statistics[name]; got != one.Movie.Value || !got.Present {
			t.Errorf("%s is %v, want %v", name, got, one.Movie.Value)
		}
	}
	if len(want.Statistics) != 8 || len(want.Symmetry.OtherSide.Statistics) != 8 {
		t.Errorf("%d and %d statistics, want 8", len(want.Statistics), len(want.Symmetry.OtherSide.Statistics))
	}
	for _, r := range want.Repetitions.List {
		if d := r.End.Time - r.Start.Time - r.Duration; d*d > 1e-18 || r.Turn.Time <= r.Start.Time || r.Turn.Time >= r.End.Time {
			t.Errorf("from %v over %v to %v, but it lasts %v", r.Start.Time, r.Turn.Time, r.End.Time, r.Duration)
		}
	}
	for _, bad := range []string{`"repetitions":{}`, `"repetitions":{"direction":"up"}`, `"symmetry":{}`, `"symmetry":{"index":"symmetryAngle"}`, `"statistics":{"max":"1"}`} {
		if err := json.Unmarshal([]byte(`{"analysisType":"kneeFlexion","values":[1],`+bad+`}`), &back); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// TestMovementGolden holds the documented form of repetitions without one, of numbers and of options.
func TestMovementGolden(t *testing.T) {
	for want, v := range map[string]any{
		`{"count":0,"complete":0,"direction":"falls","low":null,"high":null,"depth":{"mean":null,"standardDeviation":null,"count":0},` +
			`"duration":{"mean":null,"standardDeviation":null,"count":0},"out":{"mean":null,"standardDeviation":null,"count":0},` +
			`"hold":{"mean":null,"standardDeviation":null,"count":0},"back":{"mean":null,"standardDeviation":null,"count":0},"list":[],"curve":null}`: analyze.Repetitions{Direction: "falls"},
		`{"left":{"mean":1,"standardDeviation":null,"count":1},"right":{"mean":null,"standardDeviation":null,"count":0},` +
			`"both":{"mean":1,"standardDeviation":null,"count":1},"symmetry":null}`: analyze.TwoSidedOf([]float64{1}, nil),
		`true`: analyze.RepetitionOptions{},
		`{"direction":"rises","minDuration":0.5}`:                   analyze.RepetitionOptions{Direction: "rises", MinDuration: 0.5},
		`{"mean":[null,1.2346],"standardDeviation":null,"count":1}`: analyze.Band{Mean: analyze.Curve{{}, {X: 1.23456, Present: true}}, Count: 1},
	} {
		got, err := json.Marshal(v)
		if err != nil || string(got) != want {
			t.Errorf("%s (%v), want %s", got, err, want)
		}
	}
	for _, text := range []string{`true`, `{"direction":"falls","prominence":30}`} {
		var opt analyze.RepetitionOptions
		if err := json.Unmarshal([]byte(text), &opt); err != nil {
			t.Fatal(err)
		}
		if again, _ := json.Marshal(opt); string(again) != text {
			t.Errorf("%s became %s", text, again)
		}
	}
	for _, bad := range []string{`false`, `{"direction":"up"}`, `{"prominence":0}`, `[]`, `{`} {
		if err := new(analyze.RepetitionOptions).UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}
