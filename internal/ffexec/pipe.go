package ffexec

import "os"

// pipeSize is the capacity of a pipe for pictures, in bytes, where the system lets it
// be chosen: fewer switches between the two processes than the usual 64 KiB.
const pipeSize = 1 << 20

// Pipe returns the two ends of a pipe that is large enough for pictures.
func Pipe() (r, w *os.File, err error) {
	if r, w, err = os.Pipe(); err == nil {
		enlarge(w, pipeSize)
	}
	return r, w, err
}
