//go:build !linux

package program

import (
	"os/exec"
	"runtime"
)

// limitMemory watches a program, because this system cannot limit one that is already running.
func limitMemory(cmd *exec.Cmd, bytes int64) (exceeded func() bool) {
	if runtime.GOOS == "windows" {
		return func() bool { return false }
	}
	return watchMemory(cmd, bytes)
}
