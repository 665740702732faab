package film_test

import (
	"image"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/keypoint"
)

// TestSketches: a sketch is on its frame, or on all to its last, in the size that is shown.
func TestSketches(t *testing.T) {
	s := film.Subject{Keypoints: keypoints(image.Pt(40, 40), 4), Shown: image.Pt(20, 20), Sketches: []draw.Sketch{
		{Frame: 1, Points: []keypoint.Point{{8, 20}}, Text: "a"}, {Frame: 1, Last: 2, Points: []keypoint.Point{{8, 20}}, Text: "b"},
	}}
	_, inputs, err := s.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "ab", "b", ""} {
		got := ""
		for _, one := range inputs(i).Sketches {
			got += one.Text
			if one.Points[0] != (keypoint.Point{4, 10}) {
				t.Errorf("frame %d: %v", i, one.Points)
			}
		}
		if got != want {
			t.Errorf("frame %d has %q, want %q", i, got, want)
		}
	}
}

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
