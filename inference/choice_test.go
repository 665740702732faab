package inference_test

import (
	"image"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

func TestChoosers(t *testing.T) {
	size := image.Pt(640, 480)
	box := func(x, y, w, h float64) inference.Box {
		return inference.Box{Min: keypoint.Point{x, y}, Max: keypoint.Point{x + w, y + h}}
	}
	people := []inference.Candidate{
		{Box: box(290, 100, 60, 200), Score: 0.4, Track: 1, Travel: 0.5},
		{Box: box(0, 0, 150, 400), Score: 0.2, Track: 2, Travel: 3},
		{Box: box(600, 400, 30, 60), Score: 0.9, Track: 3},
	}
	for _, c := range []struct {
		choose inference.Chooser
		want   int
	}{
		{inference.Largest{}, 1}, {inference.HighestScore{}, 2}, {inference.MostMovement{}, 1}, {inference.Track{ID: 3}, 2}, {inference.Track{ID: 4}, -1},
		{inference.Nearest{Point: keypoint.Point{610, 300}}, 2}, {inference.Nearest{Point: keypoint.Point{310, 200}}, 0}, {inference.CentreFront{}, 1},
	} {
		if got := c.choose.Choose(size, people); got != c.want {
			t.Errorf("%T%+v chooses %d, want %d", c.choose, c.choose, got, c.want)
		}
		if got := c.choose.Choose(size, nil); got != -1 {
			t.Errorf("%T chooses %d of nobody", c.choose, got)
		}
	}
	people[1].Box = box(0, 0, 60, 200)
	if got := (inference.CentreFront{}).Choose(size, people); got != 0 {
		t.Errorf("of two alike the one in the centre counts, not %d", got)
	}
	still := []inference.Candidate{people[0], people[2]}
	still[0].Travel = 0
	if got := (inference.MostMovement{}).Choose(size, still); got != 0 {
		t.Errorf("without movement the one in the centre counts, not %d", got)
	}
}

func TestWatching(t *testing.T) {
	e := &eyes{actors: []actor{{stand(40, 320), 220}, {walking(40, 100, 3), 120}}}
	got := who(extract(t, 40, e, nil, inference.ExtractOptions{Choose: inference.MostMovement{Seconds: 1}}), e.actors)
	if !cmp.Equal(got, times(40, 1)) {
		t.Errorf("the one who moves is %v", got)
	}
	got = who(extract(t, 40, e, nil, inference.ExtractOptions{Choose: inference.Track{ID: 2}}), e.actors)
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
