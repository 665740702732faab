package testkit

import (
	"errors"
	"syscall"
	"testing"
)

// Disk mounts a small disk for the time of the test, such as one with "size=4m", and returns its folder. Only root may, and not
// in every container: nothing can install that.
func Disk(t testing.TB, options string) string {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		SkipMachine(t, SmallDisk, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}
