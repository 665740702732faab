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
	b, failed := f.Stat()
	return path, err == nil && failed == nil && os.SameFile(a, b) && os.Remove(f.Name()) == nil
}
