//go:build unix

package fftest

import (
	"runtime"
	"syscall"
)

// peakMemory returns the peak memory of this process and of the largest program that it ran, bytes.
func peakMemory() (self, children int64) {
	of := func(who int) int64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return 0
		}
		if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
			return int64(u.Maxrss) // in bytes there
		}
		return int64(u.Maxrss) << 10
	}
	return of(syscall.RUSAGE_SELF), of(syscall.RUSAGE_CHILDREN)
}
