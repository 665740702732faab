package main

import (
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
)

// TestPictures holds the numbers of small sets against what can be counted by hand.
func TestPictures(t *testing.T) {
	sets, err := truth.Sets(filepath.Join(folder(t), "*", "annotations.json"))
	if err != nil || len(sets) != 2 {
		t.Fatalf("%d sets (%v)", len(sets), err)
	}
	var got []score.Pictures
	for _, s := range sets {
		p, err := inSet(t.Context(), s, square{})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p)
	}
	got = append(got, got[0].Plus(got[1]))
	// Of set a, two of four people are found at any threshold, and one result is wrong: all
	// have the same score, so precision is 1 up to a recall of a half, which are 51 of the
	// 101 points. With set b one more result is wrong, and comes later.
	share := func(count, of int) score.Share { return score.Share{Count: count, Of: of} }
	for k, want := range []struct {
		name               string
		n                  int
		known              bool
		pck, missed, empty score.Share
	}{
		{"a", 4, true, share(10, 20), share(1, 4), share(0, 0)},
		{"b", 2, false, share(0, 0), share(0, 0), share(1, 2)},
		{"all", 6, true, share(10, 20), share(1, 4), share(1, 2)},
	} {
		p, ok := score.AveragePrecision(got[k].Judged)
		if ok != want.known || ok && (math.Abs(p.AP-51.0/101) > 1e-9 || math.Abs(p.AR-.5) > 1e-9) {
			t.Errorf("%s: %+v (%v)", want.name, p, ok)
		}
		if got[k].N != want.n || got[k].PCK != want.pck || got[k].Missed != want.missed || got[k].Empty != want.empty {
			t.Errorf("%s: %+v", want.name, got[k])
		}
	}
}

// TestPicturesErrors: pictures that are not as labelled, and what cannot be read, are named.
func TestPicturesErrors(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	write(t, at("small/annotations.json"), encoded(t, []any{labels("small.png")}))
	write(t, at("small/small.png"), picture(t, 10, 10, 255))
	write(t, at("text/annotations.json"), encoded(t, []any{labels("text.png")}))
	write(t, at("text/text.png"), []byte("this is no picture"))
	for name, want := range map[string]string{
		"small": "is (10,10) pixels, upright, but labelled as (320,200)", "text": "text.png: unsupported media format",
	} {
		sets, err := truth.Sets(at(name + "/annotations.json"))
		if err == nil {
			_, err = inSet(t.Context(), sets[0], square{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// TestMistakes: what is wrong is told in plain words, before anything is measured.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "movies", "clip.mp4"), nil)
	for args, want := range map[string]string{
		"":                                  "the first argument is one of these commands",
		"eval":                              "the first argument is one of these commands",
		"movies":                            "takes one argument",
		"movies -estimator fast a b":        "takes one argument",
		"told -nonsense x":                  "not defined",
		"told -noise 2 x":                   "not defined",
		"movies -estimator magic " + dir:    `-estimator is "magic", want one of balanced`,
		"movies -rate NaN " + dir:           "-rate is NaN",
		"movies -rate -1 " + dir:            "-rate is -1",
		"movies " + filepath.Join(dir, "a"): "there is no movie in",
		"told " + dir:                       "nothing is known of it",
		"pictures -estimator fast " + filepath.Join(dir, "none.json"): "there is no file",
		"pairs " + dir:   "there is no pair",
		"markers " + dir: "there is no .json",
	} {
		var out, status strings.Builder
		err := run(t.Context(), strings.Fields(args), &out, &status)
		if err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%s: %v, want %s; %s", args, err, want, out.String())
		}
	}
	var status strings.Builder
	if err := run(t.Context(), []string{"movies", "-help"}, io.Discard, &status); err == nil || !strings.Contains(status.String(), "balanced, fast") {
		t.Errorf("%v, %s", err, status.String())
	}
}
