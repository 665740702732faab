package analyze_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// reference returns the keypoints that another tool found in a movie.
func reference(t *testing.T, movie string) (seq keypoint.Sequence) {
	t.Helper()
	b, err := os.ReadFile(testkit.Data(t, "videos/"+movie+"/reference_keypoints.json"))
	if err != nil {
		t.Fatal(err)
	}
	var ref struct {
		Frames []struct {
			T         float64
			Keypoints map[string][]float64
		}
	}
	if err := json.Unmarshal(b, &ref); err != nil {
		t.Fatal(err)
	}
	seq = keypoint.Sequence{}
	for _, r := range ref.Frames {
		var f keypoint.Frame
		for name, xy := range r.Keypoints {
			if p, err := keypoint.ParsePart(name); err == nil {
				f.Set(p, keypoint.Point{xy[0], xy[1]}, 1)
			}
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, r.T)
	}
	return seq
}

// TestSquats counts the squats of a movie by the keypoints of another tool. The movie ends amid a third one.
func TestSquats(t *testing.T) {
	seq := reference(t, "tfjs_squats")
	rules, err := analyze.ParseRules([]byte(`{"analysisType":"vectorAngle","points":["leftHip","leftKnee","leftAnkle"]}`))
	if err != nil {
		t.Fatal(err)
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		t.Fatal(err)
	}
	squats, err := analyze.FindRepetitions(seq, results[0], analyze.RepetitionOptions{})
	if err != nil || squats.Complete != 2 || len(squats.List) != 3 || squats.List[2].Complete {
		t.Fatalf("%d squats, %d complete (%v)", len(squats.List), squats.Complete, err)
	}
	for k, want := range []int{9, 33} {
		if d := squats.List[k].Turn.Frame - want; d < -1 || d > 1 {
			t.Errorf("squat %d turns at frame %d, want %d", k, squats.List[k].Turn.Frame, want)
		}
	}
}
