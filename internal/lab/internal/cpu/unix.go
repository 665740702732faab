//go:build unix

// Package cpu measures processor time.
package cpu

import (
	"syscall"
	"time"
)

// Time returns the CPU time of this process and of the child processes that have ended.
func Time() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}
