package keypoint_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/bodymotion/motion/keypoint"
)

// TestSelectorJSON checks the form that rules read.
func TestSelectorJSON(t *testing.T) {
	for want, s := range map[string]keypoint.Selector{
		`{"pointType":"single","pointName":"leftKnee"}`:                          keypoint.PartSelector(keypoint.LeftKnee),
		`{"pointType":"midpoint","pointName":["leftHip","rightHip"]}`:            keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip),
		`{"pointType":"verticalTop","pointName":"nose"}`:                         {Type: keypoint.VerticalTop, Parts: []keypoint.Part{keypoint.Nose}},
		`{"pointType":"centroid","pointName":["nose","leftWrist","rightWrist"]}`: {Type: keypoint.Centroid, Parts: []keypoint.Part{keypoint.Nose, keypoint.LeftWrist, keypoint.RightWrist}},
	} {
		if b, err := json.Marshal(s); err != nil || string(b) != want {
			t.Errorf("%v: %s, %v; want %s", s, b, err, want)
		}
	}
	if _, err := json.Marshal(keypoint.Selector{Type: keypoint.Midpoint}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("a midpoint of no parts: %v, want ErrInvalid", err)
	}
}
