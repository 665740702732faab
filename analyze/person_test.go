package analyze_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// TestPersonChanges: rates and statistics do not reach from one person to the next.
func TestPersonChanges(t *testing.T) {
	seq := keypoint.Sequence{PersonChanges: []int{2}}
	for i, x := range []float64{0, 10, 500, 501, 502} {
		var f keypoint.Frame
		f.Set(keypoint.Nose, keypoint.Point{x, 0}, 1)
		seq.Frames = append(seq.Frames, f)
		seq.Times = append(seq.Times, float64(i))
	}
	nose := keypoint.PartSelectors(keypoint.Nose)
	results, err := analyze.Run(seq, []analyze.Rule{
		{Type: analyze.Speed, Points: nose, Movie: &analyze.MovieOption{Statistic: analyze.Max}},
		{Type: analyze.Coordinate, Points: nose, Movie: &analyze.MovieOption{Statistic: analyze.Min}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{10, 10, 1, 1, 1} {
		if v := results[0].Values[i]; !v.Present || v.X != want {
			t.Errorf("the speed in frame %d is %v, want %v", i, v, want)
		}
	}
	if v := results[0].Movie.Value; v.X != 1 || results[0].Movie.Time.X != 2 {
		t.Errorf("the highest speed is %v at %v, want 1 at 2 s, of the person in most frames", v, results[0].Movie.Time)
	}
	if v := results[1].Movie.Value; v.X != 500 {
		t.Errorf("the smallest x is %v, want 500", v)
	}
}

// TestRepetitionsOfPeople: no repetition reaches from one person to the next.
func TestRepetitionsOfPeople(t *testing.T) {
	seq, r := result(analyze.VectorAngle, 4, func(t float64) float64 { return 50 * math.Cos(2*math.Pi*t) }) // a second each
	whole, err := analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{Direction: "falls"})
	if err != nil || len(whole.List) != 4 {
		t.Fatalf("%d repetitions (%v)", len(whole.List), err)
	}
	const change = 45 // amid the second repetition
	seq.PersonChanges = []int{change}
	parts, err := analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{Direction: "falls"})
	if err != nil || len(parts.List) < 3 {
		t.Fatalf("%d repetitions (%v)", len(parts.List), err)
	}
	for _, c := range parts.List {
		if c.Start.Frame < change && c.End.Frame >= change {
			t.Errorf("frames %d to %d are of two people", c.Start.Frame, c.End.Frame)
		}
	}
	if last := parts.List[len(parts.List)-1]; !reflect.DeepEqual(last, whole.List[3]) {
		t.Errorf("the last repetition is %+v, want %+v", last, whole.List[3])
	}
	seq.PersonChanges = []int{5, 5}
	if _, err := analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("changes %v: %v", seq.PersonChanges, err)
	}
}
