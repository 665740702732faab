package accuracy_test

import (
	"math"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// TestMovies compares the cleaned keypoints of movies with those of other tools; TestCleaning has those of side views.
func TestMovies(t *testing.T) {
	testkit.Thorough(t, "measures")
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	est, err := pose.Balanced(pose.Options{Options: onnxruntime.Options{Library: ortkit.Library(t)}})
	if err != nil {
		t.Fatal(err)
	}
	defer est.Close()
	for movie, want := range map[string]struct {
		agreement float64 // share of the parts within 0.2 torso lengths
		jitter    float64 // torso lengths, after the default smoothing
	}{
		"tfjs_squats":            {0.9, 0.06}, // irregular time steps, too short for the filter
		"pose2sim_balance_cam01": {0.9, 0.03},
		"pose2sim_balance_cam02": {0.9, 0.03},
		"sports2d_demo":          {0.99, 0.03},
	} {
		t.Run(movie, func(t *testing.T) {
			folder := testkit.Data(t, "videos/"+movie)
			known, err := truth.Of(filepath.Join(folder, "video.mp4"))
			if err != nil {
				t.Fatal(err)
			}
			reference := known.Parts
			raw, _, err := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}, FindOptions: motion.FindOptions{Uncleaned: true}}.File(t.Context(), filepath.Join(folder, "video.mp4"))
			if err != nil {
				t.Fatal(err)
			}
			cleaning := clean.Default()
			cleaning.Coincident = false // it leaves out what is in one place, wrong or right
			found, _, err := clean.Run(raw, cleaning)
			if err != nil {
				t.Fatal(err)
			}
			pairs, err := score.Match(reference, found, 0)
			if err != nil || len(pairs) == 0 {
				t.Fatalf("%d frames match (%v)", len(pairs), err)
			}
			agreement, _ := score.Agreement(reference, found, pairs, 0.2).Value()
			was, _ := score.Agreement(reference, raw, pairs, 0.2).Value()
			_, exchanged := score.Exchanged(reference, found, pairs)
			jitter, _ := score.Jitter(found)
			t.Logf("agreement %.3f, raw %.3f, jitter %.3f, %d of %d frames exchanged", agreement, was, jitter, exchanged.Count, exchanged.Of)
			if agreement < max(was-0.005, want.agreement) || jitter > want.jitter || exchanged.Count > 0 {
				t.Errorf("agreement %.3f, raw %.3f, jitter %.3f, %d frames exchanged; want %.2f, at most 0.005 less than raw, %.2f and none", agreement, was, jitter, exchanged.Count, want.agreement, want.jitter)
			}
			if movie == "tfjs_squats" {
				checkSquats(t, found)
			}
		})
	}
}

// checkSquats checks that the knees bend in the frames where a human sees it. The movie ends amid a third squat, which is not complete.
func checkSquats(t *testing.T, seq keypoint.Sequence) {
	t.Helper()
	rules, err := analyze.ParseRules([]byte(`{"analysisType":"vectorAngle","points":["leftHip","leftKnee","leftAnkle"]}`))
	if err != nil {
		t.Fatal(err)
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		t.Fatal(err)
	}
	squats, err := analyze.FindRepetitions(seq, results[0], analyze.RepetitionOptions{})
	if err != nil || len(squats.List) != 3 || squats.Complete != 2 {
		t.Fatalf("%d squats, %d complete (%v)", len(squats.List), squats.Complete, err)
	}
	for k, want := range []int{10, 33} {
		if math.Abs(float64(squats.List[k].Turn.Frame-want)) > 2 {
			t.Errorf("squat %d turns in frame %d, want %d", k, squats.List[k].Turn.Frame, want)
		}
	}
}
