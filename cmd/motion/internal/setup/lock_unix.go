//go:build unix

package setup

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// patience is how long Lock waits for a file: where a process was killed while it started another program, the copy
// of it that was to become that program holds its files for a moment longer.
const patience = 3 * time.Second

// Lock takes a file for this process, until it ends, however it ends, or unlock is called. what names the other process in the error.
func Lock(path, what string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	take := func() error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
	err = take()
	for until := time.Now().Add(patience); errors.Is(err, syscall.EWOULDBLOCK) && time.Now().Before(until); err = take() {
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%s belongs to another %s that runs", path, what)
		}
		return nil, err
	}
	return f.Close, nil
}
