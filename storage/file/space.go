package file

import (
	"errors"
	"fmt"

	"github.com/bodymotion/motion/storage"
)

// spaceStep is how many bytes are written between two looks at the free space.
const spaceStep = 8 << 20

// defaultMinFree is Options.MinFree where that is 0.
const defaultMinFree = 64 << 20

// space tells how many bytes are free where the blobs lie, and whether the system can tell.
type space func() (free int64, ok bool, err error)

// check returns storage.ErrUnavailable where less than MinFree is free.
func (b *Blobs) check() error {
	if b.minFree < 0 {
		return nil
	}
	free, ok, err := b.space()
	if err != nil {
		return err
	}
	if ok && free < b.minFree {
		return fmt.Errorf("%w: %d bytes are free on the disk, and %d are to stay so", storage.ErrUnavailable, free, b.minFree)
	}
	return nil
}

// writer writes to a file and looks at the free space on the way.
type writer struct {
	file interface{ Write([]byte) (int, error) }
	b    *Blobs
	next int64 // bytes until the next look
}

func (w *writer) Write(p []byte) (int, error) {
	if w.next -= int64(len(p)); w.next < 0 {
		w.next = spaceStep
		if err := w.b.check(); err != nil {
			return 0, err
		}
	}
	n, err := w.file.Write(p)
	return n, full(err)
}

// full makes storage.ErrUnavailable of the errors that say that the disk, or what the user
// may have of it, is used up.
func full(err error) error {
	if err == nil || errors.Is(err, storage.ErrUnavailable) {
		return err
	}
	for _, code := range noSpace {
		if errors.Is(err, code) {
			return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
		}
	}
	return err
}
