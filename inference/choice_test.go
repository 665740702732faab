package inference_test

import (
	"errors"
	"image"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

func TestChoice(t *testing.T) {
	bounds := image.Rect(0, 0, 640, 480)
	box := func(x, y, w, h float64) inference.Box {
		return inference.Box{Min: keypoint.Point{x, y}, Max: keypoint.Point{x + w, y + h}}
	}
	people := []inference.Candidate{
		{Box: box(290, 100, 60, 200), Score: 0.4, Track: 1, Travel: 0.5},
		{Box: box(0, 0, 150, 400), Score: 0.2, Track: 2, Travel: 3},
		{Box: box(600, 400, 30, 60), Score: 0.9, Track: 3},
	}
	elsewhere := slices.Clone(people)
	for i := range elsewhere {
		d := keypoint.Point{-70, 900}
		elsewhere[i].Box.Min, elsewhere[i].Box.Max = people[i].Box.Min.Add(d), people[i].Box.Max.Add(d)
	}
	for _, c := range []struct {
		choose inference.Choice
		want   int
	}{
		{inference.Choice{}, 1}, {inference.Choice{Policy: inference.PolicyCentreFront}, 1},
		{inference.Choice{Policy: inference.PolicyLargest}, 1}, {inference.Choice{Policy: inference.PolicyHighestScore}, 2},
		{inference.Choice{Policy: inference.PolicyMostMovement}, 1},
		{inference.Choice{Policy: inference.PolicyTrack, Track: 3}, 2}, {inference.Choice{Policy: inference.PolicyTrack, Track: 4}, -1},
		{inference.Choice{Policy: inference.PolicyNearest, Point: keypoint.Point{610, 300}}, 2},
		{inference.Choice{Policy: inference.PolicyNearest, Point: keypoint.Point{310, 200}}, 0},
	} {
		if got := c.choose.Choose(bounds, people); got != c.want {
			t.Errorf("%+v chooses %d, want %d", c.choose, got, c.want)
		}
		if got := c.choose.Choose(bounds.Add(image.Pt(-70, 900)), elsewhere); got != c.want {
			t.Errorf("%+v chooses %d in a picture elsewhere, want %d", c.choose, got, c.want)
		}
		for _, size := range []image.Rectangle{bounds, {}} {
			if got := c.choose.Choose(size, nil); got != -1 {
				t.Errorf("%+v chooses %d of nobody", c.choose, got)
			}
		}
	}
	people[1].Box = box(0, 0, 60, 200)
	if got := (inference.Choice{}).Choose(bounds, people); got != 0 {
		t.Errorf("of two alike the one in the centre counts, not %d", got)
	}
	still := []inference.Candidate{people[0], people[2]}
	still[0].Travel = 0
	if got := (inference.Choice{Policy: inference.PolicyMostMovement}).Choose(bounds, still); got != 0 {
		t.Errorf("without movement the one in the centre counts, not %d", got)
	}
	wrong := inference.ExtractOptions{Choose: inference.Choice{Policy: "tallest"}}
	if _, err := inference.Extract(t.Context(), &film{n: 3}, &eyes{}, wrong); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("an unknown policy: %v", err)
	}
}

func TestWatching(t *testing.T) {
	e := &eyes{actors: []actor{{stand(40, 320), 220}, {walking(40, 100, 3), 120}}}
	got := who(extract(t, 40, e, nil, inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 1}}), e.actors)
	if !cmp.Equal(got, times(40, 1)) {
		t.Errorf("the one who moves is %v", got)
	}
	got = who(extract(t, 40, e, nil, inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyTrack, Track: 2}}), e.actors)
	if !cmp.Equal(got, times(40, 1)) {
		t.Errorf("track 2 is %v", got)
	}
	var noted [][]inference.Candidate
	extract(t, 40, e, nil, inference.ExtractOptions{Candidates: 3, OnCandidates: func(frame int, people []inference.Candidate) {
		if frame != len(noted) {
			t.Errorf("frame %d comes as number %d", frame, len(noted))
		}
		noted = append(noted, people)
	}})
	if len(noted) != 3 || len(noted[2]) != 2 {
		t.Errorf("candidates: %v", noted)
	}
}

// TestScouting: who comes in the first seconds is told, once a while, with who is the same person, and can be chosen then.
func TestScouting(t *testing.T) {
	comes := gone(walking(40, 500, -2), 0, 12)
	e := &eyes{actors: []actor{{comes, 220}, {walking(40, 150, 1), 160}}}
	var frames []int
	var last []inference.Candidate
	seen := map[int]int{}
	opt := inference.ExtractOptions{Candidates: 3, CandidatesEvery: 1, OnCandidates: func(frame int, people []inference.Candidate) {
		frames, last = append(frames, frame), people
		for _, p := range people {
			seen[p.Track]++
		}
	}}
	if got := who(extract(t, 40, e, nil, opt), e.actors); !cmp.Equal(got, times(40, 1)) {
		t.Errorf("the one who was there is %v", got)
	}
	if !cmp.Equal(frames, []int{0, 10, 20}) || !cmp.Equal(seen, map[int]int{1: 3, 2: 1}) {
		t.Fatalf("in the frames %v the people %v", frames, seen)
	}
	second := last[slices.IndexFunc(last, func(p inference.Candidate) bool { return p.Track == 2 })]
	opt.Choose = inference.Choice{Policy: inference.PolicyNearest, Point: second.Box.Centre(), Seconds: 2}
	want := slices.Concat(times(15, -1), times(25, 0)) // every fifth look is a search
	if got := who(extract(t, 40, e, nil, opt), e.actors); !cmp.Equal(got, want) {
		t.Errorf("the one who came is %v, want %v", got, want)
	}
	if !cmp.Equal(frames, []int{0, 10, 20, 0, 10, 20}) {
		t.Errorf("the frames of both are %v", frames)
	}
}
