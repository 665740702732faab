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

// Media is a local file with the demuxer that reads it.
type Media struct {
	Path    string // absolute
	Demuxer string // as Demuxer names it
}

// Input returns the arguments that open the file for ffmpeg: with this demuxer and no
// other, and with no protocol but that of local files.
func (m Media) Input() []string {
	return []string{"-protocol_whitelist", "file,pipe", "-f", m.Demuxer, "-i", "file:" + m.Path}
}

// Probe runs ffprobe on the file and hands its answer to out. An error of the program
// is told in the words of FFmpeg.
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

// Reason returns the last line of what a program said, without the file's path; that of
// err where it said nothing.
func (m Media) Reason(stderr string, err error) string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	last = strings.TrimPrefix(strings.ReplaceAll(last, m.Path, ""), "file:: ")
	if last == "" {
		return err.Error()
	}
	return last
}

// maxAnswer is how much ffprobe may answer, in bytes.
const maxAnswer = 1 << 20

// Answer keeps what ffprobe answers. It refuses more than one MiB.
type Answer struct{ bytes.Buffer }

// Write implements io.Writer.
func (a *Answer) Write(p []byte) (int, error) {
	if a.Len()+len(p) > maxAnswer {
		return 0, errors.New("ffprobe answers too much")
	}
	return a.Buffer.Write(p)
}
