package pose_test

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/keypoint"
)

// TestEverybody follows the two people of a movie: one makes side steps, the other stands behind.
func TestEverybody(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes and estimates a movie")
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	truth := testkit.Rendered(t, "side_step_0").Seq
	movie, err := os.Open(testkit.Data(t, "rendered/side_step_0.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, movie)
	e, err := pose.Fast(pose.Options{Options: onnxruntime.Options{Library: ortkit.Library(t)}})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, e)
	frames, err := ffmpeg.Decoder{}.Open(t.Context(), movie)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, frames)
	people, err := inference.ExtractAll(t.Context(), frames, e, inference.ExtractOptions{Rate: 5, Choose: inference.Choice{Policy: inference.PolicyMostMovement}, MaxPeople: 20})
	if err != nil {
		t.Fatal(err)
	}
	list := people.Presence()
	if len(list) != 2 || min(list[0].Coverage, list[1].Coverage) < 0.95 || min(list[0].LastFrame, list[1].LastFrame) < truth.Len()-10 {
		t.Fatalf("people: %+v", list)
	}
	for _, p := range people.All {
		chosen := p.Track == people.Chosen.Track
		if off := distance(p.Sequence, truth); chosen != (off < 0.06) || !chosen && off < 1 {
			t.Errorf("person %d, chosen %v: the parts are %.3f torso lengths from those of the one who steps", p.Track, chosen, off)
		}
	}
}

// distance returns the median distance of the parts from the truth, in torso lengths.
func distance(seq, truth keypoint.Sequence) float64 {
	var all []float64
	for _, i := range seq.Looks {
		torso, _ := truth.Frames[i].TorsoLength()
		for _, part := range keypoint.Body.List() {
			want, known := truth.Frames[i].At(part)
			if got, ok := seq.Frames[i].At(part); ok && known {
				all = append(all, got.Sub(want).Len()/torso)
			}
		}
	}
	slices.Sort(all)
	return all[len(all)/2]
}
