// Package fftest tests a Runner of FFmpeg through the decoder and the encoder. The installed programs
// and the WebAssembly one of the examples pass the same tests.
package fftest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
)

// Frame is a decoded frame.
type Frame struct {
	Time  float64
	Color color.RGBA // of the centre
}

// Decode decodes a movie to its end.
func Decode(t testing.TB, d ffmpeg.Decoder, path string) (inference.Info, []Frame, error) {
	t.Helper()
	var list []Frame
	info, err := read(t, d, path, func(info inference.Info, p inference.Picture) bool {
		b := p.Image.Bounds()
		if b.Size() != info.Size {
			t.Fatalf("%s: frame %d is %v, the movie %v", path, len(list), b.Size(), info.Size)
		}
		c := color.RGBAModel.Convert(p.Image.At(b.Dx()/2, b.Dy()/2)).(color.RGBA)
		list = append(list, Frame{p.Time, c})
		return true
	})
	return info, list, err
}

// Pictures decodes a movie and yields each picture, which is valid until the next. Errors fail the
// test.
func Pictures(t testing.TB, d ffmpeg.Decoder, path string) iter.Seq[inference.Picture] {
	return func(yield func(inference.Picture) bool) {
		t.Helper()
		if _, err := read(t, d, path, func(_ inference.Info, p inference.Picture) bool { return yield(p) }); err != nil {
			t.Fatal(err)
		}
	}
}

// read decodes a movie and calls use with each picture until use returns false. It then releases the
// picture.
func read(t testing.TB, d ffmpeg.Decoder, path string, use func(inference.Info, inference.Picture) bool) (inference.Info, error) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	frames, err := d.Open(t.Context(), f)
	if err != nil {
		return inference.Info{}, err
	}
	defer frames.Close()
	for {
		p, err := frames.Next()
		if err == io.EOF {
			return frames.Info(), nil
		}
		if err != nil {
			return frames.Info(), err
		}
		goOn := use(frames.Info(), p)
		p.Release()
		if !goOn {
			return frames.Info(), nil
		}
	}
}

func solid(size image.Point, c color.RGBA) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: size})
	for i := 0; i < len(m.Pix); i += 4 {
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = c.R, c.G, c.B, 255
	}
	return m
}

// Write writes a movie of frames of one colour each.
func Write(t testing.TB, e mp4.Encoder, path string, m draw.Movie, frames []Frame) {
	t.Helper()
	w, err := e.Create(t.Context(), path, m)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, f := range frames {
		if err := w.Write(solid(m.Size, f.Color), f.Time); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func distance(a, b color.RGBA) int {
	far := func(x, y uint8) int { return int(max(x, y)) - int(min(x, y)) }
	return max(far(a.R, b.R), far(a.G, b.G), far(a.B, b.B))
}

// RoundTrip tests that movies keep their frames, times, sizes and colours when written and decoded.
func RoundTrip(t *testing.T, runner program.Runner) {
	palette := []color.RGBA{{200, 30, 30, 255}, {30, 200, 30, 255}, {30, 30, 200, 255}, {128, 128, 128, 255}}
	every := func(n int, step func(i int) float64) (frames []Frame) {
		for i := range n {
			frames = append(frames, Frame{step(i), palette[i%len(palette)]})
		}
		return frames
	}
	for name, c := range map[string]struct {
		size   image.Point
		rate   float64
		frames []Frame
		want   image.Point
	}{
		"5 a second":   {image.Pt(64, 48), 5, every(6, func(i int) float64 { return float64(i) / 5 }), image.Pt(64, 48)},
		"29.97":        {image.Pt(64, 48), 30000.0 / 1001, every(20, func(i int) float64 { return float64(i) * 1001 / 30000 }), image.Pt(64, 48)},
		"60":           {image.Pt(64, 48), 60, every(20, func(i int) float64 { return float64(i) / 60 }), image.Pt(64, 48)},
		"uneven times": {image.Pt(64, 48), 5, every(9, func(i int) float64 { return 0.2*float64(i) + 0.05*float64(i%3) }), image.Pt(64, 48)},
		"odd size":     {image.Pt(61, 47), 10, every(4, func(i int) float64 { return float64(i) / 10 }), image.Pt(62, 48)},
		"one frame":    {image.Pt(64, 48), 10, every(1, func(int) float64 { return 0 }), image.Pt(64, 48)},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "movie.mp4")
			Write(t, mp4.Encoder{Runner: runner, Preset: "ultrafast"}, path, draw.Movie{Size: c.size, FrameRate: c.rate}, c.frames)
			info, got, err := Decode(t, ffmpeg.Decoder{Runner: runner}, path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Size != c.want || len(got) != len(c.frames) || info.Frames != len(c.frames) {
				t.Fatalf("%v, %d frames decoded, %d announced; want %v and %d", info.Size, len(got), info.Frames, c.want, len(c.frames))
			}
			for i, f := range got {
				if math.Abs(f.Time-c.frames[i].Time) > 1e-4 {
					t.Errorf("frame %d is at %v s, want %v", i, f.Time, c.frames[i].Time)
				}
				if distance(f.Color, c.frames[i].Color) > 12 {
					t.Errorf("frame %d is %v, want %v", i, f.Color, c.frames[i].Color)
				}
			}
			if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
				t.Errorf("left in the folder: %v (%v)", entries, err)
			}
		})
	}
}

// Endings tests that cancelled, closed and aborted movies leave nothing behind.
func Endings(t *testing.T, runner program.Runner) {
	dir := t.TempDir()
	movie := filepath.Join(dir, "movie.mp4")
	var frames []Frame
	for i := range 200 {
		frames = append(frames, Frame{float64(i) / 30, color.RGBA{uint8(i), 100, 100, 255}})
	}
	Write(t, mp4.Encoder{Runner: runner, Preset: "ultrafast"}, movie, draw.Movie{Size: image.Pt(64, 48), FrameRate: 30}, frames)
	before := runtime.NumGoroutine()

	t.Run("cancelled decoding", func(t *testing.T) {
		f, err := os.Open(movie)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		d, err := ffmpeg.Decoder{Runner: runner, Buffers: 2}.Open(ctx, f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Next(); err != nil {
			t.Fatal(err)
		}
		cancel()
		for range 10 {
			if _, err = d.Next(); err != nil {
				break
			}
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after the end of the context: %v", err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("closed early", func(t *testing.T) {
		f, err := os.Open(movie)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		d, err := ffmpeg.Decoder{Runner: runner}.Open(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("aborted encoding", func(t *testing.T) {
		w, err := mp4.Encoder{Runner: runner}.Create(t.Context(), filepath.Join(dir, "aborted.mp4"), draw.Movie{Size: image.Pt(64, 48), FrameRate: 30})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(solid(image.Pt(64, 48), color.RGBA{1, 2, 3, 255}), 0); err != nil {
			t.Fatal(err)
		}
		w.Abort()
		if err := w.Write(solid(image.Pt(64, 48), color.RGBA{}), 1); err == nil {
			t.Error("an aborted movie takes frames")
		}
	})
	t.Run("cancelled encoding", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w, err := mp4.Encoder{Runner: runner}.Create(ctx, filepath.Join(dir, "cancelled.mp4"), draw.Movie{Size: image.Pt(64, 48), FrameRate: 30})
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := w.Close(); err == nil {
			t.Error("a cancelled movie is closed without an error")
		}
		w.Abort()
	})
	t.Run("no frames", func(t *testing.T) {
		w, err := mp4.Encoder{Runner: runner}.Create(t.Context(), filepath.Join(dir, "empty.mp4"), draw.Movie{Size: image.Pt(64, 48), FrameRate: 30})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err == nil {
			t.Error("a movie without frames is closed without an error")
		}
	})
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "movie.mp4" {
		t.Errorf("left in the folder: %v (%v)", entries, err)
	}
	for range 100 { // goroutines end with a delay
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched()
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

// Audio tests movies with the sound of another movie.
func Audio(t *testing.T, runner program.Runner) {
	for name, c := range map[string]struct {
		source, codec string
		unnamed       bool // no local file
	}{
		"with sound":  {"hostile/video_ok/with_audio.mp4", "aac", false},
		"from memory": {"hostile/video_ok/with_audio.mp4", "aac", true},
		"silent":      {"hostile/video_ok/base.mp4", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			source, err := os.Open(testkit.Data(t, c.source))
			if err != nil {
				t.Fatal(err)
			}
			defer source.Close()
			var sound io.ReadSeeker = source
			if c.unnamed {
				sound = unnamed{source}
			}
			var frames []Frame
			for i := range 65 {
				frames = append(frames, Frame{float64(i) / 5, color.RGBA{uint8(3 * i), 90, 90, 255}})
			}
			dir := t.TempDir()
			path := filepath.Join(dir, "movie.mp4")
			Write(t, mp4.Encoder{Runner: runner, Preset: "ultrafast"}, path, draw.Movie{Size: image.Pt(64, 48), FrameRate: 5, Audio: sound}, frames)
			codec := ""
			for _, s := range streams(t, runner, path) {
				if s.Type == "audio" {
					codec = s.Codec
				}
				if math.Abs(s.Duration-13) > 0.3 {
					t.Errorf("%s lasts %v s, want 13", s.Type, s.Duration)
				}
			}
			if codec != c.codec {
				t.Errorf("the sound is %q, want %q", codec, c.codec)
			}
			if _, got, err := Decode(t, ffmpeg.Decoder{Runner: runner}, path); err != nil || len(got) != 65 || math.Abs(got[64].Time-12.8) > 1e-3 {
				t.Errorf("%d frames (%v)", len(got), err)
			}
		})
	}
}

// stream is ffprobe's description of a stream.
type stream struct {
	Type     string  `json:"codec_type"`
	Codec    string  `json:"codec_name"`
	Duration float64 `json:",string"`
}

func streams(t *testing.T, runner program.Runner, path string) []stream {
	t.Helper()
	var out bytes.Buffer
	err := runner.Run(t.Context(), program.Command{
		Program: "ffprobe", Args: []string{"-v", "error", "-show_entries", "stream=codec_type,codec_name,duration", "-of", "json", "file:" + path},
		Stdout: &out, ReadFiles: []string{path},
	})
	var answer struct{ Streams []stream }
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &answer)
	}
	if err != nil {
		t.Fatal(err)
	}
	return answer.Streams
}
