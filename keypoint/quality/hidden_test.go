package quality_test

import (
	"testing"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// TestHidden: a part is hidden where the network says so for longer than a moment, and where it knows nothing, on the far
// side if it is unsure or lies on its twin.
func TestHidden(t *testing.T) {
	elbow, wrist := keypoint.PartsOf(keypoint.LeftElbow), keypoint.PartsOf(keypoint.LeftWrist)
	side := keypoint.PartsOf(keypoint.LeftElbow, keypoint.LeftWrist, keypoint.LeftKnee, keypoint.LeftAnkle)
	// says gives a part a visibility in the frames from first to last, and its confidence; all other parts are seen.
	says := func(part keypoint.Part, view, share, confidence float64, first, last int) keypoint.Sequence {
		s := standing(view).made()
		for i := range s.Frames {
			f := &s.Frames[i]
			for p := range keypoint.Part(keypoint.NumBody) {
				f.SetVisibility(p, 0.99)
			}
			if at, _ := f.At(part); i >= first && i <= last {
				f.Set(part, at, confidence)
				f.SetVisibility(part, share)
			}
		}
		return s
	}
	confident := func(confidence float64) keypoint.Sequence { // nothing is said of what is seen
		s := standing(90).made()
		for i := range s.Frames {
			for _, p := range s.Frames[i].Present().List() {
				at, _ := s.Frames[i].At(p)
				s.Frames[i].Set(p, at, confidence)
			}
		}
		return s
	}
	doubtful := standing(90).made()
	for i := range doubtful.Frames {
		f := &doubtful.Frames[i]
		at, _ := f.At(keypoint.LeftWrist)
		f.Set(keypoint.LeftWrist, at.Add(keypoint.Point{60, 0}), 0.4)
	}
	changed := says(keypoint.LeftElbow, 90, 0.05, 0.7, 30, 59)
	changed.PersonChanges = []int{30}
	for name, c := range map[string]struct {
		seq  keypoint.Sequence
		at   int
		want keypoint.Parts
	}{
		"seen":                               {says(keypoint.LeftElbow, 90, 0.9, 0.7, 0, 59), 30, 0},
		"hidden":                             {says(keypoint.LeftElbow, 90, 0.05, 0.7, 0, 59), 30, elbow},
		"hidden from the front":              {says(keypoint.LeftElbow, 0, 0.05, 0.7, 0, 59), 30, elbow},
		"for a moment":                       {says(keypoint.LeftElbow, 90, 0.05, 0.7, 30, 31), 30, 0},
		"not seen for a moment":              {says(keypoint.LeftElbow, 90, 0.05, 0.7, 20, 40), 30, elbow},
		"doubtful, and unsure":               {says(keypoint.LeftElbow, 0, 0.3, 0.3, 0, 59), 30, elbow},
		"doubtful, and sure":                 {says(keypoint.LeftElbow, 0, 0.3, 0.8, 0, 59), 30, 0},
		"doubtful, on the far side":          {says(keypoint.LeftWrist, 90, 0.35, 0.6, 0, 59), 30, wrist},
		"doubtful, on the near side":         {says(keypoint.LeftWrist, -90, 0.35, 0.6, 0, 59), 30, 0},
		"doubtful, on the other knee":        {says(keypoint.LeftKnee, 90, 0.3, 0.6, 0, 59), 30, keypoint.PartsOf(keypoint.LeftKnee)},
		"doubtful, beside the other knee":    {says(keypoint.LeftKnee, 0, 0.3, 0.6, 0, 59), 30, 0},
		"hidden, beside the other knee":      {says(keypoint.LeftKnee, 0, 0.05, 0.6, 0, 59), 30, keypoint.PartsOf(keypoint.LeftKnee)},
		"somebody else before":               {changed, 30, elbow},
		"somebody else after":                {changed, 29, 0},
		"nothing said":                       {standing(90).made(), 30, side},
		"nothing said, from the front":       {standing(0).made(), 30, 0},
		"nothing said, but found surely":     {confident(0.9), 30, 0},
		"nothing said, apart from it unsure": {doubtful, 30, side | wrist},
	} {
		if got := quality.Hidden(c.seq)[c.at]; got != c.want {
			t.Errorf("%s: %v, want %v", name, got.List(), c.want.List())
		}
	}
	u := quality.NewUncertainty(says(keypoint.LeftElbow, 90, 0.05, 0.7, 0, 59))
	if u.Hidden(30) != elbow || u.Hidden(-1) != 0 || u.Hidden(60) != 0 {
		t.Errorf("%v in frame 30, and %v outside", u.Hidden(30).List(), u.Hidden(60).List())
	}
}
