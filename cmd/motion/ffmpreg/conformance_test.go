package ffmpreg_test

import (
	"testing"

	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/inferencetest"
)

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute, not run with -short")
	}
	runner := open(t)
	d, e := ffmpeg.Decoder{Runner: runner}, mp4.Encoder{Runner: runner, Preset: "ultrafast"}
	t.Run("Decoder", func(t *testing.T) { inferencetest.TestDecoder(t, d, inferencetest.Recorded(t, e)) })
	t.Run("Encoder", func(t *testing.T) { inferencetest.TestEncoder(t, e, d) })
}
