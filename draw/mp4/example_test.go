package mp4_test

import (
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/testkit"
)

func TestMain(m *testing.M) {
	flag.Parse()
	testkit.ExamplesNeed("ffmpeg", "ffprobe")
	os.Exit(m.Run())
}

// A second of a dot that moves to the right.
func ExampleEncoder() {
	dir, err := os.MkdirTemp("", "movie-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "dot.mp4")

	ctx := context.Background()
	w, err := mp4.Encoder{Preset: "ultrafast"}.Create(ctx, path, draw.Movie{Size: image.Pt(64, 48), FrameRate: 25})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Abort() // does nothing after Close
	for i := range 25 {
		img := image.NewRGBA(image.Rect(0, 0, 64, 48))
		img.Set(2*i, 24, color.White)
		if err := w.Write(img, float64(i)/25); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	f, err := os.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	info, err := ffmpeg.Decoder{}.Probe(ctx, f)
	fmt.Println(info.Frames, "frames of", info.Size, "in", info.Duration, "s", err)
	// Output: 25 frames of (64,48) in 1 s <nil>
}
