package score_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/keypoint"
)

// movie is a person who walks to the right by 5 pixels a frame, seen at the times.
func movie(times ...float64) (s keypoint.Sequence) {
	for i, t := range times {
		s.Times = append(s.Times, t)
		s.Frames = append(s.Frames, moved(standing(0, 0, 400).Parts, 5*float64(i), 0))
	}
	return s
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name              string
		reference, result []float64
		tolerance         float64
		want              []score.Pair
	}{
		{"the same", []float64{0, 1, 2}, []float64{0, 1, 2}, 0, []score.Pair{{0, 0}, {1, 1}, {2, 2}}},
		{"a little off", []float64{.04, 1.3, 2.6}, []float64{0, 1, 2, 3}, 0, []score.Pair{{0, 0}, {1, 1}, {2, 3}}},
		{"the earlier of two", []float64{.5}, []float64{0, 1}, 0, []score.Pair{{0, 0}}},
		{"a result with a gap", []float64{0, 1, 2, 3, 4}, []float64{0, 1, 4}, .3, []score.Pair{{0, 0}, {1, 1}, {4, 2}}},
		{"a slower result", []float64{0, .1, .4, .6}, []float64{0, 1}, 0, []score.Pair{{0, 0}, {1, 0}, {2, 0}, {3, 1}}},
		{"a longer reference", []float64{0, 9}, []float64{0, 1}, 0, []score.Pair{{0, 0}}},
		{"one frame", []float64{0, 1}, []float64{1.0005}, 0, []score.Pair{{1, 0}}},
		{"no result", []float64{0, 1}, nil, 0, nil},
		{"no reference", nil, []float64{0, 1}, 0, nil},
	} {
		got, err := score.Match(movie(c.reference...), movie(c.result...), c.tolerance)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	still := keypoint.Sequence{Frames: make([]keypoint.Frame, 1)}
	backwards := movie(1, 0)
	for _, s := range []keypoint.Sequence{still, backwards} {
		if _, err := score.Match(s, movie(0), 0); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("a wrong reference gives %v", err)
		}
		if _, err := score.Match(movie(0), s, 0); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("a wrong result gives %v", err)
		}
	}
}

// TestMovie changes one frame of a perfect result and looks at what is counted.
func TestMovie(t *testing.T) {
	reference := movie(0, 1, 2, 3)
	reference.Frames[3] = keypoint.Frame{} // nobody
	torso, _ := score.Torso(&reference.Frames[0])
	swappedLegs := reference.Frames[1]
	for _, p := range []keypoint.Part{keypoint.LeftHip, keypoint.RightHip, keypoint.LeftKnee, keypoint.RightKnee, keypoint.LeftAnkle, keypoint.RightAnkle} {
		other, _ := reference.Frames[1].At(p.Mirror())
		swappedLegs.Set(p, other, 1)
	}
	swappedAnkles := reference.Frames[1]
	for _, p := range []keypoint.Part{keypoint.LeftAnkle, keypoint.RightAnkle} {
		other, _ := reference.Frames[1].At(p.Mirror())
		swappedAnkles.Set(p, other, 1)
	}
	const n = 3 * 17
	for _, c := range []struct {
		name            string
		at              int
		frame           keypoint.Frame
		agrees, swapped int
	}{
		{"perfect", 1, reference.Frames[1], n, 0},
		{"a little off", 1, moved(reference.Frames[1], .19*torso, 0), n, 0},
		{"elsewhere", 1, moved(reference.Frames[1], 3*torso, 0), n - 17, 0},
		{"lost", 1, keypoint.Frame{}, n - 17, 0},
		{"all swapped", 1, exchanged(reference.Frames[1]), n - 12, 6}, // the face stays within the limit
		{"legs swapped", 1, swappedLegs, n - 6, 3},
		{"ankles swapped", 1, swappedAnkles, n - 2, 1},
		{"invented", 3, reference.Frames[0], n, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := reference.Clone()
			result.Frames[c.at] = c.frame
			pairs, err := score.Match(reference, result, 0)
			if err != nil {
				t.Fatal(err)
			}
			judged := 3
			if c.frame.Empty() {
				judged = 2
			}
			gotPairs, gotFrames := score.Exchanged(reference, result, pairs)
			if gotPairs != (score.Share{Count: c.swapped, Of: 6 * judged}) || gotFrames != (score.Share{Count: min(c.swapped, 1), Of: judged}) {
				t.Errorf("exchanged pairs %v, frames %v, want %d of %d", gotPairs, gotFrames, c.swapped, 6*judged)
			}
			if got := score.Agreement(reference, result, pairs, .2); got.Of != n || got.Count != c.agrees {
				t.Errorf("agreement %v, want %d of %d", got, c.agrees, n)
			}
		})
	}
}

func TestJitter(t *testing.T) {
	if j, ok := score.Jitter(movie(0, 1, 2, 3, 4)); !ok || !near(j+1, 1) {
		t.Errorf("an even movement trembles by %v", j)
	}
	s := movie(0, 1, 2)
	torso, _ := score.Torso(&s.Frames[0])
	s.Frames[1] = moved(s.Frames[1], 0, torso/4)
	if j, ok := score.Jitter(s); !ok || !near(j, .5) {
		t.Errorf("a jump of a quarter gives %v, want 0.5", j)
	}
	s.Frames[1] = keypoint.Frame{}
	for name, s := range map[string]keypoint.Sequence{"a gap": s, "two frames": movie(0, 1), "no frame": {}} {
		if j, ok := score.Jitter(s); ok {
			t.Errorf("%s trembles by %v", name, j)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := keypoint.Sequence{Frames: rapid.SliceOfN(rapid.Custom(drawFrame), 0, 6).Draw(t, "frames")}
		larger := s.Clone()
		for i := range larger.Frames {
			larger.Frames[i] = scaled(larger.Frames[i], 4)
		}
		j, ok := score.Jitter(s)
		k, ok2 := score.Jitter(larger)
		if ok != ok2 || !near(j, k) || j < 0 || math.IsNaN(j) {
			t.Fatalf("%v (%v), scaled %v (%v)", j, ok, k, ok2)
		}
	})
}

func ExampleMatch() {
	reference := movie(0, 0.5, 1)
	result := movie(0, 0.25, 0.5, 0.75, 1)
	pairs, err := score.Match(reference, result, 0)
	fmt.Println(pairs, err)
	// Output: [{0 0} {1 2} {2 4}] <nil>
}

func ExampleAgreement() {
	reference, result := movie(0, 1), movie(0, 1)
	result.Frames[1].Unset(keypoint.Nose)
	pairs, _ := score.Match(reference, result, 0)
	fmt.Println(score.Agreement(reference, result, pairs, 0.2))
	fmt.Println(score.Exchanged(reference, result, pairs))
	// Output:
	// 33/34
	// 0/12 0/2
}

func ExampleJitter() {
	s := movie(0, 1, 2)
	s.Frames[1] = moved(s.Frames[1], 0, 8.21)
	j, ok := score.Jitter(s)
	fmt.Printf("%.2f torso lengths, %v\n", j, ok)
	// Output: 0.10 torso lengths, true
}
