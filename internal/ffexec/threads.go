package ffexec

import (
	"runtime"
	"strconv"
)

// Threads returns arguments that limit ffmpeg's codecs to the cores that this process may use, if
// the machine has more, as in a container: FFmpeg would start threads for all of them.
func Threads() []string {
	if n := runtime.GOMAXPROCS(0); n < runtime.NumCPU() {
		return []string{"-threads", strconv.Itoa(n)}
	}
	return nil
}
