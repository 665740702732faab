package ffexec

import (
	"runtime"
	"strconv"
)

// Threads returns the arguments that hold a codec of ffmpeg to the cores that this process
// may use, where they are fewer than the machine has, as in a container with a limit. FFmpeg
// sees all of them: x264 would take up to 34 threads, and 1 GB for a movie of 1920×1080.
// Anywhere else there are none, and FFmpeg chooses.
func Threads() []string {
	if n := runtime.GOMAXPROCS(0); n < runtime.NumCPU() {
		return []string{"-threads", strconv.Itoa(n)}
	}
	return nil
}
