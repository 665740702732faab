package inferencetest

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	motiondraw "github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// size is that of the movies that TestEncoder writes.
var size = image.Pt(64, 48)

// shades are the grey values of the frames.
var shades = []uint8{32, 128, 224, 80, 176}

// TestEncoder tests the promises of draw.Encoder and draw.MovieWriter. d decodes what e has written.
func TestEncoder(t *testing.T, e motiondraw.Encoder, d inference.Decoder) {
	create := func(t *testing.T, path string, m motiondraw.Movie) motiondraw.MovieWriter {
		t.Helper()
		w, err := e.Create(t.Context(), path, m)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	t.Run("frames", func(t *testing.T) {
		for name, size := range map[string]image.Point{"even": size, "odd": {61, 47}} {
			path := filepath.Join(t.TempDir(), "movie.mp4")
			w := create(t, path, motiondraw.Movie{Size: size, FrameRate: 10})
			write(t, w, size)
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%s: the file is there before Close", name)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			w.Abort() // does nothing
			if err := w.Write(image.NewRGBA(image.Rectangle{Max: size}), 9); err == nil {
				t.Error("Write after Close gives no error")
			}
			holds(t, path, true)
			decoded(t, d, path, image.Pt((size.X+1)/2*2, (size.Y+1)/2*2))
		}
	})
	t.Run("mistakes", func(t *testing.T) {
		dir := t.TempDir()
		for path, m := range map[string]motiondraw.Movie{
			"movie.txt": {Size: size}, "movie": {Size: size}, "movie.mp4": {}, "wide.mp4": {Size: image.Pt(-64, 48)},
		} {
			if w, err := e.Create(t.Context(), filepath.Join(dir, path), m); !errors.Is(err, keypoint.ErrInvalid) {
				t.Errorf("%s of %v: %v, want ErrInvalid", path, m.Size, err)
				if err == nil {
					w.Abort()
				}
			}
		}
		path := filepath.Join(dir, "movie.mp4")
		w := create(t, path, motiondraw.Movie{Size: size, FrameRate: 10})
		write(t, w, size)
		img := image.NewRGBA(image.Rectangle{Max: size})
		for _, at := range []float64{0.4, 0, -1, math.NaN(), math.Inf(1)} {
			if err := w.Write(img, at); !errors.Is(err, keypoint.ErrInvalid) {
				t.Errorf("a frame at %v s after 0.4 s: %v, want ErrInvalid", at, err)
			}
		}
		if err := w.Write(image.NewRGBA(image.Rect(0, 0, 32, 48)), 9); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("a picture of another size: %v, want ErrInvalid", err)
		}
		if err := w.Close(); err != nil { // what was refused is not in the movie
			t.Fatal(err)
		}
		decoded(t, d, path, size)
	})
	t.Run("endings", func(t *testing.T) { endings(t, e, create) })
	t.Run("sound", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "movie.mp4")
		sound := reader([]byte("nothing that has sound"))
		w := create(t, path, motiondraw.Movie{Size: size, FrameRate: 10, Audio: sound})
		write(t, w, size)
		if err := w.Close(); err != nil || sound.closed {
			t.Errorf("Audio without sound: %v; closed: %v", err, sound.closed)
		}
		decoded(t, d, path, size)
	})
	t.Run("concurrency", func(t *testing.T) {
		var work sync.WaitGroup
		dir := t.TempDir()
		for _, name := range []string{"a.mp4", "b.mp4", "c.mp4"} {
			work.Go(func() {
				w, err := e.Create(t.Context(), filepath.Join(dir, name), motiondraw.Movie{Size: size, FrameRate: 10})
				if err != nil {
					t.Error(err)
					return
				}
				defer w.Abort()
				write(t, w, size)
				if err := w.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
		for _, name := range []string{"a.mp4", "b.mp4", "c.mp4"} {
			decoded(t, d, filepath.Join(dir, name), size)
		}
	})
}

// write writes a frame of each shade, ten a second, all in one picture.
func write(t *testing.T, w motiondraw.MovieWriter, size image.Point) {
	t.Helper()
	img := image.NewRGBA(image.Rectangle{Max: size}.Add(image.Pt(3, 5)))
	for i, shade := range shades {
		draw.Draw(img, img.Rect, image.NewUniform(color.Gray{shade}), image.Point{}, draw.Src)
		check := unchanged(t, img)
		if err := w.Write(img, float64(i)/10); err != nil {
			t.Error(err)
			return
		}
		check()
	}
}

// decoded tests that a file holds the frames of write.
func decoded(t *testing.T, d inference.Decoder, path string, size image.Point) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Open(t.Context(), bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Info().Size != size {
		t.Errorf("%s has %v pixels, want %v", filepath.Base(path), m.Info().Size, size)
	}
	for i := 0; ; i++ {
		p, err := m.Next()
		if err == io.EOF && i == len(shades) {
			return
		}
		if err != nil || i == len(shades) {
			t.Fatalf("%s: frame %d of %d: %v", filepath.Base(path), i, len(shades), err)
		}
		if math.Abs(p.Time-float64(i)/10) > 0.001 {
			t.Errorf("frame %d is at %v s, want %v", i, p.Time, float64(i)/10)
		}
		for _, at := range []image.Point{{size.X / 2, size.Y / 2}, {size.X - 1, size.Y - 1}} {
			at = at.Add(p.Image.Bounds().Min)
			got := color.GrayModel.Convert(p.Image.At(at.X, at.Y)).(color.Gray).Y
			if math.Abs(float64(got)-float64(shades[i])) > 12 {
				t.Errorf("frame %d is %d at %v, want %d", i, got, at, shades[i])
			}
		}
		release(p)
	}
}

// holds tests whether the file, and nothing else, is in its folder.
func holds(t *testing.T, path string, there bool) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := ""
	if there {
		want = filepath.Base(path)
	}
	if strings.Join(names, " ") != want {
		t.Errorf("the folder holds %q, want %q", names, want)
	}
}

// endings tests movies that are given up.
func endings(t *testing.T, e motiondraw.Encoder, create func(*testing.T, string, motiondraw.Movie) motiondraw.MovieWriter) {
	movie := motiondraw.Movie{Size: size, FrameRate: 10}
	for name, end := range map[string]func(t *testing.T, w motiondraw.MovieWriter){
		"aborted at once": func(t *testing.T, w motiondraw.MovieWriter) { w.Abort() },
		"aborted twice": func(t *testing.T, w motiondraw.MovieWriter) {
			write(t, w, size)
			w.Abort()
			w.Abort()
			if err := w.Write(image.NewRGBA(image.Rectangle{Max: size}), 9); err == nil {
				t.Error("Write after Abort gives no error")
			}
		},
		"without frames": func(t *testing.T, w motiondraw.MovieWriter) {
			if err := w.Close(); !errors.Is(err, keypoint.ErrInvalid) {
				t.Errorf("Close: %v, want ErrInvalid", err)
			}
			w.Abort()
		},
	} {
		t.Run(name, func(t *testing.T) {
			check, path := leaks(t), filepath.Join(t.TempDir(), "movie.mp4")
			end(t, create(t, path, movie))
			holds(t, path, false)
			check()
		})
	}
	t.Run("a file that is there stays", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "movie.mp4")
		if err := os.WriteFile(path, []byte("before"), 0o644); err != nil {
			t.Fatal(err)
		}
		w := create(t, path, movie)
		write(t, w, size)
		w.Abort()
		holds(t, path, true)
		if b, err := os.ReadFile(path); string(b) != "before" {
			t.Errorf("the file holds %d other bytes (%v)", len(b), err)
		}
	})
	t.Run("context", func(t *testing.T) {
		check, path := leaks(t), filepath.Join(t.TempDir(), "movie.mp4")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w, err := e.Create(ctx, path, movie)
		if err != nil {
			t.Fatal(err)
		}
		write(t, w, size)
		cancel()
		if err := w.Close(); !errors.Is(err, context.Canceled) {
			t.Errorf("Close: %v, want the context's error", err)
		}
		w.Abort()
		holds(t, path, false)
		check()
	})
}
