package ffexec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// ErrProgram is the kind of the error that says that ffmpeg or ffprobe is not there.
var ErrProgram = errors.New("the program is not installed")

// Exec runs the installed programs. The zero value looks them up in PATH.
type Exec struct {
	FFmpeg  string // path of ffmpeg, version 5.1 or newer; "" looks in PATH
	FFprobe string // path of ffprobe; "" looks in PATH
}

// killDelay is how long the pipes of a program that has ended are waited for.
const killDelay = 200 * time.Millisecond

// Run implements Runner. The program is killed when ctx ends.
func (e Exec) Run(ctx context.Context, c Command) error {
	name := c.Program
	if path := map[string]string{"ffmpeg": e.FFmpeg, "ffprobe": e.FFprobe}[c.Program]; path != "" {
		name = path
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%w: %s (%v); install FFmpeg 5.1 or newer and have it in PATH", ErrProgram, c.Program, err)
	}
	cmd := exec.CommandContext(ctx, path, c.Args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	cmd.WaitDelay = killDelay
	err = cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // it ended well, only its input was not read to the end
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Program, err)
	}
	return nil
}

// LocalPath returns the absolute path of what r reads when r is an *os.File or has a
// method File() *os.File; else it copies r from its start into a temporary file in
// dir. remove removes that file.
func LocalPath(ctx context.Context, r io.ReadSeeker, dir string) (path string, remove func(), err error) {
	file, ok := r.(*os.File)
	if has, can := r.(interface{ File() *os.File }); can {
		file, ok = has.File(), true
	}
	if ok {
		path, err = filepath.Abs(file.Name())
		return path, func() {}, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return "", nil, err
	}
	f, err := os.CreateTemp(dir, "motion-spool-*")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.Remove(f.Name()) }
	_, err = io.Copy(f, readerWithContext{ctx, r})
	if err = errors.Join(err, f.Close()); err != nil {
		remove()
		return "", nil, err
	}
	path, err = filepath.Abs(f.Name())
	return path, remove, err
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

// Tail keeps the last bytes that were written to it, for error messages. It is for one
// goroutine at a time.
type Tail struct{ buf []byte }

const tailSize = 4 << 10

// Write implements io.Writer.
func (t *Tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

// String returns what was kept.
func (t *Tail) String() string { return string(t.buf) }
