package ffexec

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/internal/reading"
)

// LocalPath returns the absolute path of the file of r, if r is an *os.File or has a method File() *os.File and the
// file still has its name. Otherwise it copies r from its start into a temporary file in dir ("": the system's),
// which remove removes. If the system allows it, the copy has no name and does not survive a crash.
func LocalPath(ctx context.Context, r io.ReadSeeker, dir string) (path string, remove func(), err error) {
	file, _ := r.(*os.File)
	if has, ok := r.(interface{ File() *os.File }); ok {
		file = has.File()
	}
	if path, ok := pathOf(file); ok {
		return path, func() {}, nil
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return "", nil, err
	}
	f, err := os.CreateTemp(dir, "motion-spool-*")
	if err != nil {
		return "", nil, err
	}
	remove = func() { f.Close() }
	path, ok := unlink(f)
	if !ok {
		path, err = filepath.Abs(f.Name())
		remove = func() {
			f.Close()
			os.Remove(f.Name())
		}
	}
	if err == nil {
		_, err = io.Copy(f, readerWithContext{ctx, reading.Of(r)})
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

// pathOf returns the path under which an open file can be opened again.
func pathOf(f *os.File) (string, bool) {
	if f == nil {
		return "", false
	}
	open, err := f.Stat()
	if err != nil || !open.Mode().IsRegular() {
		return "", false
	}
	named, err := os.Stat(f.Name())
	if err != nil || !os.SameFile(open, named) {
		return "", false
	}
	path, err := filepath.Abs(f.Name())
	return path, err == nil
}

type readerWithContext struct {
	ctx context.Context
	r   io.Reader
}

func (r readerWithContext) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
