// Package ffexec is what inference/ffmpeg and draw/mp4 share: it recognises containers, asks
// ffprobe about files, and makes the files and pipes that FFmpeg reads and writes.
package ffexec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// Media is a local file and its demuxer.
type Media struct {
	Path    string // absolute
	Demuxer string // as Demuxer names it
}

// Input returns the arguments with which ffmpeg opens the file, with this demuxer only and the
// protocol of local files only.
func (m Media) Input() []string {
	return []string{"-protocol_whitelist", "file,pipe", "-f", m.Demuxer, "-i", "file:" + m.Path}
}

// Probe runs ffprobe on the file and writes its answer to out. Errors have FFmpeg's words.
func (m Media) Probe(ctx context.Context, runner program.Runner, out io.Writer, args ...string) error {
	var stderr Tail
	all := append([]string{"-v", "error", "-protocol_whitelist", "file,pipe", "-f", m.Demuxer}, args...)
	err := runner.Run(ctx, program.Command{
		Program: "ffprobe", Args: append(all, "file:"+m.Path),
		Stdout: out, Stderr: &stderr, ReadFiles: []string{m.Path},
	})
	if err == nil || ctx.Err() != nil || errors.Is(err, program.ErrNotFound) {
		return err
	}
	return fmt.Errorf("FFmpeg says: %s", m.Reason(stderr.String(), err))
}

// Reason returns the last line of a program's standard error, without the file's path, or the
// text of err if there is none.
func (m Media) Reason(stderr string, err error) string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	last = strings.TrimPrefix(strings.ReplaceAll(last, m.Path, ""), "file:: ")
	if last == "" {
		return err.Error()
	}
	return last
}

// maxAnswer is the largest answer of ffprobe, bytes.
const maxAnswer = 1 << 20

// Answer holds an answer of ffprobe. It refuses more than 1 MiB.
type Answer struct{ bytes.Buffer }

// Write implements io.Writer.
func (a *Answer) Write(p []byte) (int, error) {
	if a.Len()+len(p) > maxAnswer {
		return 0, errors.New("ffprobe answers too much")
	}
	return a.Buffer.Write(p)
}
