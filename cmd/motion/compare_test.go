package main

import (
	"testing"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/say"
)

// TestNoteOf: the note of a comparison says that the target was mirrored, what to do, what differs most and the score.
func TestNoteOf(t *testing.T) {
	differs := compare.AngleDifference{Sentence: say.Text{say.English: "The left knee bends 9° more (80 → 89)"}}
	for want, c := range map[string]struct {
		result   compare.Result
		mirrored bool
	}{
		"":                     {},
		"mirrored; score 0.93": {compare.Result{Score: &compare.Score{Overall: 0.93}}, true},
		"Film both; The left knee bends 9° more (80 → 89)": {
			compare.Result{Warnings: []compare.Warning{{Detail: "Film both"}}, Largest: []compare.AngleDifference{differs, {}}}, false},
	} {
		if got := noteOf(c.result, c.mirrored); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
