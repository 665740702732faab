package motion_test

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// middle is where the person of walk is in the picture.
const middle = 280

// walk makes a movie of 1280×720 pixels in which the sample person moves to and fro around x.
func walk(t testing.TB, frames, x int) string {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, sample.Image(), nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "walk.mp4")
	cmd := exec.Command("ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=gray:s=1280x720:r=30", "-f", "jpeg_pipe", "-i", "-",
		"-filter_complex", fmt.Sprintf("[1]scale=700:700,loop=-1:1:0[a];[0][a]overlay=x='%d+150*sin(2*t)':y='10+8*sin(5*t)'", x), "-frames:v", fmt.Sprint(frames),
		"-c:v", "libx264", "-preset", "medium", "-pix_fmt", "yuv420p", path)
	cmd.Stdin = &picture
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// BenchmarkExtract extracts a 720p movie. With Fast, which runs one network once a frame, it holds
// that against what decoding and the network alone allow on the same cores: with D and R frames a
// second of either alone, on all cores, the bound is 1 / (1/D + 1/R). It holds a movie of nobody against it.
func BenchmarkExtract(b *testing.B) {
	library := ortkit.Library(b)
	const n = 240
	path, room := walk(b, n, middle), walk(b, n, 2000)
	for name, open := range map[string]func(pose.Options) (*pose.Estimator, error){"balanced": pose.Balanced, "fast": pose.Fast} {
		b.Run(name, func(b *testing.B) {
			est, err := open(pose.Options{Options: onnxruntime.Options{Library: library}})
			if err != nil {
				b.Fatal(err)
			}
			defer est.Close()
			graph := ortkit.Graph(b, full.Model().ONNX, 1, "landmarks", "person", "heatmap")
			var decoding, network, extraction, nobody time.Duration
			extract := func(path string) {
				seq, _, err := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}, FindOptions: motion.FindOptions{Uncleaned: true}}.File(b.Context(), path)
				if err != nil || seq.Len() != n {
					b.Fatalf("%d frames (%v)", seq.Len(), err)
				}
			}
			for b.Loop() {
				decoding += timed(func() { decodeAll(b, path) })
				network += timed(func() { runAll(b, graph, n) })
				extraction += timed(func() { extract(path) })
				nobody += timed(func() { extract(room) })
			}
			frames := float64(n * b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(frames/extraction.Seconds(), "frames/s")
			b.ReportMetric(nobody.Seconds()/extraction.Seconds(), "nobody/somebody")
			if name == "fast" {
				b.ReportMetric(frames/(decoding+network).Seconds(), "bound-frames/s")
				b.ReportMetric((decoding+network).Seconds()/extraction.Seconds(), "of-bound")
			}
		})
	}
}

func timed(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

func decodeAll(b *testing.B, path string) {
	for range pictures(b, path) {
	}
}

// runAll runs the network n times, on as many goroutines as there are cores.
func runAll(b *testing.B, g *ort.Graph, n int) {
	jobs := make(chan struct{}, n)
	for range n {
		jobs <- struct{}{}
	}
	close(jobs)
	var work sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			for range jobs {
				err := g.Use([]int64{1, 256, 256, 3}, [][]int64{{1, 195}, {1, 1}, {1, 39, 64, 64}}, func(r *ort.Run) error { return r.Do(b.Context()) })
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	work.Wait()
}
