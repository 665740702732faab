package exercise_test

import (
	"slices"
	"testing"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// studyOf returns the study of keypoints as they are.
func studyOf(t *testing.T, seq keypoint.Sequence) study.Study {
	t.Helper()
	judged, err := quality.Assess(quality.Input{Sequence: seq})
	if err != nil {
		t.Fatal(err)
	}
	shown, err := study.Run(seq, judged)
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

// TestPhoto: a photo has no better verdict than a movie from the same view in which the person stands as in the photo, and none of its
// numbers is surer.
func TestPhoto(t *testing.T) {
	worse := []quality.Verdict{quality.Good, quality.Usable, quality.Poor}
	photos := 0
	for _, f := range rendered(t) {
		frames := []int{0, f.seq.Len() / 3}
		if r := f.shown.Repetitions; r != nil && len(r.List) > 0 {
			frames = append(frames, r.List[len(r.List)/2].Turn.Frame)
		}
		for _, i := range frames {
			photo := f.seq.Slice(i, i)
			photo.Times, photo.PersonChanges = nil, nil
			stands := keypoint.Sequence{Size: photo.Size}
			for k := range 60 {
				stands.Frames, stands.Times = append(stands.Frames, photo.Frames[0]), append(stands.Times, float64(k)/30)
			}
			got, movie := studyOf(t, photo), studyOf(t, stands)
			photos++
			if slices.Index(worse, got.Verdict) < slices.Index(worse, movie.Verdict) {
				t.Errorf("%s, frame %d: the photo says %q, the movie %q", f.Name, i, got.Summary.Title[say.English], movie.Summary.Title[say.English])
			}
			for k, m := range got.Measures {
				if o := movie.Measures[k]; m.Trust != o.Trust || m.Uncertainty[0].X < o.Uncertainty[30].X-0.01 {
					t.Errorf("%s, frame %d, %s: %s, ± %.2f in the photo, %s, ± %.2f in a movie", f.Name, i, m.Name, m.Trust, m.Uncertainty[0].X, o.Trust, o.Uncertainty[30].X)
				}
			}
		}
	}
	if photos < 200 {
		t.Errorf("only %d photos", photos)
	}
}
