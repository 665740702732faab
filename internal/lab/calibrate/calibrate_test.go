package main

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// TestFit: the curves by which samples were made are found again, and calibrate them.
func TestFit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	want := movenet.Curve{Slope: 1.3, Offset: 1.5}
	var samples []sample
	for range 20_000 {
		s := sample{part: keypoint.Part(random.IntN(keypoint.NumBody)), score: random.Float64()}
		s.right = random.Float64() < of(want, s.score)
		samples = append(samples, s)
	}
	raw := expectedError(samples)
	table := fit(samples)
	for k, c := range table {
		if math.Abs(c.Slope-want.Slope) > 0.2 || math.Abs(c.Offset-want.Offset) > 0.2 {
			t.Errorf("curve %d: %+v, want %+v", k, c, want)
		}
	}
	for i := range samples {
		samples[i].score = of(table[int(samples[i].part+1)/2], samples[i].score)
	}
	if e := expectedError(samples); e > 0.02 || raw < 0.1 {
		t.Errorf("expected calibration error %v, was %v", e, raw)
	}
}

// TestCalibrated checks the confidences of Options.Calibrated on the pictures that the tables were not
// learnt on.
func TestCalibrated(t *testing.T) {
	if testing.Short() {
		t.Skip("a measurement, not run with -short")
	}
	folder := testkit.Data(t, "images_gt")
	for _, opt := range []movenet.Options{{Pose: thunder.Model()}, {Pose: lightning.Model()}} {
		t.Run(opt.Pose.Name, func(t *testing.T) {
			opt.Library = movenettest.Library(t)
			opt.PartThreshold, opt.Calibrated = -1, true
			est, err := movenet.New(opt)
			if err != nil {
				t.Fatal(err)
			}
			defer est.Close()
			var check []sample
			for _, set := range []string{"coco", "lspet", "pfg"} {
				odd, err := read(t.Context(), est, filepath.Join(folder, set, "annotations.json"), 1)
				if err != nil {
					t.Fatal(err)
				}
				check = append(check, odd...)
			}
			if e := expectedError(check); e > 0.035 || len(check) < 1000 {
				t.Errorf("expected calibration error %.3f of %d parts", e, len(check))
			}
		})
	}
}
