package file

import (
	"bytes"
	"context"
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

func (b *blobs) Check(context.Context) error { return b.check() }

func (b *blobs) check() error {
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
	b    *blobs
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

const (
	chunk     = 256 << 10 // bytes that are read, written and summed at a time
	syncAfter = 32 << 20  // bytes that are written before they are synced
)

// fill writes the content of r to a file through w, syncs the file and returns the MD5. MD5 is slower than most disks: a
// goroutine sums one chunk while the next one is read and written, and another one syncs former chunks.
func fill(f *os.File, w io.Writer, r io.Reader) (sum [md5.Size]byte, err error) {
	hash := md5.New()
	written, free, summed := make(chan *bytes.Buffer, 2), make(chan *bytes.Buffer, 3), make(chan struct{})
	for range cap(free) {
		free <- new(bytes.Buffer)
	}
	go func() {
		defer close(summed)
		for buf := range written {
			hash.Write(buf.Bytes())
			free <- buf
		}
	}()
	var sync syncer
	for since, ended := 0, false; err == nil && !ended; {
		buf := <-free
		buf.Reset()
		_, err = buf.ReadFrom(io.LimitReader(r, chunk))
		ended = buf.Len() < chunk
		if err == nil {
			_, err = w.Write(buf.Bytes())
		}
		if since += buf.Len(); since >= syncAfter {
			since = 0
			sync.begin(f)
		}
		written <- buf
	}
	close(written)
	<-summed
	hash.Sum(sum[:0])
	syncErr := sync.wait() // in any case: its goroutine uses the file
	if err == nil && syncErr == nil {
		syncErr = f.Sync()
	}
	return sum, errors.Join(err, full(syncErr))
}

// syncer syncs a file in a goroutine, one call at a time. The zero value is ready to use.
type syncer struct{ done chan error }

// begin begins a sync unless one is running.
func (s *syncer) begin(f *os.File) {
	if s.done != nil && len(s.done) == 0 {
		return
	}
	failed := s.wait()
	s.done = make(chan error, 1)
	go func() { s.done <- errors.Join(failed, f.Sync()) }()
}

// wait waits for the running sync and returns the errors of all. None may be lost: a system may report a failed write only once.
func (s *syncer) wait() error {
	if s.done == nil {
		return nil
	}
	err := <-s.done
	s.done = nil
	return err
}
