package mp4_test

import (
	"os/exec"
	"testing"

	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/internal/testkit"
)

func TestEncoder(t *testing.T) {
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Skip(t, name)
		}
	}
	inferencetest.TestEncoder(t, mp4.Encoder{}, ffmpeg.Decoder{})
}
