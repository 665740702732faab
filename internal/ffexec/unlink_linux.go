package ffexec

import (
	"fmt"
	"os"
)

// unlink removes the name of an open file and returns a path under which other programs of the
// same user can open it until it is closed. If that does not work, the file keeps its name.
func unlink(f *os.File) (path string, ok bool) {
	path = fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), f.Fd())
	again, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer again.Close()
	a, err := again.Stat()
	if err != nil {
		return "", false
	}
	b, err := f.Stat()
	if err != nil || !os.SameFile(a, b) {
		return "", false
	}
	return path, os.Remove(f.Name()) == nil
}
