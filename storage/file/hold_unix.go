//go:build linux || darwin || freebsd

package file

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// hold locks a new file until release is called or the process ends, however it does. ok is false if Sweep was faster and
// removes the file. Where the file system has no locks, the age of the file counts.
func hold(root *os.Root, name string) (release func(), ok bool) {
	f, err := root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return func() {}, !errors.Is(err, fs.ErrNotExist)
	}
	release = func() { f.Close() }
	switch err := lock(f); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		release()
		return nil, false
	case err != nil:
		return release, true
	}
	mine, err := f.Stat()
	there, gone := root.Stat(name)
	if err != nil || gone != nil || !os.SameFile(mine, there) {
		release()
		return nil, false
	}
	return release, true
}

// removeUnheld removes a file that nobody holds.
func removeUnheld(root *os.Root, name string) error {
	f, err := root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if lock(f) != nil {
		return nil
	}
	return root.Remove(name)
}

func lock(f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) { failed = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) })
	return errors.Join(err, failed)
}
