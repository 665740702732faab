package score_test

import (
	"math"
	"testing"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
)

// swinging is the truth of a left leg whose knee bends from 180 to 90 degrees and back in each of two seconds,
// at 20 frames per second, and the sequence in which the ankle is shifted along the shank's circle by the error
// of the frame in degrees.
func swinging(err func(i int) float64) (*truth.Truth, keypoint.Sequence) {
	t := &truth.Truth{Angles2D: map[string][]float64{}}
	var found keypoint.Sequence
	for i := range 41 {
		angle := 135 + 45*math.Cos(2*math.Pi*float64(i)/20)
		frame := func(angle float64) (f keypoint.Frame) {
			sin, cos := math.Sincos(angle * math.Pi / 180)
			f.Set(keypoint.LeftShoulder, keypoint.Point{100, 0}, 1)
			f.Set(keypoint.RightShoulder, keypoint.Point{100, 0}, 1)
			f.Set(keypoint.LeftHip, keypoint.Point{100, 100}, 1)
			f.Set(keypoint.RightHip, keypoint.Point{100, 100}, 1)
			f.Set(keypoint.LeftKnee, keypoint.Point{100, 200}, 1)
			f.Set(keypoint.LeftAnkle, keypoint.Point{100 + 100*sin, 200 - 100*cos}, 1)
			return f
		}
		t.Angles2D["left_knee"] = append(t.Angles2D["left_knee"], angle)
		t.Inside = append(t.Inside, 1)
		t.Parts.Frames = append(t.Parts.Frames, frame(angle))
		found.Frames = append(found.Frames, frame(angle+err(i)))
		t.Parts.Times = append(t.Parts.Times, float64(i)/20)
		found.Times = append(found.Times, float64(i)/20)
	}
	return t, found
}

func TestAngleErrors(t *testing.T) {
	truth, found := swinging(func(i int) float64 { return -2 + 3*float64(i%2*2-1) }) // −5 and 1 in turn
	pairs, err := score.Match(truth.Parts, found, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range score.Angles() {
		v := score.AngleErrors(truth, found, pairs, a)
		if a.Name != "left_knee" {
			if len(v) > 0 {
				t.Errorf("%s: %v", a.Name, v)
			}
			continue
		}
		// At 180 degrees an angle cannot be more.
		rms, _ := v.RMS()
		if len(v) != 41 || math.Abs(rms-3.6) > .2 {
			t.Errorf("%d errors, RMS %v", len(v), rms)
		}
	}
	truth.Inside[3] = 0
	if v := score.AngleErrors(truth, found, pairs, score.Angles()[0]); len(v) != 40 {
		t.Errorf("%d errors although the person is outside in one frame", len(v))
	}
}

func TestPeaks(t *testing.T) {
	pairs := func(truth *truth.Truth, found keypoint.Sequence) []score.Pair {
		p, err := score.Match(truth.Parts, found, 0)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	// The knee is deepest in frames 10 and 30, straight in 20, and the first and the last are no peaks.
	truth, found := swinging(func(i int) float64 {
		if i == 11 {
			return -10 // instead of 90 in frame 10, 92.2 − 10 in frame 11
		}
		return 0
	})
	got := score.PeakAngleErrors(truth, found, pairs(truth, found))
	if len(got) != 3 || !near(got[0], 0) || math.Abs(got[1]+7.8) > .1 && math.Abs(got[2]+7.8) > .1 {
		t.Errorf("errors of peaks: %v", got)
	}
	// The ankle is fastest twice in each second.
	truth, found = swinging(func(int) float64 { return 0 })
	got = score.PeakSpeedErrors(truth, found, pairs(truth, found))
	if rms, _ := got.RMS(); len(got) != 4 || rms != 0 {
		t.Errorf("errors of peak speeds: %v", got)
	}
	found.Frames[10].Unset(keypoint.LeftAnkle)
	if got := score.PeakAngleErrors(truth, found, pairs(truth, found)); len(got) != 2 {
		t.Errorf("a peak in a gap is compared: %v", got)
	}
}
