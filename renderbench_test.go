package motion_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	encode "github.com/bodymotion/motion/draw/ffmpeg"
	"github.com/bodymotion/motion/storage"
)

// BenchmarkDrawMovie holds the drawing of a 720p movie, from the record to the finished
// file, against ffmpeg alone re-encoding it with the same settings, in turns.
func BenchmarkDrawMovie(b *testing.B) {
	const n = 600
	ffmpeg := withFFmpeg(b)
	path := walk(b, n)
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	s := newParts().service(b, func(c *motion.Config) {
		ffmpeg(c)
		c.Encoder = encode.Encoder{}
	})
	run(b, s)
	e := extractMovie(b, s, data)
	alone := func() {
		out := filepath.Join(b.TempDir(), "alone.mp4")
		cmd := exec.Command("ffmpeg", "-loglevel", "error", "-i", path, "-c:v", "libx264", "-preset", "veryfast", "-crf", "20",
			"-pix_fmt", "yuv420p", "-map_metadata", "-1", "-movflags", "+faststart", out)
		if msg, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, msg)
		}
	}
	for name, background := range map[string]string{"annotated": "", "skeletonOnly": `{"skeletonOnly":true}`} {
		b.Run(name, func(b *testing.B) {
			var reencoding, drawing time.Duration
			for b.Loop() {
				reencoding += timed(alone)
				drawing += timed(func() {
					req := motion.DrawRequest{KeypointID: e.ID}
					if background != "" {
						req.Background = []byte(background)
					}
					d, err := s.Draw(b.Context(), owner, req)
					if err != nil {
						b.Fatal(err)
					}
					wait(b, s, storage.Drawings, d.ID, storage.Success)
				})
			}
			frames := float64(n * b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(frames/drawing.Seconds(), "frames/s")
			b.ReportMetric(frames/reencoding.Seconds(), "ffmpeg-frames/s")
			b.ReportMetric(reencoding.Seconds()/drawing.Seconds(), "of-ffmpeg")
		})
	}
}
