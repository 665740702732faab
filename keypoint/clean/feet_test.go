package clean_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// foot is where the parts of a foot are from its ankle, in torso lengths.
var foot = map[keypoint.Part]keypoint.Point{
	keypoint.LeftBigToe: {0.3, 0.1}, keypoint.LeftSmallToe: {0.27, 0.12}, keypoint.LeftHeel: {-0.1, 0.1},
}

// shod returns a recording with feet at its ankles.
func shod(s keypoint.Sequence) keypoint.Sequence {
	s = s.Clone()
	for i := range s.Frames {
		f := &s.Frames[i]
		for left, by := range foot {
			for p, ankle := range map[keypoint.Part]keypoint.Part{left: keypoint.LeftAnkle, left.Mirror(): keypoint.RightAnkle} {
				if at, ok := f.At(ankle); ok {
					f.Set(p, at.Add(by.Mul(torso)), 0.8)
				}
			}
		}
	}
	return s
}

// barefoot returns a recording without its feet.
func barefoot(s keypoint.Sequence) keypoint.Sequence {
	s = s.Clone()
	for i := range s.Frames {
		s.Frames[i] = s.Frames[i].Only(keypoint.Body)
	}
	return s
}

// TestFeetFollowAnkles: feet are exchanged with the leg that they are at, whether both are found or one.
func TestFeetFollowAnkles(t *testing.T) {
	truth := shod(walker{fps: 30, seconds: 5, stride: 0.9, reach: 0.6}.sequence())
	const at = 70
	s := truth.Clone()
	for i := range 3 { // the ankle with its foot
		exchange(&s.Frames[at+i], keypoint.LeftAnkle, keypoint.LeftBigToe, keypoint.LeftSmallToe, keypoint.LeftHeel)
		s.Frames[at+i].Unset(keypoint.RightHeel) // which is the left one in truth
		truth.Frames[at+i].Unset(keypoint.LeftHeel)
	}
	exchange(&s.Frames[100], keypoint.LeftAnkle) // an ankle alone
	got, report := run(t, s, clean.Options{Swaps: true})
	for i := range got.Frames {
		for p := range keypoint.Part(keypoint.NumParts) {
			at, ok := got.Frames[i].At(p)
			if want, there := truth.Frames[i].At(p); ok != there || at != want {
				t.Errorf("frame %d: %v is at %v (%v), want %v (%v)", i, p, at, ok, want, there)
			}
		}
	}
	if c := report.Changes[at]; c[keypoint.LeftBigToe] != clean.Swapped || c[keypoint.RightHeel] != clean.Swapped || report.Changes[100][keypoint.LeftBigToe] != 0 {
		t.Errorf("changes: %v, %v", c, report.Changes[100])
	}
	live := sides(t)
	for i := range s.Frames {
		if now := live(s.Frames[i], s.Times[i]); now != truth.Frames[i] {
			t.Errorf("frame %d, without looking ahead: the leg is exchanged", i)
		}
	}
}

// TestFeetAreCleaned: outliers, gaps and smoothing work on feet as on other parts.
func TestFeetAreCleaned(t *testing.T) {
	s := shod(walker{fps: 30, seconds: 5, stride: 0.9, reach: 0.5, noise: 0.01}.sequence())
	heel, _ := s.Frames[60].At(keypoint.LeftHeel)
	s.Frames[60].Set(keypoint.LeftHeel, heel.Add(keypoint.Point{0, -1.5 * torso}), 0.8)
	s.Frames[80].Unset(keypoint.RightSmallToe)
	out, report := run(t, s, clean.Default())
	if c := report.Changes[60][keypoint.LeftHeel]; c&clean.Rejected == 0 || c&clean.Filled == 0 {
		t.Errorf("an outlier of the heel is %v", c.Names())
	}
	if c := report.Changes[80][keypoint.RightSmallToe]; c&clean.Filled == 0 || !out.Frames[80].Has(keypoint.RightSmallToe) {
		t.Errorf("a gap of the toe is %v", c.Names())
	}
	if c := report.Changes[100][keypoint.LeftBigToe]; c != clean.Smoothed {
		t.Errorf("a toe is %v", c.Names())
	}
}

// TestCoincidentFeet: parts of one foot lie behind each other; a foot in the place of the other one is
// removed if it is unsure, and no part of the body for a foot.
func TestCoincidentFeet(t *testing.T) {
	const unsure = .4
	ankle := keypoint.Point{200, 300}
	for _, c := range []struct {
		name string
		at   map[keypoint.Part]keypoint.Point // the unsure ones
		gone keypoint.Parts
	}{
		{"toes beside each other", map[keypoint.Part]keypoint.Point{keypoint.LeftBigToe: {30, 10}, keypoint.LeftSmallToe: {31, 10}}, 0},
		{"a heel at its ankle", map[keypoint.Part]keypoint.Point{keypoint.LeftHeel: {1, 1}}, 0},
		{"a heel at the other ankle", map[keypoint.Part]keypoint.Point{keypoint.RightHeel: {1, 1}}, keypoint.PartsOf(keypoint.RightHeel)},
		{"twins", map[keypoint.Part]keypoint.Point{keypoint.LeftBigToe: {30, 10}, keypoint.RightBigToe: {31, 10}}, keypoint.PartsOf(keypoint.RightBigToe)},
		{"a toe at the knee", map[keypoint.Part]keypoint.Point{keypoint.LeftBigToe: {0, -50}}, keypoint.PartsOf(keypoint.LeftBigToe)},
		{"an ankle at a foot", map[keypoint.Part]keypoint.Point{keypoint.LeftAnkle: {40, 0}}, 0},
	} {
		s := side(50, .9, .9)
		f := &s.Frames[0]
		f.Set(keypoint.LeftAnkle, ankle, .9)
		f.Set(keypoint.LeftKnee, ankle.Add(keypoint.Point{0, -50}), .9)
		f.Set(keypoint.RightSmallToe, ankle.Add(keypoint.Point{40, 0}), .9)
		for p, by := range c.at {
			f.Set(p, ankle.Add(by), unsure)
		}
		out, report := run(t, s, clean.Options{Coincident: true})
		if gone := f.Present() &^ out.Frames[0].Present(); gone != c.gone || report.Count(clean.Coincident) != gone.Len() {
			t.Errorf("%s: %v are removed, want %v", c.name, gone.List(), c.gone.List())
		}
	}
}

// TestFeetLeaveTheBody: cleaning does the same to the body with feet and without.
func TestFeetLeaveTheBody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shod(drawWalker(t, 10).sequence())
		for range rapid.IntRange(0, 20).Draw(t, "mistakes") {
			f := &s.Frames[rapid.IntRange(0, s.Len()-1).Draw(t, "frame")]
			p := keypoint.Part(rapid.IntRange(0, keypoint.NumParts-1).Draw(t, "part"))
			switch rapid.IntRange(0, 2).Draw(t, "mistake") {
			case 0:
				f.Unset(p)
			case 1:
				exchange(f, keypoint.LeftAnkle, keypoint.LeftHeel)
			default:
				f.Set(p, keypoint.Point{500, 300}, rapid.Float64Range(0, 1).Draw(t, "confidence"))
			}
		}
		with, _ := runRapid(t, s, clean.Default())
		without, _ := runRapid(t, barefoot(s), clean.Default())
		if !slices.Equal(barefoot(with).Frames, without.Frames) {
			t.Fatal("the feet change what happens to the body")
		}
	})
}
