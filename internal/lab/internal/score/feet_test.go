package score_test

import (
	"math"
	"testing"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/keypoint"
)

// TestFeet: of two heels and two toes three are found, one of them a fifth of a torso off; small toes do not
// count.
func TestFeet(t *testing.T) {
	var truth, found keypoint.Frame
	for p, at := range map[keypoint.Part]keypoint.Point{
		keypoint.LeftShoulder: {0, 0}, keypoint.RightShoulder: {0, 0}, keypoint.LeftHip: {0, 100}, keypoint.RightHip: {0, 100},
		keypoint.LeftHeel: {0, 300}, keypoint.RightHeel: {50, 300}, keypoint.LeftBigToe: {20, 300}, keypoint.RightBigToe: {70, 300},
		keypoint.LeftSmallToe: {25, 300},
	} {
		truth.Set(p, at, 1)
	}
	found.Set(keypoint.LeftHeel, keypoint.Point{0, 300}, 1)
	found.Set(keypoint.RightHeel, keypoint.Point{50, 320}, 1)
	found.Set(keypoint.LeftBigToe, keypoint.Point{30, 300}, 1)
	sequence := func(f keypoint.Frame) keypoint.Sequence { return keypoint.Sequence{Frames: []keypoint.Frame{f}} }
	given, errors := score.Feet(sequence(truth), sequence(found), []score.Pair{{}})
	if given != (score.Share{Count: 3, Of: 4}) || len(errors) != 3 {
		t.Fatalf("%+v given, errors %v", given, errors)
	}
	if median, _ := errors.Median(); math.Abs(median-0.1) > 1e-9 {
		t.Errorf("median error %v", median)
	}
}
