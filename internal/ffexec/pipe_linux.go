package ffexec

import (
	"os"
	"syscall"
)

// setPipeSize is F_SETPIPE_SZ of fcntl(2).
const setPipeSize = 1031

// enlarge asks for a larger pipe. If the system refuses, the pipe stays as it is.
func enlarge(pipe *os.File, size int) {
	if c, err := pipe.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) {
			_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, uintptr(size))
		})
	}
}
