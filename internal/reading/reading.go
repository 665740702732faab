// Package reading guards against the readers that callers give.
package reading

import (
	"fmt"
	"io"

	"github.com/bodymotion/motion/keypoint"
)

// patience is how often in a row a reader may return nothing, as in package bufio.
const patience = 100

type reader struct {
	io.Reader
	idle int // how often it has returned nothing
}

// Of returns a reader of r's content that always ends: if r is nil, its error is a keypoint.ErrInvalid, and if r keeps
// returning neither content nor an error, io.ErrNoProgress.
func Of(r io.Reader) io.Reader { return &reader{Reader: r} }

func (r *reader) Read(p []byte) (int, error) {
	if r.Reader == nil {
		return 0, fmt.Errorf("%w reader: it is nil", keypoint.ErrInvalid)
	}
	n, err := r.Reader.Read(p)
	if n > 0 || err != nil || len(p) == 0 {
		r.idle = 0
		return n, err
	}
	if r.idle++; r.idle >= patience {
		return 0, io.ErrNoProgress
	}
	return 0, nil
}
