//go:build !linux

package program

import (
	"os/exec"
	"runtime"
)

// limitMemory watches a program where the system has no limit that holds for one that runs.
func limitMemory(cmd *exec.Cmd, bytes int64) (exceeded func() bool) {
	if runtime.GOOS == "windows" {
		return func() bool { return false }
	}
	return watchMemory(cmd, bytes)
}
