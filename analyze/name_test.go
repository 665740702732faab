package analyze_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// TestNames: a result is named by joint and side, and by its points where these are no joint.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		rule, name string
		side       analyze.Side
	}{
		{`"kneeFlexion","side":"left"`, "left knee flexion", analyze.LeftSide},
		{`"ankleDorsiflexion","side":"right"`, "right ankle dorsiflexion", analyze.RightSide},
		{`"trunkLean"`, "trunk lean", ""},
		{`"jointFlexion","points":["leftHip","leftKnee","leftAnkle"]`, "left knee flexion", analyze.LeftSide},
		{`"vectorAngle","points":["rightWrist","rightElbow","rightShoulder"]`, "right elbow vector angle", analyze.RightSide},
		{`"angularVelocity","points":["rightHip","rightShoulder","rightElbow"]`, "right shoulder angular velocity", analyze.RightSide},
		{`"vectorAngle","points":["rightHip","leftKnee","leftAnkle"]`, "vector angle right hip - left knee - left ankle", ""},
		{`"vectorAngle","points":["nose","leftShoulder","leftElbow"]`, "vector angle nose - left shoulder - left elbow", ""},
		{`"rotationAngle","points":["leftKnee","leftAnkle","leftBigToe"]`, "left ankle rotation angle", analyze.LeftSide},
		{`"coordinate","points":["leftWrist"]`, "left wrist coordinate", analyze.LeftSide},
		{`"speed","points":["nose"]`, "nose speed", ""},
		{`"euclideanDistance","points":["leftHip","leftAnkle"]`, "euclidean distance left hip - left ankle", analyze.LeftSide},
		{`"verticalDifference","points":[{"pointType":"midpoint","pointName":["leftHip","rightHip"]},"nose"]`, "vertical difference midpoint of left hip and right hip - nose", ""},
		{`"jointFlexion","points":["leftHip",{"pointType":"centroid","pointName":["leftKnee","leftAnkle"]},"leftAnkle"]`, "joint flexion left hip - centroid of left knee and left ankle - left ankle", analyze.LeftSide},
	} {
		rules, err := analyze.ParseRules([]byte(`{"analysisType":` + c.rule + `}`))
		if err != nil {
			t.Fatal(c.rule, err)
		}
		results, err := analyze.Run(keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 1}}, rules)
		if err != nil {
			t.Fatal(c.rule, err)
		}
		if r := results[0]; r.Name != c.name || r.Side != c.side {
			t.Errorf("%s: %q of side %q, want %q of %q", c.rule, r.Name, r.Side, c.name, c.side)
		}
		b, err := json.Marshal(results[0])
		var back analyze.Result
		if err != nil || json.Unmarshal(b, &back) != nil || back.Name != c.name || back.Side != c.side {
			t.Errorf("%s (%v)", b, err)
		}
	}
	var r analyze.Result
	if err := json.Unmarshal([]byte(`{"analysisType":"speed","side":"both","values":[]}`), &r); err == nil {
		t.Error("an unknown side is read")
	}
}

func ExampleRun_name() {
	rules := []analyze.Rule{{Type: analyze.KneeFlexion, Side: analyze.LeftSide}, {Type: analyze.KneeFlexion, Side: analyze.RightSide}}
	results, err := analyze.Run(keypoint.Sequence{}, rules)
	if err != nil {
		panic(err)
	}
	for _, r := range results {
		fmt.Println(r.Name, "in", r.Type.Unit())
	}
	// Output:
	// left knee flexion in °
	// right knee flexion in °
}

// TestMeaning: results say what their values mean in all languages, without the side.
func TestMeaning(t *testing.T) {
	r := analyze.Result{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Description: "Flexion of the left knee in degrees."}
	if said := r.Meaning(); said.String() != "Flexion of the knee in degrees." || said[say.Japanese] != "大腿と下腿の角度。まっすぐなら0°、過伸展は負。" {
		t.Error(said)
	}
	for _, kind := range analyze.Types() {
		r := analyze.Result{Type: kind}
		if r.Meaning()[say.Japanese] == "" {
			t.Errorf("nothing says what %s means in Japanese", kind)
		}
	}
}
