//go:build unix

package motion_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
)

// BenchmarkDrawMovie holds the drawing of a 720p movie, from the request to the finished
// file, against ffmpeg alone re-encoding it with the same settings, in turns: a made movie
// with a plain background, which is the easiest to encode; a recording at the 12 Mbit/s at
// which the cameras of phones record; and one at 0.5 Mbit/s, as sites deliver them, which
// takes little to decode, as it is and twice in a row. With -short the made and the camera's movies are
// short, and the others left out. of-ffmpeg is the median of the turns' ratios of time, and
// of-ffmpeg's-processor the ratio of processor time, that of all processes, which other
// work on the machine disturbs less.
func BenchmarkDrawMovie(b *testing.B) {
	frames := 600
	if testing.Short() {
		frames = 60
	}
	b.Run("made", func(b *testing.B) { benchmarkDrawMovie(b, walk(b, frames, middle)) })
	b.Run("camera", func(b *testing.B) {
		benchmarkDrawMovie(b, movie(b, "-stream_loop", "-1", "-i", testkit.Data(b, "videos/sports2d_demo/video.mp4"), "-an",
			"-vf", "scale=1280:720", "-frames:v", strconv.Itoa(frames), "-c:v", "libx264", "-preset", "veryfast", "-b:v", "12M", "-pix_fmt", "yuv420p"))
	})
	if testing.Short() {
		return
	}
	recording := testkit.Data(b, "videos/sports2d_lateral_raise/video.mp4")
	b.Run("recording", func(b *testing.B) { benchmarkDrawMovie(b, recording) })
	b.Run("twice", func(b *testing.B) {
		benchmarkDrawMovie(b, movie(b, "-stream_loop", "1", "-i", recording, "-c", "copy"))
	})
}

func benchmarkDrawMovie(b *testing.B, path string) {
	ffmpeg := withFFmpeg(b)
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	s := host.New().Service(b, func(c *motion.Config) {
		ffmpeg(c)
		c.Encoder = mp4.Encoder{}
	})
	host.Run(b, s)
	e := extractMovie(b, s, data)
	seq, err := e.Sequence()
	if err != nil {
		b.Fatal(err)
	}
	alone := func(b *testing.B) {
		out := filepath.Join(b.TempDir(), "alone.mp4")
		cmd := exec.Command("ffmpeg", "-loglevel", "error", "-i", path, "-c:v", "libx264", "-preset", "veryfast", "-crf", "20",
			"-pix_fmt", "yuv420p", "-fps_mode", "passthrough", "-c:a", "copy", "-map_metadata", "-1", "-movflags", "+faststart", out)
		if msg, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, msg)
		}
	}
	drawing := func(b *testing.B, background *draw.Background) {
		d, err := s.DrawKeypoints(b.Context(), host.Owner, motion.DrawRequest{KeypointID: e.ID, Background: background})
		if err != nil {
			b.Fatal(err)
		}
		host.Wait(b, s, storage.Drawings, d.ID, storage.Success)
	}
	for name, background := range map[string]*draw.Background{"annotated": nil, "skeletonOnly": {SkeletonOnly: true}} {
		b.Run(name, func(b *testing.B) {
			var theirs, ours, theirWork, ourWork time.Duration
			var ratios []float64
			for b.Loop() {
				start := processorTime(b)
				t := timed(func() { alone(b) })
				between := processorTime(b)
				o := timed(func() { drawing(b, background) })
				theirs, ours = theirs+t, ours+o
				theirWork, ourWork = theirWork+between-start, ourWork+processorTime(b)-between
				ratios = append(ratios, t.Seconds()/o.Seconds())
			}
			slices.Sort(ratios)
			frames := float64(seq.Len() * b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(frames/ours.Seconds(), "frames/s")
			b.ReportMetric(frames/theirs.Seconds(), "ffmpeg-frames/s")
			b.ReportMetric(ratios[len(ratios)/2], "of-ffmpeg")
			b.ReportMetric(theirWork.Seconds()/ourWork.Seconds(), "of-ffmpeg's-processor")
		})
	}
}

// processorTime is what this process and those that it started have used, those that have
// ended.
func processorTime(b *testing.B) time.Duration {
	var sum int64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		sum += u.Utime.Nano() + u.Stime.Nano()
	}
	return time.Duration(sum)
}
