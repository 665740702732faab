package storage

import "os"

// Local is an optional interface of a Blob that is a local file, which programs such as
// FFmpeg then read by its name instead of from a copy.
type Local interface {
	// File returns the open file. It belongs to the Blob: do not close it.
	File() *os.File
}
