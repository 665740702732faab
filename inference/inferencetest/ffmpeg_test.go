package inferencetest_test

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
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

// needFFmpeg skips the test if FFmpeg is not installed.
func needFFmpeg(t testing.TB) {
	t.Helper()
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Skip(t, name)
		}
	}
}

func TestFFmpegDecoder(t *testing.T) {
	if testing.Short() {
		t.Skip("the time goes into ffmpeg, not run with -short")
	}
	needFFmpeg(t)
	inferencetest.TestDecoder(t, ffmpeg.Decoder{ProbeTimeout: -1}, inferencetest.Recorded(t, mp4.Encoder{}))
}

func TestMP4Encoder(t *testing.T) {
	if testing.Short() {
		t.Skip("the time goes into ffmpeg, not run with -short")
	}
	needFFmpeg(t)
	inferencetest.TestEncoder(t, mp4.Encoder{}, ffmpeg.Decoder{})
}

// logged is a Decoder that decorates another one.
type logged struct {
	inference.Decoder
	log func(string)
}

func (l logged) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	l.log("open")
	return l.Decoder.Open(ctx, r)
}

func (l logged) Unwrap() inference.Decoder { return l.Decoder }

// TestDecoratedFFmpeg reads an AVIF picture with a Decoder that logs.
func TestDecoratedFFmpeg(t *testing.T) {
	path := testkit.Data(t, "hostile/image_ok/avif.avif")
	needFFmpeg(t)
	avif, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	inferencetest.TestImageDecoder(t, logged{ffmpeg.Decoder{}, func(s string) { t.Log(s) }}, avif)
}

// TestLiveFrames: the pictures of a stream keep the promises of inference.Frames.
func TestLiveFrames(t *testing.T) {
	needFFmpeg(t)
	const n = 100
	var movie bytes.Buffer
	for i := range n {
		jpeg.Encode(&movie, inferencetest.Picture(image.Pt(64, 48), image.Rect(4, 4, 10+i%50, 40)), nil)
	}
	inferencetest.TestFrames(t, func(ctx context.Context) (inference.Frames, error) {
		return ffmpeg.Live{Reader: bytes.NewReader(movie.Bytes()), Format: "mjpeg"}.Open(ctx)
	}, n)
}
