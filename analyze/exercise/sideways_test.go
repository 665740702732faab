package exercise_test

import (
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// turned returns what a camera sees that lies on its left or right side.
func turned(seq keypoint.Sequence, left bool) keypoint.Sequence {
	out := seq.Clone()
	out.Size = image.Pt(seq.Size.Y, seq.Size.X)
	for i := range out.Frames {
		f := &seq.Frames[i]
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			if at = (keypoint.Point{float64(seq.Size.Y) - at[1], at[0]}); left {
				at = keypoint.Point{float64(out.Size.X) - at[0], float64(out.Size.Y) - at[1]}
			}
			out.Frames[i].Set(p, at, f.Confidence(p))
		}
	}
	return out
}

// nothingGood: of a movie that lies on its side no number is good, and none against the vertical is told.
func nothingGood(t *testing.T, name string, seq keypoint.Sequence) {
	t.Helper()
	shown := studyOf(t, seq)
	for _, m := range shown.Measures {
		upright := m.Type == analyze.TrunkLean || m.Type == analyze.TrunkSideLean || m.Type == analyze.HipHeight
		if m.Trust == quality.TrustGood || upright && m.Trust != quality.TrustWithheld {
			t.Errorf("%s lies on its side, and its %s is %v", name, m.Name, m)
		}
	}
	if shown.Verdict == quality.Good || strings.Contains(shown.Summary.Title.String(), "Good") {
		t.Errorf("%s lies on its side: %q", name, shown.Summary.Title)
	}
	if limit := shown.Summary.Limit[say.English]; limit != "The movie lies on its side." {
		t.Errorf("%s lies on its side: %q", name, limit)
	}
}

// TestSideways: no movie lies on its side, also none of push-ups; turned, those lie there in which somebody squats or rises from a chair.
func TestSideways(t *testing.T) {
	lies := func(seq keypoint.Sequence) bool {
		r, err := quality.Assess(quality.Input{Sequence: seq})
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(r.Warnings, func(w quality.Warning) bool { return w.Code == "sideways" && w.From == 0 && w.To == seq.Len()-1 })
	}
	said := 0
	for _, f := range rendered(t) {
		if lies(f.seq) {
			t.Errorf("%s lies on its side", f.Name)
		}
		for _, left := range []bool{true, false} {
			got := lies(turned(f.seq, left))
			if got {
				said++
			}
			switch f.shown.Movement {
			case "squat", "sitToStand":
				if !got && f.Name != "lunge_deep_40" {
					t.Errorf("%s, a %s, does not lie on its side, left %v", f.Name, f.shown.Movement, left)
				}
				if got && left {
					nothingGood(t, f.Name, turned(f.seq, left))
				}
			case "pushUp", "still":
				if got {
					t.Errorf("%s, a %s, lies on its side, left %v", f.Name, f.shown.Movement, left)
				}
			}
		}
	}
	if said < 60 {
		t.Errorf("%d movies lie on their sides", said)
	}
}
