package ffexec

import (
	"runtime"
	"strconv"
)

// maxThreads bounds the threads of a codec, because each takes memory for pictures and a stack.
const maxThreads = 8

// Threads returns arguments that limit ffmpeg's codecs and filters to the cores that this process
// may use, and to 8, if the machine has more: FFmpeg would start threads for all of them.
func Threads() []string { return threads(runtime.GOMAXPROCS(0), runtime.NumCPU()) }

func threads(usable, cores int) []string {
	n := min(usable, maxThreads)
	if n >= cores {
		return nil
	}
	return []string{"-threads", strconv.Itoa(n), "-filter_threads", strconv.Itoa(n)}
}
