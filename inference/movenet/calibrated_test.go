package movenet_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

// TestCalibrated: the same parts are found in the same places, with the probabilities of their curves
// as confidences.
func TestCalibrated(t *testing.T) {
	opt := fast()
	raw := estimate(t, newEstimator(t, opt), sample.Image(), keypoint.Frame{})
	opt.Calibrated = true
	f := estimate(t, newEstimator(t, opt), sample.Image(), keypoint.Frame{})
	if f.Present() != raw.Present() || f.Empty() {
		t.Fatalf("found %v, want %v", f.Present().List(), raw.Present().List())
	}
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		if was, _ := raw.At(p); at != was {
			t.Errorf("%v is at %v, want %v", p, at, was)
		}
		c, s := opt.Pose.Calibration[(p+1)/2], raw.Confidence(p)
		want := 1 / (1 + math.Exp(-c.Slope*math.Log(s/(1-s))-c.Offset))
		if got := f.Confidence(p); math.Abs(got-want) > 1e-9 || got <= s {
			t.Errorf("%v: score %v, confidence %v, want %v", p, s, got, want)
		}
	}
	opt.Pose.Calibration = movenet.Calibration{}
	if _, err := movenet.New(opt); err == nil || !strings.Contains(err.Error(), "Calibration") {
		t.Errorf("without a table: %v", err)
	}
}

// TestCurves: all curves of the embedded networks rise, and raise modest scores.
func TestCurves(t *testing.T) {
	for _, opt := range []movenet.Options{fast(), exact()} {
		for k, c := range opt.Pose.Calibration {
			if !(c.Slope > 0 && c.Offset > 0) {
				t.Errorf("%s: curve %d is %+v", opt.Pose.Name, k, c)
			}
		}
	}
}
