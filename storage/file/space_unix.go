//go:build linux || darwin || freebsd

package file

import (
	"errors"
	"os"
	"syscall"
)

// noSpace are the errors of a full disk.
var noSpace = []error{syscall.ENOSPC, syscall.EDQUOT}

// freeSpace returns the number of bytes that an ordinary user may still write in a folder.
func freeSpace(root *os.Root) (free int64, err error) {
	dir, err := root.Open(".")
	if err != nil {
		return 0, err
	}
	defer dir.Close()
	conn, err := dir.SyscallConn()
	if err != nil {
		return 0, err
	}
	var stat syscall.Statfs_t
	var failed error
	err = conn.Control(func(fd uintptr) { failed = syscall.Fstatfs(int(fd), &stat) })
	return int64(stat.Bavail) * int64(stat.Bsize), errors.Join(err, failed)
}
