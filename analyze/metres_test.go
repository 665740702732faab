package analyze_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// TestMetres: with a scale, lengths and speeds are in metres along the floor, and their uncertainty has
// that of the scale; angles stay, and directions follow the floor.
func TestMetres(t *testing.T) {
	rules, err := analyze.ParseRules([]byte(`[
		{"analysisType":"coordinate","points":["leftWrist"]},
		{"analysisType":"horizontalDifference","points":["leftWrist","leftElbow"]},
		{"analysisType":"verticalDifference","points":["leftWrist","leftElbow"]},
		{"analysisType":"euclideanDistance","points":["leftWrist","leftElbow"]},
		{"analysisType":"speed","points":["leftWrist"]},
		{"analysisType":"segmentAngle","points":["leftElbow","leftWrist"]},
		{"analysisType":"jointFlexion","points":["leftShoulder","leftElbow","leftWrist"]}]`))
	if err != nil {
		t.Fatal(err)
	}
	seq := keypoint.Sequence{World: keypoint.World{MetresPerPixel: 0.01, ScaleError: 0.1, Floor: 90, Origin: keypoint.Point{100, 100}}}
	for i := range 3 {
		f := posture{}.seen(1)
		f.Set(keypoint.LeftShoulder, keypoint.Point{300, 100}, 1)
		f.Set(keypoint.LeftElbow, keypoint.Point{200, 100}, 1)
		f.Set(keypoint.LeftWrist, keypoint.Point{200, 50 - float64(10*i)}, 1) // along the floor, which rises straight up the picture
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(i)/10)
	}
	metres, pixels := runRules(t, seq, rules...), seq.Clone()
	pixels.World = keypoint.World{}
	plain := runRules(t, pixels, rules...)
	for i, c := range []struct {
		unit string
		x, y float64
	}{{"m", 0.5, 1}, {"m", 0.5, 0}, {"m", 0, 0}, {"m", 0.5, 0}, {"m/s", 1, 0}, {"°", 0, 0}, {"°", 90, 0}} {
		r := metres[i]
		if v := r.Values[0]; r.Unit != c.unit || math.Abs(v.X-c.x) > 1e-9 || math.Abs(v.Y-c.y) > 1e-9 {
			t.Errorf("%s: %+v %s, want %v %v %s", r.Type, v, r.Unit, c.x, c.y, c.unit)
		}
		if metric := c.unit != "°"; strings.Contains(r.Description, "pixels") || strings.Contains(r.Description, "metres") != metric {
			t.Errorf("%s", r.Description)
		}
		if plain[i].Unit != r.Type.Unit() {
			t.Errorf("%s without a scale is in %q", r.Type, plain[i].Unit)
		}
	}
	sigma := plain[3].Uncertainty[0].X
	if got, want := metres[3].Uncertainty[0].X, math.Hypot(sigma*0.01, 0.1*0.5); math.Abs(got-want) > 1e-12 {
		t.Errorf("the distance has the uncertainty %v, want %v", got, want)
	}
	b, err := json.Marshal(metres[4])
	if err != nil || !strings.Contains(string(b), `"unit":"m/s"`) {
		t.Errorf("%s (%v)", b, err)
	}
	var back analyze.Result
	if err := json.Unmarshal([]byte(`{"analysisType":"speed","description":"","values":[1],"coverage":1}`), &back); err != nil || back.Unit != "px/s" {
		t.Errorf("an older record is in %q (%v)", back.Unit, err)
	}
}

func ExampleRun_metres() {
	seq := keypoint.Sequence{Times: []float64{0, 0.1, 0.2}, World: keypoint.World{MetresPerPixel: 0.0025}}
	for i := range 3 {
		var f keypoint.Frame
		f.Set(keypoint.RightWrist, keypoint.Point{400 + 80*float64(i), 300}, 0.9)
		seq.Frames = append(seq.Frames, f)
	}
	rules, err := analyze.ParseRules([]byte(`{"analysisType": "speed", "points": ["rightWrist"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f %s\n", results[0].Values[1].X, results[0].Unit)
	// Output:
	// 2.0 m/s
}
