package ffmpeg_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/internal/testkit"
)

// need skips the test if FFmpeg is not installed.
func need(t testing.TB) {
	t.Helper()
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Skip(t, name)
		}
	}
}

func TestDecoder(t *testing.T) {
	need(t)
	inferencetest.TestDecoder(t, ffmpeg.Decoder{}, inferencetest.Recorded(t, mp4.Encoder{}))
}

// logging is a Decoder that decorates another one.
type logging struct {
	inference.Decoder
	log func(string)
}

func (l logging) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	l.log("open")
	return l.Decoder.Open(ctx, r)
}

func (l logging) Unwrap() inference.Decoder { return l.Decoder }

// TestDecorated reads an AVIF picture with a Decoder that logs.
func TestDecorated(t *testing.T) {
	path := testkit.Data(t, "hostile/image_ok/avif.avif")
	need(t)
	avif, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	inferencetest.TestImageDecoder(t, logging{ffmpeg.Decoder{}, func(s string) { t.Log(s) }}, avif)
}
