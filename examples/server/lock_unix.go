//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock takes a file for this process, until it ends, however it ends.
func lock(path string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%s belongs to another server that runs", path)
		}
		return nil, err
	}
	return f.Close, nil
}
