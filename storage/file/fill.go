package file

import (
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/bodymotion/motion/storage"
)

// spaceStep is the number of bytes written between two checks of the free space.
const spaceStep = 8 << 20

// check returns storage.ErrUnavailable if less than MinFree is free.
func (b *Blobs) check() error {
	if b.minFree < 0 {
		return nil
	}
	free, err := b.space()
	if err == nil && free < b.minFree {
		err = fmt.Errorf("%w: the disk has %d bytes free, and %d must stay free", storage.ErrUnavailable, free, b.minFree)
	}
	return err
}

// writer writes to a file and checks the free space now and then.
type writer struct {
	file io.Writer
	b    *Blobs
	next int64 // bytes until the next check
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

// full gives the errors of a full disk or an exceeded quota the kind storage.ErrUnavailable.
func full(err error) error {
	if err == nil || errors.Is(err, storage.ErrUnavailable) {
		return err
	}
	if slices.ContainsFunc(noSpace, func(code error) bool { return errors.Is(err, code) }) {
		return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
	}
	return err
}

// chunk is the number of bytes that are read, written and summed at a time.
const chunk = 256 << 10

// fill writes the content of r to a file through w, syncs the file and returns the MD5.
func fill(f *os.File, w io.Writer, r io.Reader) (sum [md5.Size]byte, err error) {
	hash := md5.New()
	if _, err = io.CopyBuffer(io.MultiWriter(w, hash), r, make([]byte, chunk)); err == nil {
		err = full(f.Sync())
	}
	hash.Sum(sum[:0])
	return sum, err
}
