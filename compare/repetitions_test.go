package compare_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// raises is a wrist that is raised n times, the k-th time by heights[k] pixels.
func raises(seconds float64, heights ...float64) keypoint.Sequence {
	n := int(seconds * 30)
	times := every(n*len(heights)+1, 1.0/30)
	return wave(times, func(t float64) (float64, float64) {
		k := min(int(t/seconds), len(heights)-1)
		return 0, -heights[k] * (1 - math.Cos(2*math.Pi*t/seconds)) / 2
	})
}

// spans finds the repetitions by the height of the wrist.
func spans(t *testing.T, s keypoint.Sequence) (list []keypoint.Span) {
	t.Helper()
	results, err := analyze.Run(s, []analyze.Rule{{
		Type: analyze.VerticalDifference, Points: keypoint.PartSelectors(keypoint.LeftWrist, keypoint.Nose),
	}})
	if err != nil {
		t.Fatal(err)
	}
	found, err := analyze.FindRepetitions(s, results[0], analyze.RepetitionOptions{Direction: "falls"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found.List {
		list = append(list, keypoint.Span{First: c.Start.Frame, Last: c.End.Frame})
	}
	return list
}

// repetitions compares each repetition of the target with that of the source of the same number, or with its only one.
func repetitions(source keypoint.Sequence, sources []keypoint.Span, target keypoint.Sequence, targets []keypoint.Span, opt compare.Options) (results []compare.Result, err error) {
	n := min(len(sources), len(targets))
	if len(sources) == 1 {
		n = len(targets)
	}
	for k := range n {
		s, err := source.Cut(sources[min(k, len(sources)-1)])
		if err != nil {
			return nil, err
		}
		t, err := target.Cut(targets[k])
		if err != nil {
			return nil, err
		}
		r, err := compare.Diff(s, t, opt)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

func TestRepetitions(t *testing.T) {
	template, target := raises(2, 100), raises(1.5, 100, 100, 60) // faster, and the last one too low
	source, all := spans(t, template), spans(t, target)
	if len(source) != 1 || len(all) != 3 {
		t.Fatalf("%v and %v", source, all)
	}
	results, err := repetitions(template, source, target, all, compare.Options{})
	if err != nil || len(results) != 3 {
		t.Fatalf("%d results (%v)", len(results), err)
	}
	for k, want := range []float64{0, 0, 40.0 / 250} {
		if got := worst(results[k]); math.Abs(got-want) > 0.01 {
			t.Errorf("repetition %d is off by %.3f, want %.3f", k, got, want)
		}
		if len(results[k].Frames) != source[0].Last-source[0].First+1 {
			t.Errorf("repetition %d has %d frames", k, len(results[k].Frames))
		}
	}
}

// TestTwins: where both recordings have repetitions, each is compared with its twin.
func TestTwins(t *testing.T) {
	trainer, pupil := raises(2, 100, 50, 80), raises(1.5, 100, 50)
	source, target := spans(t, trainer), spans(t, pupil)
	if len(source) != 3 || len(target) != 2 {
		t.Fatalf("%v and %v", source, target)
	}
	for _, swapped := range []bool{false, true} { // the shorter list counts
		if swapped {
			trainer, pupil, source, target = pupil, trainer, target, source
		}
		results, err := repetitions(trainer, source, pupil, target, compare.Options{})
		if err != nil || len(results) != 2 {
			t.Fatalf("%d results (%v)", len(results), err)
		}
		for k, r := range results {
			if got := worst(r); got > 0.01 {
				t.Errorf("repetition %d is off by %.3f from its twin", k, got)
			}
		}
	}
	if results, err := repetitions(trainer, nil, pupil, target, compare.Options{}); err != nil || len(results) != 0 {
		t.Errorf("no twins: %d results (%v)", len(results), err)
	}
}

// set is squats one after the other, of depth degrees each.
func set(seconds float64, depths ...float64) (s keypoint.Sequence) {
	for _, depth := range depths {
		one := squatting(int(seconds*30)+1, seconds, depth, 20)
		for i, f := range one.Frames {
			if i > 0 || s.Times == nil {
				s.Frames = append(s.Frames, f)
				s.Times = append(s.Times, float64(len(s.Times))/30)
			}
		}
	}
	return s
}

// TestRepetitionsOfRule: the complete repetitions are found in both recordings, and each is compared
// with its twin, however long it is.
func TestRepetitionsOfRule(t *testing.T) {
	knee := &analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.LeftSide}
	source, target := set(2, 100, 90, 95), set(1.4, 100, 40, 45, 90) // shallow ones count, and the fourth has no twin
	for _, alignment := range []compare.Alignment{compare.Linear, compare.DTW, compare.Offset} {
		r := diff(t, source, target, compare.Options{Alignment: alignment, Repetitions: knee})
		if len(r.Repetitions) != 3 {
			t.Fatalf("%s: %d pairs: %+v", alignment, len(r.Repetitions), r.Repetitions)
		}
		for k, pair := range r.Repetitions {
			if pair.Score == nil || (pair.Score.Overall < 0.95) != (k > 0) || pair.Source.Last-pair.Source.First < 50 {
				t.Errorf("%s: pair %d: %+v", alignment, k, pair)
			}
		}
		if at := r.Repetitions[1].Target.First; math.Abs(float64(at)-42) > 8 {
			t.Errorf("%s: the twin of the second repetition begins at frame %d", alignment, at)
		}
		b, err := json.Marshal(r)
		var back compare.Result
		if err != nil || json.Unmarshal(b, &back) != nil || !cmp.Equal(r.Repetitions, back.Repetitions, cmpopts.EquateApprox(0, 1e-4)) {
			t.Errorf("%s (%v)", b, err)
		}
	}
	still := source.Slice(0, 0)
	still.Times = nil
	if r := diff(t, still, target, compare.Options{Repetitions: knee}); r.Repetitions == nil || len(r.Repetitions) != 0 {
		t.Errorf("a picture has %v", r.Repetitions)
	}
	mean := &analyze.MovieOption{Statistic: analyze.Mean}
	for name, rule := range map[string]analyze.Rule{
		"points":    {Type: analyze.Coordinate, Points: keypoint.PartSelectors(keypoint.Nose)},
		"statistic": {Type: analyze.TrunkLean, Movie: mean},
		"no side":   {Type: analyze.KneeFlexion},
	} {
		if _, err := compare.Diff(source, target, compare.Options{Repetitions: &rule}); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func ExampleDiff_repetitions() {
	trainer, pupil := set(2, 100, 100), set(1.5, 100, 70)
	knee := analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.LeftSide}
	r, err := compare.Diff(trainer, pupil, compare.Options{Repetitions: &knee})
	if err != nil {
		panic(err)
	}
	for k, pair := range r.Repetitions {
		fmt.Printf("repetition %d is like the trainer's by %.0f %%\n", k+1, 100*pair.Score.Overall)
	}
	// Output:
	// repetition 1 is like the trainer's by 100 %
	// repetition 2 is like the trainer's by 90 %
}

func ExampleRepetitions() {
	arm := func(heights ...float64) (s keypoint.Sequence) {
		for i, h := range heights {
			var f keypoint.Frame
			f.Set(keypoint.LeftShoulder, keypoint.Point{100, 100}, 1)
			f.Set(keypoint.LeftHip, keypoint.Point{100, 200}, 1)
			f.Set(keypoint.LeftWrist, keypoint.Point{150, 200 - h}, 1)
			s.Frames, s.Times = append(s.Frames, f), append(s.Times, float64(i))
		}
		return s
	}
	trainer, pupil := arm(0, 100, 0), arm(0, 100, 0, 50, 0)
	results, err := repetitions(trainer, []keypoint.Span{{First: 0, Last: 2}}, pupil, []keypoint.Span{{First: 0, Last: 2}, {First: 2, Last: 4}}, compare.Options{})
	if err != nil {
		panic(err)
	}
	for _, r := range results {
		d, _ := r.Frames[1].At(keypoint.LeftWrist)
		fmt.Printf("off by %.1f\n", d.Distance)
	}
	// Output:
	// off by 0.0
	// off by 0.2
}
