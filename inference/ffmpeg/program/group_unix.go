//go:build unix

package program

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup starts the program in its own process group, which is killed as a whole. An
// interrupt typed at the terminal does not reach the program; this process ends it.
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
