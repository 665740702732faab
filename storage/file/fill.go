package file

import (
	"context"
	"crypto/md5"
	"errors"
	"io"
	"os"

	"github.com/bodymotion/motion/storage"
)

const (
	chunk = 256 << 10 // bytes that are read, written and summed at a time
	ahead = 32 << 20  // bytes that are written before the disk is told to keep them
)

// fill writes what r has, at most limit bytes, to a file through w and syncs it. MD5 takes longer than
// most disks: while it sums, the next chunk is read and written, and the former ones are
// synced. It returns ErrTooLarge past the limit, ctx's error when it ends, and r's as it is.
func fill(ctx context.Context, f *os.File, w io.Writer, r io.Reader, limit int64) (size int64, sum [md5.Size]byte, err error) {
	hash := md5.New()
	written, free, summed := make(chan []byte, 2), make(chan []byte, 3), make(chan struct{})
	for range cap(free) {
		free <- nil // is made when it is used
	}
	go func() {
		defer close(summed)
		for p := range written {
			hash.Write(p)
			free <- p[:0]
		}
	}()
	var sync syncer
	for since := 0; err == nil; {
		var buf []byte
		if buf, err = read(ctx, r, <-free); len(buf) == 0 {
			break
		}
		if size += int64(len(buf)); size > limit {
			err = storage.ErrTooLarge
			break
		}
		_, writeErr := w.Write(buf)
		written <- buf
		if writeErr != nil {
			err = writeErr
		}
		if since += len(buf); since >= ahead {
			since = 0
			sync.begin(f)
		}
	}
	close(written)
	<-summed
	hash.Sum(sum[:0])
	if err == io.EOF {
		err = nil
	}
	syncErr := sync.wait() // also where all is in vain
	if err == nil && syncErr == nil {
		syncErr = f.Sync()
	}
	return size, sum, errors.Join(err, full(syncErr))
}

// read fills a buffer. It returns r's error, or ctx's, with what came before.
func read(ctx context.Context, r io.Reader, buf []byte) ([]byte, error) {
	if buf == nil {
		buf = make([]byte, 0, chunk)
	}
	for idle := 0; len(buf) < cap(buf); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err != nil {
			return buf, err
		}
		if idle++; n > 0 {
			idle = 0
		}
		if idle == 100 {
			return nil, io.ErrNoProgress
		}
	}
	return buf, nil
}

// syncer syncs a file in a goroutine, once at a time. The zero value is ready.
type syncer struct{ done chan error }

// begin begins a sync, where none is under way.
func (s *syncer) begin(f *os.File) {
	if s.done != nil && len(s.done) == 0 {
		return
	}
	failed := s.wait()
	s.done = make(chan error, 1)
	go func() { s.done <- errors.Join(failed, f.Sync()) }()
}

// wait returns what has become of all syncs. An error must not be lost: a system may tell
// only once that it could not write.
func (s *syncer) wait() error {
	if s.done == nil {
		return nil
	}
	err := <-s.done
	s.done = nil
	return err
}
