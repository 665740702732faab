package inference_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

func TestExtractAll(t *testing.T) {
	n := 40
	e := &eyes{actors: []actor{
		{stand(n, 320), 220},
		{gone(walking(n, 80, 3), 12, 20), 120}, // away for less than two seconds
		{gone(stand(n, 560), 0, 17), 100},      // comes in
	}}
	people, err := inference.ExtractAll(context.Background(), &film{n: n}, e, inference.ExtractOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(people.All) != 3 || people.Chosen.Track != 1 {
		t.Fatalf("%d people, chosen %d", len(people.All), people.Chosen.Track)
	}
	for k, p := range people.All {
		if p.Track != k+1 || p.Sequence.Len() != n || p.Sequence.Validate() != nil {
			t.Errorf("track %d: %d frames (%v)", p.Track, p.Sequence.Len(), p.Sequence.Validate())
		}
		late := 0
		for i, got := range who(p.Sequence, e.actors) {
			there := !math.IsNaN(e.actors[k].at[i][0])
			if there && got == -1 {
				late++
			} else if there && got != k || !there && got != -1 {
				t.Errorf("frame %d of track %d shows %d", i, p.Track, got)
			}
		}
		if late > 4 { // those between two looks for newcomers
			t.Errorf("track %d is missing in %d frames", p.Track, late)
		}
	}
	if _, err := inference.ExtractAll(context.Background(), &film{n: n}, onlyOne{e}, inference.ExtractOptions{}); !errors.Is(err, inference.ErrNoFinder) {
		t.Errorf("without a finder: %v", err)
	}
	picture := still{&plain{image.Rect(0, 0, 640, 480), color.Black}, 30}
	choose := inference.Choice{Policy: inference.PolicyMostMovement}
	people, err = inference.ExtractAllImage(t.Context(), picture, e, inference.ExtractOptions{Choose: choose})
	if all := people.All; err != nil || len(all) != 3 || all[2].Track != 3 || all[2].Sequence.Size.X != 640 || people.Chosen.Track != 1 {
		t.Errorf("%d people in the picture, chosen %d (%v)", len(all), people.Chosen.Track, err)
	}
}

// TestExtractAllLimits: who is chosen is kept, and of the others those who are seen longest.
func TestExtractAllLimits(t *testing.T) {
	const n = 40
	e := &eyes{actors: []actor{
		{stand(n, 320), 220},
		{gone(walking(n, 80, 3), 10, n), 120},
		{gone(stand(n, 560), 0, 17), 100},
	}}
	for name, c := range map[string]struct {
		opt    inference.ExtractOptions
		tracks []int
		chosen int
	}{
		"all":               {inference.ExtractOptions{}, []int{1, 2, 3}, 1},
		"moving":            {inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 0.2}}, []int{1, 2, 3}, 2},
		"by track":          {inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyTrack, Track: 3}}, []int{1, 2, 3}, 3},
		"no such track":     {inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyTrack, Track: 4}}, []int{1, 2, 3}, 0},
		"after the end":     {inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 60}}, []int{1, 2, 3}, 1},
		"two":               {inference.ExtractOptions{MaxPeople: 2}, []int{1, 3}, 1},
		"one at a time":     {inference.ExtractOptions{MaxPeople: 1}, []int{1}, 1},
		"the chosen of two": {inference.ExtractOptions{MaxPeople: 2, Choose: inference.Choice{Policy: inference.PolicyNearest, Point: keypoint.Point{80, 240}}}, []int{1, 2}, 2},
	} {
		var initial []int
		c.opt.Candidates, c.opt.OnCandidates = 2, func(frame int, people []inference.Candidate) { initial = append(initial, frame, len(people)) }
		people, err := inference.ExtractAll(t.Context(), &film{n: n}, e, c.opt)
		var tracks []int
		for _, p := range people.All {
			tracks = append(tracks, p.Track)
		}
		if err != nil || !cmp.Equal(tracks, c.tracks) || people.Chosen.Track != c.chosen || people.Chosen.Sequence.Len() != n || !cmp.Equal(initial, []int{0, 2, 1, 2}) {
			t.Errorf("%s: tracks %v, chosen %d, candidates %v (%v)", name, tracks, people.Chosen.Track, initial, err)
		}
	}
}
