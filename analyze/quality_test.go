package analyze_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// seated is a person of a torso of 100 pixels, shoulders and hips as wide as given, with a knee bent by 90
// degrees in the picture.
func seated(shoulders, hips float64) keypoint.Sequence {
	var f keypoint.Frame
	put := func(p keypoint.Part, x, y float64) { f.Set(p, keypoint.Point{x, y}, .9) }
	put(keypoint.Nose, 200+25*(1-shoulders/65), 65)
	put(keypoint.LeftEar, 200+shoulders/4, 60)
	put(keypoint.RightEar, 200-shoulders/4, 60)
	put(keypoint.LeftShoulder, 200+shoulders/2, 100)
	put(keypoint.RightShoulder, 200-shoulders/2, 100)
	for _, side := range []struct{ hip, knee, ankle keypoint.Part }{
		{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle}, {keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle},
	} {
		x := 200 + hips/2
		if side.hip == keypoint.RightHip {
			x = 200 - hips/2
		}
		put(side.hip, x, 200)
		put(side.knee, x+80, 200)
		put(side.ankle, x+80, 280)
	}
	return keypoint.Sequence{Frames: []keypoint.Frame{f, {}}, Times: []float64{0, 0.1}}
}

// TestUncertainty: each type has the uncertainty of its kind in the frames that have a value, speeds have
// none, and angles at a joint warn of a view that does not show them.
func TestUncertainty(t *testing.T) {
	const rules = `[
		{"analysisType":"coordinate","points":["leftKnee"]},
		{"analysisType":"horizontalDifference","points":["leftKnee","leftHip"]},
		{"analysisType":"verticalDifference","points":["leftKnee","leftHip"]},
		{"analysisType":"euclideanDistance","points":["leftKnee","leftHip"]},
		{"analysisType":"segmentAngle","points":["leftHip","leftKnee"]},
		{"analysisType":"vectorAngle","points":["leftHip","leftKnee","leftAnkle"]},
		{"analysisType":"rotationAngle","points":["leftHip","leftKnee","leftAnkle"]},
		{"analysisType":"jointFlexion","points":["leftHip","leftKnee","leftAnkle"]},
		{"analysisType":"speed","points":["leftKnee"]},
		{"analysisType":"angularVelocity","points":["leftHip","leftKnee","leftAnkle"]}]`
	parsed, err := analyze.ParseRules([]byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	for _, view := range []struct {
		name            string
		shoulders, hips float64
		warned          bool
	}{{"front", 65, 37, true}, {"side", 1, 1, false}} {
		seq := seated(view.shoulders, view.hips)
		results, err := analyze.Run(seq, parsed)
		if err != nil {
			t.Fatal(err)
		}
		u := quality.NewUncertainty(seq)
		p := parsed[5].Points
		point, _ := u.Point(0, p[1])
		distance, _ := u.Distance(0, p[0], p[1])
		direction, _, _ := u.Direction(0, parsed[4].Plane(), p[0], p[1])
		angle, _, _ := u.Angle(0, parsed[5].Plane(), p[0], p[1], p[2])
		for i, want := range []float64{point, distance, distance, distance, direction, angle, angle, angle, 0, 0} {
			r := results[i]
			switch {
			case want == 0 && r.Uncertainty != nil:
				t.Errorf("%s: uncertainty %v", r.Type, r.Uncertainty)
			case want > 0 && (len(r.Uncertainty) != 2 || math.Abs(r.Uncertainty[0].X-want) > 1e-9 || r.Uncertainty[1].Present):
				t.Errorf("%s from the %s: uncertainty %v, want %v", r.Type, view.name, r.Uncertainty, want)
			}
			angle := r.Type == analyze.VectorAngle || r.Type == analyze.RotationAngle || r.Type == analyze.JointFlexion || r.Type == analyze.AngularVelocity
			if warned := len(r.Warnings) == 1 && r.Warnings[0].Code == quality.CodeOutOfPlane; warned != (view.warned && angle) {
				t.Errorf("%s from the %s: warnings %+v", r.Type, view.name, r.Warnings)
			}
		}
		b, err := json.Marshal(results)
		if err != nil {
			t.Fatal(err)
		}
		var back []analyze.Result
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(results, back, cmpopts.EquateApprox(0, 1e-4)); d != "" {
			t.Errorf("%s\n%s", b, d)
		}
	}
	for _, bad := range []string{
		`{"analysisType":"speed","values":[1],"coverage":1,"uncertainty":[1,2]}`,
		`{"analysisType":"speed","values":[1],"coverage":1,"uncertainty":[[1,2]]}`,
	} {
		var r analyze.Result
		if err := json.Unmarshal([]byte(bad), &r); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}
