package rendered_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
)

const truth = `{"format":"motion-truth/1","name":"walk","movie":{"width":200,"height":100,"mirrored":false},
	"reps":[{"start":0.5,"turn":1,"end":1.5,"depth_share":1}],"events":[{"t":0.25,"side":"left","what":"toe off"}],
	"parts":["nose","left_knee","right_knee","left_heel"],
	"frames":{"t":[0,0.5,1],"visible":["1100","1010","1111"],"in_picture":[1,0.5,0],"view_deg":[80,85,90],
		"world":[[[0,2,0],[1,1,0],[-1,1,0],[0,0,0]],[[0,2,0],[1,1,0],[-1,1,0],[0,0,0]],[[0,2,0],[1,1,0],[-1,1,0],[0,0,0]]],
		"xy":[[[10,20],[30,40],[50,60],[1,1]],[[10,20],[-3,40],[50,60],[1,1]],[[10,20],[30,40],[50,60],[1,1]]]},
	"angles2d":{"left_knee":[1,2,3],"right_knee":[4,5,6]},"angles3d":{"left_hip":[7,8,9],"right_hip":[9,8,7],"trunk_forward":[0,0,0]}}`

func TestReadTruth(t *testing.T) {
	got, err := rendered.Read([]byte(truth))
	if err != nil {
		t.Fatal(err)
	}
	type pts = map[keypoint.Part]keypoint.Point
	points := func(s keypoint.Sequence) (all []pts) {
		for i := range s.Frames {
			m := pts{}
			for _, p := range s.Frames[i].Present().List() {
				m[p], _ = s.Frames[i].At(p)
			}
			all = append(all, m)
		}
		return all
	}
	nose, one, two := keypoint.Point{10, 20}, keypoint.Point{30, 40}, keypoint.Point{50, 60}
	heel := keypoint.Point{1, 1}
	// The left knee leaves the picture, and then the person does.
	if d := cmp.Diff([]pts{
		{keypoint.Nose: nose, keypoint.LeftKnee: one, keypoint.RightKnee: two, keypoint.LeftHeel: heel},
		{keypoint.Nose: nose, keypoint.RightKnee: two, keypoint.LeftHeel: heel}, {},
	}, points(got.Parts)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff([]keypoint.Parts{keypoint.PartsOf(keypoint.Nose, keypoint.LeftKnee), keypoint.PartsOf(keypoint.Nose, keypoint.RightKnee), 0}, got.Visible); d != "" {
		t.Errorf("visible: -want +got:\n%s", d)
	}
	if got.Parts.Size.X != 200 || got.Parts.Times[2] != 1 || got.View[1] != 85 || got.Reps[0].Turn != 1 || got.Events[0].Side != "left" || got.Angles3D["left_hip"][0] != 7 {
		t.Errorf("%+v", got)
	}
	if middle := got.World[1].Middle(keypoint.LeftKnee); middle != (keypoint.Position{0, 1, 0}) || got.World[1][keypoint.LeftKnee][0] != 1 {
		t.Errorf("in space: the knees' middle is %v, %v", middle, got.World[1])
	}

	mirrored, err := rendered.Read([]byte(strings.Replace(truth, `"mirrored":false`, `"mirrored":true`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]pts{
		{keypoint.Nose: nose, keypoint.RightKnee: one, keypoint.LeftKnee: two, keypoint.RightHeel: heel},
		{keypoint.Nose: nose, keypoint.LeftKnee: two, keypoint.RightHeel: heel}, {},
	}, points(mirrored.Parts)); d != "" {
		t.Errorf("mirrored: -want +got:\n%s", d)
	}
	if mirrored.World[0][keypoint.RightKnee][0] != 1 || mirrored.View[1] != -85 || mirrored.Angles2D["left_knee"][0] != 4 || mirrored.Angles2D["right_knee"][0] != 1 || mirrored.Events[0].Side != "right" {
		t.Errorf("mirrored: %+v", mirrored)
	}
}

// TestReadTruthScale: the height, the roll and the metres per pixel at the hips.
func TestReadTruthScale(t *testing.T) {
	text := strings.NewReplacer("left_knee", "left_hip", "right_knee", "right_hip", `"reps"`, `"body":{"height_m":1.8},"camera":{"f_px":1000},"floor":{"roll_deg":3},"reps"`,
		`"xy"`, `"cam":[[[0,0,9],[0,0,3],[0,0,5],[0,0,9]],[[0,0,9],[0,0,6],[0,0,6],[0,0,9]],[]],"xy"`).Replace(truth)
	for mirrored, roll := range map[string]float64{`"mirrored":false`: 3, `"mirrored":true`: -3} {
		got, err := rendered.Read([]byte(strings.Replace(text, `"mirrored":false`, mirrored, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got.Height != 1.8 || got.Roll != roll || len(got.Scale) != 3 || got.Scale[0] != 0.004 || got.Scale[1] != 0.006 || got.Scale[2] != 0 {
			t.Errorf("%s: height %v, roll %v, scale %v", mirrored, got.Height, got.Roll, got.Scale)
		}
	}
}

func TestReadTruthErrors(t *testing.T) {
	for name, change := range map[string][2]string{
		"not JSON":         {`"format"`, `format`},
		"another format":   {"motion-truth/1", "motion-truth/2"},
		"angles too short": {"[4,5,6]", "[4,5]"},
		"no points":        {`[[10,20],[30,40],[50,60],[1,1]]]}`, `[[10,20]]]}`},
		"one coordinate":   {"[10,20]", "[10]"},
		"flat":             {"[0,2,0]", "[0,2]"},
		"times go back":    {"[0,0.5,1]", "[0,0.5,0.4]"},
	} {
		broken := strings.Replace(truth, change[0], change[1], 1)
		if broken == truth {
			t.Fatalf("%s: nothing is replaced", name)
		}
		if _, err := rendered.Read([]byte(broken)); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
