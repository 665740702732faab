package ffexec

import "os"

// pipeSize is the capacity of a pipe for pictures, bytes. It needs fewer context switches than
// the usual 64 KiB.
const pipeSize = 1 << 20

// Pipe returns the ends of a pipe for pictures.
func Pipe() (r, w *os.File, err error) {
	if r, w, err = os.Pipe(); err == nil {
		enlarge(w, pipeSize)
	}
	return r, w, err
}
