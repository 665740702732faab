//go:build !linux

package program

import (
	"os/exec"
	"runtime"
)

// limit watches the memory of a program, because this system cannot limit one that is already running.
func limit(cmd *exec.Cmd, c Command) (exceeded func() bool) {
	if runtime.GOOS == "windows" || c.Memory <= 0 {
		return func() bool { return false }
	}
	return watchMemory(cmd, c.Memory)
}
