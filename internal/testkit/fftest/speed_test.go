package fftest_test

import (
	"image"
	"image/draw"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fftest"
)

// drain decodes a movie and hands each picture to use.
func drain(t testing.TB, path string, use func(image.Image)) (frames int) {
	t.Helper()
	for p := range fftest.Pictures(t, ffmpeg.Decoder{}, path) {
		use(p.Image)
		frames++
	}
	return frames
}

// length is the number of frames of the movies: fewer with -short, for a run that only shows that
// the benchmark works.
func length() string {
	if testing.Short() {
		return "60"
	}
	return "600"
}

// footage makes a movie of a recording of people, in the size and at the
// bits a second that the cameras of phones choose for it.
func footage(b *testing.B, size, bits string) string {
	b.Helper()
	installed(b)
	path := filepath.Join(b.TempDir(), "footage.mp4")
	out, err := exec.Command("ffmpeg", "-loglevel", "error", "-stream_loop", "-1", "-i", testkit.Data(b, "videos/sports2d_demo/video.mp4"),
		"-vf", "scale="+size, "-frames:v", length(), "-an", "-c:v", "libx264", "-preset", "veryfast", "-b:v", bits, "-pix_fmt", "yuv420p", path).CombinedOutput()
	if err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return path
}

// BenchmarkDecode compares the decoder with FFmpeg alone, which throws the pictures away
// ("ffmpeg -i X -f null -"), by turns on the same movie: frames a second of both, and the
// ratio. YUV is what the decoder delivers, RGBA is that converted. The headers are read
// anew each time. The test pattern is decoded at several times the speed of what a camera
// records, so that the pipe between the processes counts for more.
func BenchmarkDecode(b *testing.B) {
	for _, c := range []struct {
		name string
		make func(b *testing.B) string
	}{
		{"720p", func(b *testing.B) string { return footage(b, "1280:720", "12M") }},
		{"1080p", func(b *testing.B) string { return footage(b, "1920:1080", "17M") }},
		{"720p-test-pattern", func(b *testing.B) string { return clip(b, "1280x720", length(), "veryfast") }},
		{"1080p-test-pattern", func(b *testing.B) string { return clip(b, "1920x1080", length(), "veryfast") }},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkDecode(b, c.make(b)) })
	}
}

func benchmarkDecode(b *testing.B, path string) {
	var rgba *image.RGBA
	for _, to := range []struct {
		name string
		use  func(image.Image)
	}{
		{"YUV", func(image.Image) {}},
		{"RGBA", func(m image.Image) {
			if rgba == nil {
				rgba = image.NewRGBA(m.Bounds())
			}
			if fast, ok := m.(interface{ ToRGBA(*image.RGBA) }); ok {
				fast.ToRGBA(rgba)
				return
			}
			draw.Draw(rgba, rgba.Rect, m, image.Point{}, draw.Src)
		}},
	} {
		b.Run(to.name, func(b *testing.B) {
			var alone, decoder time.Duration
			frames := 0
			for b.Loop() {
				start := time.Now()
				if out, err := exec.Command("ffmpeg", "-loglevel", "error", "-i", path, "-f", "null", "-").CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				alone += time.Since(start)
				start = time.Now()
				frames += drain(b, path, to.use)
				decoder += time.Since(start)
			}
			b.ReportMetric(float64(frames)/alone.Seconds(), "frames/s-alone")
			b.ReportMetric(float64(frames)/decoder.Seconds(), "frames/s")
			b.ReportMetric(alone.Seconds()/decoder.Seconds(), "ratio")
		})
	}
}
