package accuracy_test

import (
	"flag"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/keypoint"
)

// fast measures pose.Fast; the limits of the tests are those of pose.Balanced.
var fast = flag.Bool("fast", false, "find keypoints with pose.Fast")

// truthOf returns the truth of a rendered movie.
func truthOf(t *testing.T, name string) *truth.Truth {
	t.Helper()
	known, err := truth.Read(testkit.Truth(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// eachTruth calls fn with the truth of each rendered movie.
func eachTruth(t *testing.T, fn func(t *testing.T, truth *truth.Truth)) {
	t.Helper()
	for _, name := range testkit.RenderedNames(t) {
		t.Run(name, func(t *testing.T) {
			fn(t, truthOf(t, name))
		})
	}
}

// raw are the sequences that found has estimated, by the names of their movies.
var raw = map[string]keypoint.Sequence{}

// found returns what the estimator finds in a rendered movie. It is estimated once for all tests.
func found(t *testing.T, movie string) keypoint.Sequence {
	t.Helper()
	testkit.Thorough(t, "measures")
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	name := filepath.Base(movie)
	if seq, ok := raw[name]; ok {
		return seq
	}
	open := pose.Balanced
	if *fast {
		open = pose.Fast
	}
	est, err := open(pose.Options{Options: onnxruntime.Options{Library: ortkit.Library(t)}})
	if err != nil {
		t.Fatal(err)
	}
	defer est.Close()
	seq, _, err := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}, FindOptions: motion.FindOptions{Feet: true, Uncleaned: true}}.File(t.Context(), movie)
	if err != nil {
		t.Fatal(err)
	}
	raw[name] = seq
	return seq
}
