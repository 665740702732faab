package fftest_test

import (
	"context"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/bodymotion/motion/examples/internal/fftest"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// TestMemory tests that this process's memory stays small, whatever the length of a 1080p movie.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes 3,000 frames of 1080p, not run with -short")
	}
	first := clip(t, "1920x1080", "300", "ultrafast")
	peaks := map[int]uint64{}
	for _, frames := range []int{300, 900, 1800} {
		path := first
		if frames > 300 {
			path = filepath.Join(t.TempDir(), "long.mp4")
			out, err := exec.Command("ffmpeg", "-loglevel", "error", "-stream_loop", strconv.Itoa(frames/300-1), "-i", first, "-c", "copy", path).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		runtime.GC()
		n := 0
		decoded := drain(t, path, func(image.Image) {
			if n++; n%20 == 0 {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peaks[frames] = max(peaks[frames], m.Sys-m.HeapReleased)
			}
		})
		if decoded != frames {
			t.Errorf("%d frames, want %d", decoded, frames)
		}
		t.Logf("%d frames: %d MB", frames, peaks[frames]>>20)
	}
	if peaks[1800] > 150<<20 || peaks[1800] > peaks[300]+20<<20 {
		t.Errorf("%d MB with 300 frames, %d MB with 1800", peaks[300]>>20, peaks[1800]>>20)
	}
}

// manyCores is a Runner on a machine with many cores: FFmpeg uses as many threads as it is allowed.
type manyCores struct{ program.Runner }

func (m manyCores) Run(ctx context.Context, c program.Command) error {
	if c.Program == "ffmpeg" {
		c.Args = append([]string{"-threads", "8", "-filter_threads", "8"}, c.Args...)
	}
	return m.Runner.Run(ctx, c)
}

// TestLargest decodes movies just below the limits of the service, in the limit of memory.
func TestLargest(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes 7,000 frames, not run with -short")
	}
	for name, args := range map[string]string{
		"h264.mp4": "-c:v libx264 -preset ultrafast -refs 4 -bf 3 -pix_fmt yuv420p",
		"hevc.mp4": "-c:v libx265 -preset ultrafast -pix_fmt yuv420p -x265-params log-level=none",
		"vp9.webm": "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1",
		"av1.mp4":  "-c:v libaom-av1 -usage realtime -cpu-used 8 -row-mt 1",
	} {
		t.Run(name, func(t *testing.T) {
			part := movie(t, name, append(strings.Fields("-f lavfi -i testsrc2=size=1672x1254:rate=30 -frames:v 30"), strings.Fields(args)...)...)
			path := movie(t, name, strings.Fields("-stream_loop 59 -i "+part+" -c copy -frames:v 1799")...)
			d := ffmpeg.Decoder{Runner: manyCores{program.Installed{}}}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if info, err := d.Probe(t.Context(), f); err != nil || info.Frames != 1799 || info.Size != image.Pt(1672, 1254) {
				t.Errorf("%+v (%v)", info, err)
			}
			if _, frames, err := fftest.Decode(t, d, path); err != nil || len(frames) != 1799 {
				t.Errorf("%d frames (%v)", len(frames), err)
			}
		})
	}
}
