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

	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fftest"
)

// TestMemory tests that this process's memory stays small, whatever the length of a 1080p movie.
func TestMemory(t *testing.T) {
	testkit.Thorough(t, "decodes 700 frames of 1080p")
	first := clip(t, "1920x1080", "100", "ultrafast")
	peaks := map[int]uint64{}
	for _, frames := range []int{100, 600} {
		path := first
		if frames > 100 {
			path = filepath.Join(t.TempDir(), "long.mp4")
			out, err := exec.Command("ffmpeg", "-loglevel", "error", "-stream_loop", strconv.Itoa(frames/100-1), "-i", first, "-c", "copy", path).CombinedOutput()
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
	if peaks[600] > 150<<20 || peaks[600] > peaks[100]+20<<20 {
		t.Errorf("%d MB with 100 frames, %d MB with 600", peaks[100]>>20, peaks[600]>>20)
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

// TestLargest decodes movies whose pictures are just below the limit of the service, in the limit of
// memory: more frames than any codec keeps. A movie of H.264 has the most frames too.
func TestLargest(t *testing.T) {
	testkit.Thorough(t, "decodes 2,000 large frames")
	for name, c := range map[string]struct {
		frames int
		args   string
	}{
		"h264.mp4": {1799, "-c:v libx264 -preset ultrafast -refs 4 -bf 3 -pix_fmt yuv420p"},
		"hevc.mp4": {90, "-c:v libx265 -preset ultrafast -pix_fmt yuv420p -x265-params log-level=none"},
		"vp9.webm": {90, "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1"},
		"av1.mp4":  {90, "-c:v libaom-av1 -usage realtime -cpu-used 8 -row-mt 1"},
	} {
		t.Run(name, func(t *testing.T) {
			part := movie(t, name, append(strings.Fields("-f lavfi -i testsrc2=size=1672x1254:rate=30 -frames:v 30"), strings.Fields(c.args)...)...)
			path := movie(t, name, strings.Fields("-stream_loop -1 -i "+part+" -c copy -frames:v "+strconv.Itoa(c.frames))...)
			d := ffmpeg.Decoder{Runner: manyCores{program.Installed{}}}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if info, err := d.Probe(t.Context(), f); err != nil || info.Frames != c.frames || info.Size != image.Pt(1672, 1254) {
				t.Errorf("%+v (%v)", info, err)
			}
			if _, frames, err := fftest.Decode(t, d, path); err != nil || len(frames) != c.frames {
				t.Errorf("%d frames (%v)", len(frames), err)
			}
		})
	}
}
