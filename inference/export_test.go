package inference

import "io"

// For tests of every kind of picture, and of damaged headers.
var (
	Orient = orient
)

func ReadOrientation(r io.ReadSeeker, format string) (int, error) {
	return codecs[format].orientation(r)
}
