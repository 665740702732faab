package fftest_test

import (
	"image"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
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
