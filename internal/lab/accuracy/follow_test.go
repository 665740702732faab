package accuracy_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

// TestFollow: BlazePose stays with the person beside a bystander, and through jumps and squats: the box
// of the found parts meets that of the reference in every frame.
func TestFollow(t *testing.T) {
	testkit.Thorough(t, "follows people through movies")
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	finder, err := movenet.NewFinder(movenet.Options{Options: onnxruntime.Options{Library: ortkit.Library(t)}, People: multipose.Model()})
	if err != nil {
		t.Fatal(err)
	}
	defer finder.Close()
	est, err := blazepose.New(blazepose.Options{Options: onnxruntime.Options{Library: ortkit.Library(t)}, Model: full.Model(), Finder: finder})
	if err != nil {
		t.Fatal(err)
	}
	defer est.Close()
	for _, movie := range []string{"pose2sim_balance_cam02", "sports2d_demo", "tfjs_squats"} {
		t.Run(movie, func(t *testing.T) {
			folder := testkit.Data(t, "videos/"+movie)
			known, err := truth.Of(filepath.Join(folder, "video.mp4"))
			if err != nil {
				t.Fatal(err)
			}
			reference := known.Parts
			found, _, err := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}, FindOptions: motion.FindOptions{Uncleaned: true}}.File(t.Context(), filepath.Join(folder, "video.mp4"))
			if err != nil {
				t.Fatal(err)
			}
			pairs, err := score.Match(reference, found, 0)
			if err != nil || len(pairs) < 20 {
				t.Fatalf("%d frames have a reference (%v)", len(pairs), err)
			}
			for _, p := range pairs {
				want, _ := inference.BoundsOf(&reference.Frames[p.Reference])
				got, ok := inference.BoundsOf(&found.Frames[p.Result])
				if off := got.Centre().Sub(want.Centre()).Len(); !ok || off > 0.35*want.Extent() || got.Extent() > 1.6*want.Extent() {
					t.Errorf("frame %d: found in %.0f, the reference is in %.0f", p.Result, got, want)
				}
			}
		})
	}
}
