package fftest_test

import (
	"image"
	"image/draw"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	decode "github.com/bodymotion/motion/inference/ffmpeg"
)

// drain decodes a movie and hands each picture to use.
func drain(t testing.TB, d decode.Decoder, path string, use func(image.Image)) (frames int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := d.Open(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for {
		p, err := m.Next()
		if err == io.EOF {
			return frames
		}
		if err != nil {
			t.Fatal(err)
		}
		use(p.Image)
		p.Release()
		frames++
	}
}

// BenchmarkDecode compares the decoder with FFmpeg alone, which throws the pictures away
// ("ffmpeg -i X -f null -"), by turns on the same movie: frames a second of both, and the
// ratio. YUV is what the decoder delivers, RGBA is that converted. The headers are read
// anew each time.
func BenchmarkDecode(b *testing.B) {
	for _, c := range []struct{ name, size, preset string }{
		{"720p", "1280x720", "veryfast"},
		{"1080p", "1920x1080", "veryfast"},
		{"720p-simplest-coding", "1280x720", "ultrafast"},
	} {
		path := clip(b, c.size, "600", c.preset)
		var rgba *image.RGBA
		for _, to := range []struct {
			name string
			use  func(image.Image)
		}{
			{"YUV", func(image.Image) {}},
			{"RGBA", func(m image.Image) {
				if rgba == nil || rgba.Rect.Size() != m.Bounds().Size() {
					rgba = image.NewRGBA(m.Bounds())
				}
				if fast, ok := m.(interface{ ToRGBA(*image.RGBA) }); ok {
					fast.ToRGBA(rgba)
					return
				}
				draw.Draw(rgba, rgba.Rect, m, image.Point{}, draw.Src)
			}},
		} {
			b.Run(c.name+"/"+to.name, func(b *testing.B) {
				var alone, decoder time.Duration
				frames := 0
				for b.Loop() {
					start := time.Now()
					if out, err := exec.Command("ffmpeg", "-loglevel", "error", "-i", path, "-f", "null", "-").CombinedOutput(); err != nil {
						b.Fatalf("%v\n%s", err, out)
					}
					alone += time.Since(start)
					start = time.Now()
					frames += drain(b, decode.Decoder{}, path, to.use)
					decoder += time.Since(start)
				}
				b.ReportMetric(float64(frames)/alone.Seconds(), "frames/s-alone")
				b.ReportMetric(float64(frames)/decoder.Seconds(), "frames/s")
				b.ReportMetric(alone.Seconds()/decoder.Seconds(), "ratio")
			})
		}
	}
}
