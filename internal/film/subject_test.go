package film_test

import (
	"image"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/keypoint"
)

// TestLabelsOfPart: labels write the values of an analysis in the frames that it is of.
func TestLabelsOfPart(t *testing.T) {
	const frames = 6
	first := 0
	s := film.Subject{
		Keypoints: keypoints(image.Pt(40, 40), frames),
		Rules:     []draw.Rule{{Type: "label", Points: keypoint.PartSelectors(keypoint.LeftHip), Analysis: &first}},
		Analyses:  []analyze.Rule{{Type: analyze.Coordinate, Points: keypoint.PartSelectors(keypoint.LeftHip)}},
	}
	for span, want := range map[keypoint.Span]string{{}: "######", {First: 2, Last: 3}: "--##--", {First: 5, Last: 5}: "-----#"} {
		s.Analysed = span
		_, inputs, err := s.Prepare()
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i := range frames {
			if _, ok := inputs(i).Value(0); ok {
				got += "#"
			} else {
				got += "-"
			}
		}
		if got != want {
			t.Errorf("frames %v: values in %s, want %s", span, got, want)
		}
	}
	s.Analysed = keypoint.Span{First: 2, Last: frames}
	if _, _, err := s.Prepare(); err == nil {
		t.Error("a part beyond the recording has labels")
	}
}
