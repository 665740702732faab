package motion_test

import (
	"os/exec"
	"testing"

	decode "github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/fftest"
	"github.com/bodymotion/motion/internal/testkit"
)

// TestHostile decodes the odd and damaged files of the measuring data with the installed
// FFmpeg. The runner of the examples passes the same test there.
func TestHostile(t *testing.T) {
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Skip(t, name)
		}
	}
	fftest.Hostile(t, decode.Exec{})
}

// TestHostileKeypoints holds the keypoints of good files in odd formats against those of
// the plain file.
func TestHostileKeypoints(t *testing.T) {
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Skip(t, name)
		}
	}
	fftest.Keypoints(t, decode.Exec{})
}
