//go:build unix

package setup

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Lock takes a file for this process, until it ends, however it ends, or unlock is called. what names
// the other process in the error.
func Lock(path, what string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%s belongs to another %s that runs", path, what)
		}
		return nil, err
	}
	return f.Close, nil
}
