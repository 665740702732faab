package clean_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// TestStreamIsRun: what needs no look ahead is the same frame by frame as over the recording.
func TestStreamIsRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opt := clean.Options{
			Smooth:     &clean.Smooth{Method: "oneEuro", Beta: rapid.Float64Range(0, 1).Draw(t, "beta")},
			Coincident: rapid.Bool().Draw(t, "coincident"),
		}
		s, err := clean.NewStream(opt)
		if err != nil {
			t.Fatal(err)
		}
		var seq keypoint.Sequence
		seconds := 0.0
		for range rapid.IntRange(2, 40).Draw(t, "frames") {
			var f keypoint.Frame
			for p := range keypoint.Part(keypoint.NumBody) {
				if rapid.IntRange(0, 9).Draw(t, "seen") > 0 {
					f.Set(p, keypoint.Point{rapid.Float64Range(0, 200).Draw(t, "x"), rapid.Float64Range(0, 200).Draw(t, "y")}, rapid.Float64Range(0, 1).Draw(t, "c"))
				}
			}
			seconds += rapid.Float64Range(0.01, 0.1).Draw(t, "step")
			seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, seconds)
		}
		want, report, err := clean.Run(seq, opt)
		if err != nil {
			t.Fatal(err)
		}
		for i := range seq.Frames {
			got, changes, err := s.Next(seq.Frames[i], seq.Times[i])
			if err != nil {
				t.Fatal(err)
			}
			if got != want.Frames[i] {
				t.Fatalf("frame %d: %v, want %v", i, got, want.Frames[i])
			}
			for p, c := range changes {
				// Run does not smooth a point that is alone; a Stream cannot know that it stays alone.
				if c&^clean.Smoothed != report.Changes[i][p]&^clean.Smoothed {
					t.Fatalf("frame %d, part %d: %v, want %v", i, p, c.Names(), report.Changes[i][p].Names())
				}
			}
		}
	})
}

// wristAt returns a frame with one wrist.
func wristAt(x, confidence float64) (f keypoint.Frame) {
	f.Set(keypoint.LeftWrist, keypoint.Point{x, 50}, confidence)
	return f
}

// TestStreamGaps: a short gap is bridged with a confidence that falls, a long one is not, and what comes
// after it is not drawn back to what was before.
func TestStreamGaps(t *testing.T) {
	s, err := clean.NewStream(clean.Options{Gaps: &clean.Gaps{Max: 0.1}})
	if err != nil {
		t.Fatal(err)
	}
	var places, confidences []float64
	for i := range 20 {
		f := wristAt(float64(10*i), 0.8)
		if i == 5 || i == 6 || i >= 10 && i < 16 {
			f = keypoint.Frame{}
		}
		got, changes, err := s.Next(f, float64(i)/30)
		if err != nil {
			t.Fatal(err)
		}
		at, ok := got.At(keypoint.LeftWrist)
		filled := i == 5 || i == 6 || i >= 10 && i < 13
		if ok != (filled || f.Has(keypoint.LeftWrist)) || (changes[keypoint.LeftWrist] == clean.Filled) != filled {
			t.Errorf("frame %d: there %v, changes %v", i, ok, changes[keypoint.LeftWrist].Names())
		}
		places, confidences = append(places, at[0]), append(confidences, got.Confidence(keypoint.LeftWrist))
	}
	if !(places[5] > 45 && places[5] < 50 && places[6] > places[5] && places[6] < 60) {
		t.Errorf("the speed fades: %v", places)
	}
	if !(confidences[5] < 0.8 && confidences[6] < confidences[5] && confidences[6] > 0) || confidences[7] != 0.8 {
		t.Errorf("confidences %v", confidences)
	}
	if places[16] != 160 {
		t.Errorf("after a long gap: %v", places[16])
	}
}

// TestStreamSides: exchanged sides are repaired and marked, and a weak point is not bridged.
func TestStreamSides(t *testing.T) {
	s, err := clean.NewStream(clean.Causal())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		x := float64(i)
		var f keypoint.Frame
		for p, at := range map[keypoint.Part]keypoint.Point{
			keypoint.LeftShoulder: {60, 20}, keypoint.RightShoulder: {40, 20}, keypoint.LeftHip: {58, 70}, keypoint.RightHip: {42, 70},
			keypoint.LeftWrist: {100 + x, 50}, keypoint.RightWrist: {0 - x, 50},
		} {
			f.Set(p, at, 0.9)
		}
		exchanged := i == 20
		if exchanged {
			f.Set(keypoint.LeftWrist, keypoint.Point{0 - x, 50}, 0.9)
			f.Set(keypoint.RightWrist, keypoint.Point{100 + x, 50}, 0.9)
		}
		got, changes, err := s.Next(f, float64(i)/30)
		if err != nil {
			t.Fatal(err)
		}
		if at, _ := got.At(keypoint.LeftWrist); at[0] < 90 || (changes[keypoint.LeftWrist]&clean.Swapped != 0) != exchanged {
			t.Errorf("frame %d: left wrist at %v, %v", i, at, changes[keypoint.LeftWrist].Names())
		}
	}
	s.Reset()
	if got, _, err := s.Next(wristAt(500, 0.2), 1); err != nil || got != wristAt(500, 0.2) {
		t.Errorf("another person begins anew: %v (%v)", got, err)
	}
	if got, _, err := s.Next(keypoint.Frame{}, 1.03); err != nil || !got.Empty() {
		t.Errorf("a guess was bridged: %v (%v)", got, err)
	}
}

func TestStreamErrors(t *testing.T) {
	for name, opt := range map[string]clean.Options{
		"outliers":    {Outliers: &clean.Outliers{}},
		"a method":    {Gaps: &clean.Gaps{Method: "pchip"}},
		"butterworth": {Smooth: &clean.Smooth{}},
		"median":      {Smooth: &clean.Smooth{Method: "median"}},
		"a range":     {Smooth: &clean.Smooth{Method: "oneEuro", Beta: -1}},
	} {
		if _, err := clean.NewStream(opt); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s, err := clean.NewStream(clean.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, changes, err := s.Next(wristAt(1, 1), 1); err != nil || got != wristAt(1, 1) || changes != ([keypoint.NumParts]clean.Change{}) {
		t.Errorf("no steps: %v %v %v", got, changes, err)
	}
	for _, seconds := range []float64{1, 0.5, math.NaN(), math.Inf(1)} {
		if _, _, err := s.Next(wristAt(1, 1), seconds); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("time %v: %v", seconds, err)
		}
	}
}
