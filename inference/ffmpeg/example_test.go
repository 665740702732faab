package ffmpeg_test

import (
	"context"
	"errors"
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

// grey makes a grey movie of five frames and opens it. remove closes and removes it.
func grey() (f *os.File, remove func(), err error) {
	dir, err := os.MkdirTemp("", "movie-")
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(dir, "grey.mp4")
	w, err := mp4.Encoder{}.Create(context.Background(), path, draw.Movie{Size: image.Pt(64, 48), FrameRate: 10})
	for i := 0; err == nil && i < 5; i++ {
		err = w.Write(image.NewGray(image.Rect(0, 0, 64, 48)), float64(i)/10)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return f, func() { f.Close(); os.RemoveAll(dir) }, nil
}

// Frames come one after the other, with their times, in buffers that are used again.
func ExampleDecoder() {
	f, remove, err := grey()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer remove()
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
	f, remove, err := grey()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer remove()
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
	f, remove, err := grey()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer remove()
	info, err := ffmpeg.Decoder{}.Within(1000).Probe(context.Background(), f)
	fmt.Println(info.Size, "of", info.Stored, err)
	// Output:
	// (36,26) of (64,48) <nil>
}
