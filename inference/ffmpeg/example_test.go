package ffmpeg_test

import (
	"context"
	"flag"
	"fmt"
	"image"
	"io"
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

// grey makes a grey movie of five frames and returns its path.
func grey(dir string) (string, error) {
	path := filepath.Join(dir, "grey.mp4")
	w, err := mp4.Encoder{}.Create(context.Background(), path, draw.Movie{Size: image.Pt(64, 48), FrameRate: 10})
	if err != nil {
		return "", err
	}
	defer w.Abort()
	for i := range 5 {
		if err := w.Write(image.NewGray(image.Rect(0, 0, 64, 48)), float64(i)/10); err != nil {
			return "", err
		}
	}
	return path, w.Close()
}

// Frames come one after the other, with their times, in buffers that are used again.
func ExampleDecoder() {
	dir, err := os.MkdirTemp("", "movie-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path, err := grey(dir)
	if err != nil {
		fmt.Println(err)
		return
	}

	f, err := os.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	frames, err := ffmpeg.Decoder{}.Open(context.Background(), f)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer frames.Close()
	fmt.Println(frames.Info().Size, frames.Info().FrameRate)
	for {
		p, err := frames.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.1f s: %v\n", p.Time, p.Image.Bounds())
		p.Release()
	}
	// Output:
	// (64,48) 10
	// 0.0 s: (0,0)-(64,48)
	// 0.1 s: (0,0)-(64,48)
	// 0.2 s: (0,0)-(64,48)
	// 0.3 s: (0,0)-(64,48)
	// 0.4 s: (0,0)-(64,48)
}

// What a movie is, and whether the programs are there, before anything is decoded.
func ExampleDecoder_Probe() {
	dir, err := os.MkdirTemp("", "movie-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path, err := grey(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	ctx, d := context.Background(), ffmpeg.Decoder{}
	fmt.Println(d.Check(ctx))
	info, err := d.Probe(ctx, f)
	fmt.Println(info.Frames, "frames of", info.Size, err)
	// Output:
	// <nil>
	// 5 frames of (64,48) <nil>
}

// A movie of 64 × 48 pixels is decoded with fewer than 1,000, which is enough to find a person.
func ExampleDecoder_Within() {
	dir, err := os.MkdirTemp("", "movie-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path, err := grey(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	info, err := ffmpeg.Decoder{}.Within(1000).Probe(context.Background(), f)
	fmt.Println(info.Size, "of", info.Stored, err)
	// Output:
	// (36,26) of (64,48) <nil>
}
