package quality_test

import (
	"math"
	"testing"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// TestView: the view of the doll is found from all sides, standing, squatting and bent, and with the
// head turned.
func TestView(t *testing.T) {
	turned := func(_ float64, p keypoint.Part, at [3]float64) [3]float64 {
		if p <= keypoint.RightEar { // the head looks to the left
			return [3]float64{at[2], at[1], -at[0]}
		}
		return at
	}
	lying := func(_ float64, p keypoint.Part, at [3]float64) [3]float64 {
		return [3]float64{at[0], .3 - at[2], at[1]} // on the front, the head forward
	}
	bent := func(_ float64, p keypoint.Part, at [3]float64) [3]float64 {
		if p <= keypoint.RightWrist { // by 60 degrees at the hips
			return [3]float64{at[0], at[1]*.5 - at[2]*.866, at[2]*.5 + at[1]*.866}
		}
		return at
	}
	for _, c := range []struct {
		name      string
		pose      func(float64, keypoint.Part, [3]float64) [3]float64
		tolerance float64
	}{
		{"standing", nil, 10}, {"squat", squat, 10}, {"bent", bent, 25}, {"head turned", turned, 35},
	} {
		for v := 0.0; v <= 180; v += 10 {
			r := standing(v)
			r.pose = c.pose
			report := assess(t, quality.Input{Sequence: r.made()})
			if got, ok := report.View(30); !ok || math.Abs(got-v) > c.tolerance {
				t.Errorf("%s: view %v, %v, want %v", c.name, got, ok, v)
			}
		}
	}
	for _, v := range []float64{60, 90, 120} {
		r := standing(v)
		r.pose = lying
		report := assess(t, quality.Input{Sequence: r.made()})
		if got, ok := report.View(30); !ok || math.Abs(got-v) > 15 {
			t.Errorf("lying: view %v, %v, want %v", got, ok, v)
		}
	}
	r := standing(30)
	r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
		return at, p != keypoint.LeftHip && p != keypoint.RightHip
	}
	report := assess(t, quality.Input{Sequence: r.made()})
	for _, i := range []int{-1, 0, 30, 60} {
		if got, ok := report.View(i); ok {
			t.Errorf("without hips: view %v of frame %d", got, i)
		}
	}
}

// TestOutOfPlane: it is said below 55 and not beyond 70 degrees of a sagittal angle, above 35 and not
// below 20 of a frontal one.
func TestOutOfPlane(t *testing.T) {
	for v := 0.0; v <= 180; v += 5 {
		report := assess(t, quality.Input{Sequence: standing(v).made()})
		off := min(v, 180-v)
		for _, c := range []struct {
			plane    quality.Plane
			bad, fit bool
		}{
			{quality.Sagittal, off <= 50, off >= 75}, {quality.Frontal, off >= 40, off <= 15}, {quality.Plane(0), false, true},
		} {
			w := report.OutOfPlane(c.plane, 10, 19)
			if len(w) > 0 && (len(w) != 1 || w[0].Code != quality.CodeOutOfPlane || w[0].From != 10 || w[0].To != 19 || w[0].Detail == "") {
				t.Errorf("%+v", w)
			}
			if c.bad && len(w) == 0 || c.fit && len(w) > 0 {
				t.Errorf("plane %d at %v°: %d warnings", c.plane, v, len(w))
			}
		}
	}
	// A person who turns from the side to the front.
	r := standing(0)
	r.frames = 90
	r.pose = func(t float64, _ keypoint.Part, at [3]float64) [3]float64 {
		if t < 1.5 {
			return [3]float64{-at[2], at[1], at[0]}
		}
		return at
	}
	report := assess(t, quality.Input{Sequence: r.made()})
	if w := report.OutOfPlane(quality.Sagittal, 0, 1000); len(w) != 1 || w[0].From < 40 || w[0].From > 50 || w[0].To != 89 {
		t.Errorf("%+v", w)
	}
	if fits, known := (quality.Report{}).Fits(quality.Sagittal, 0); !fits || known {
		t.Error("the view of no frame is known")
	}
}

func TestPlaneOf(t *testing.T) {
	for _, c := range []struct {
		points []keypoint.Selector
		want   quality.Plane
	}{
		{keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle), quality.Sagittal},
		{keypoint.PartSelectors(keypoint.RightShoulder, keypoint.RightHip, keypoint.RightKnee), quality.Sagittal},
		{keypoint.PartSelectors(keypoint.RightShoulder, keypoint.RightElbow, keypoint.RightWrist), quality.Sagittal},
		{keypoint.PartSelectors(keypoint.RightHip, keypoint.RightShoulder, keypoint.RightElbow), quality.Plane(0)},
		{keypoint.PartSelectors(keypoint.LeftShoulder, keypoint.RightShoulder), quality.Frontal},
		{keypoint.PartSelectors(keypoint.LeftHip, keypoint.RightHip, keypoint.RightKnee), quality.Frontal},
		{keypoint.PartSelectors(keypoint.LeftKnee, keypoint.RightAnkle), quality.Plane(0)},
		{keypoint.PartSelectors(keypoint.Nose), quality.Plane(0)},
		{keypoint.PartSelectors(keypoint.LeftKnee), quality.Plane(0)},
		{[]keypoint.Selector{keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip), keypoint.PartSelector(keypoint.Nose)}, quality.Plane(0)},
	} {
		if got := quality.PlaneOf(c.points...); got != c.want {
			t.Errorf("%v: %v, want %v", c.points, got, c.want)
		}
	}
}
