package main

import (
	"math"
	"testing"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// TestOffsets: joints that are put a tenth of the torso up the trunk, and knees forwards, are told to be there.
func TestOffsets(t *testing.T) {
	truth := truthOf(t, "squat_90_slow")
	r := recording{truth: truth, Sequence: truth.Parts.Clone()}
	var err error
	if r.pairs, err = evalpose.Match(truth.Parts, r.Sequence, 0); err != nil {
		t.Fatal(err)
	}
	forwards := -1.0
	if truth.View[0] < 0 {
		forwards = 1
	}
	for i := range r.Frames {
		f, torso := &r.Frames[i], torsoOf(&truth.World[i])/truth.Scale[i]
		trunk, _ := trunkOf(f)
		for _, p := range []keypoint.Part{keypoint.LeftHip, keypoint.RightHip} {
			at, _ := f.At(p)
			f.Set(p, at.Add(trunk.Mul(0.1*torso/trunk.Len())), 1)
		}
		for _, p := range []keypoint.Part{keypoint.LeftAnkle, keypoint.RightAnkle} {
			knee, _ := truth.Parts.Frames[i].At(p - 2)
			at, _ := f.At(p)
			shank := knee.Sub(at)
			aside := keypoint.Point{-shank[1], shank[0]}
			if aside[0]*forwards < 0 {
				aside = aside.Mul(-1)
			}
			f.Set(p, at.Add(aside.Mul(0.05*torso/shank.Len())), 1)
		}
	}
	samples, err := offsets(r)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"hip, side, near, along": 100, "hip, side, far, along": 100, "ankle, side, near, across": 50, "ankle, side, far, across": 50}
	for _, s := range samples {
		if len(s.errors) == 0 {
			continue
		}
		if got := agree(s.errors).bias; math.Abs(got-want[s.what]) > 0.5 {
			t.Errorf("%s: %.1f, want %.1f", s.what, got, want[s.what])
		}
		delete(want, s.what)
	}
	if len(want) > 0 {
		t.Errorf("not told: %v", want)
	}
}

// TestTriangulated: the views of two cameras before the same man are as the pictures show him.
func TestTriangulated(t *testing.T) {
	for camera, want := range map[string][2]float64{"01": {-75, -20}, "02": {-25, 25}} {
		truth, err := triangulated(testkit.Data(t, "videos/pose2sim_balance_cam"+camera))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range truth.View {
			if v < want[0] || v > want[1] || truth.Scale[i] < 0.0005 || truth.Scale[i] > 0.005 {
				t.Fatalf("camera %s, frame %d: view %.0f, %v m a pixel", camera, i, v, truth.Scale[i])
			}
		}
	}
}
