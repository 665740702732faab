//go:build unix

package ffexec

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup starts the program in a process group of its own, which is killed as a whole.
// A key that interrupts this process at a terminal does not reach the program: its end
// is this process's business.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
