// Package ffexec is what inference/ffmpeg and draw/mp4 share: it recognises containers, asks
// ffprobe about files, and makes the files that FFmpeg reads.
package ffexec

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// Media is a local file and its demuxer.
type Media struct {
	Path    string // absolute
	Demuxer string // as Demuxer names it
}

// Input returns the arguments with which ffmpeg opens the file, with this demuxer only and the protocol of local files only.
func (m Media) Input() []string {
	return []string{"-protocol_whitelist", "file,pipe", "-f", m.Demuxer, "-i", "file:" + m.Path}
}

// Headers are the arguments that ask ffprobe for the headers of all streams as JSON. All ask the same, so that one answer serves them.
var Headers = []string{
	"-show_entries",
	"stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate,nb_frames,duration,color_range,color_space,pix_fmt" +
		":stream_disposition=default,attached_pic,timed_thumbnails,still_image:stream_side_data=rotation:stream_tags=creation_time:format=duration:format_tags=creation_time,com.apple.quicktime.creationdate", "-of", "json",
}

// Memory is what a program may allocate by default, bytes.
const Memory = 512 << 20

// Probe runs ffprobe on the file and returns what it wrote to the last of the writers that fresh makes. It may allocate a quarter of memory
// (bytes; 0: no limit), because it decodes a few frames at most: good movies of 4K need 60 MB. Without memory it may leave out most of a
// movie and exit with status 0, so after any complaint it is asked again with half of memory. If it still complains and its answer is
// another one, it needs more: that is an error, as it is if it fails the first time because of memory: small files can have headers that
// cost gigabytes. Errors have FFmpeg's words. One of more than cpu (0: no limit) wraps os.ErrDeadlineExceeded.
func Probe[W io.Writer](ctx context.Context, m Media, runner program.Runner, memory int64, cpu time.Duration, fresh func() W, args ...string) (W, error) {
	share := memory / 4
	out, first, err := probe(ctx, m, runner, share, cpu, fresh(), args)
	starved := first.failed && (first.NoMemory || errors.Is(err, program.ErrMemory))
	if share <= 0 || starved || first.quiet() || ctx.Err() != nil || settled(err) {
		return out, first.error(ctx, err)
	}
	out, again, err := probe(ctx, m, runner, memory/2, cpu, fresh(), args)
	if !again.quiet() && !bytes.Equal(first.said.Sum(nil), again.said.Sum(nil)) {
		again.NoMemory = true
	}
	return out, again.error(ctx, err)
}

// look is how a run of ffprobe went.
type look struct {
	Tail
	media  Media
	memory int64
	said   hash.Hash // of its answer
	failed bool
}

func probe[W io.Writer](ctx context.Context, m Media, runner program.Runner, memory int64, cpu time.Duration, out W, args []string) (W, *look, error) {
	l := &look{media: m, memory: memory, said: sha256.New()}
	args = slices.Concat([]string{"-v", "error", "-protocol_whitelist", "file,pipe", "-f", m.Demuxer}, args, []string{"file:" + m.Path})
	err := runner.Run(ctx, program.Command{
		Program: "ffprobe", Args: args,
		Stdout: io.MultiWriter(l.said, out), Stderr: &l.Tail, ReadFiles: []string{m.Path}, Memory: memory, CPU: cpu,
	})
	l.failed = err != nil
	return out, l, err
}

// settled reports whether err says all: FFmpeg has no words for it, and asking again would not help.
func settled(err error) bool {
	return errors.Is(err, program.ErrNotFound) || errors.Is(err, os.ErrDeadlineExceeded)
}

// quiet reports whether ffprobe had nothing to complain of.
func (l *look) quiet() bool { return !l.failed && len(l.buf) == 0 }

func (l *look) error(ctx context.Context, err error) error {
	if ctx.Err() != nil || settled(err) || err == nil && !l.NoMemory {
		return err
	}
	return errors.New(l.media.Reason(l.Tail, l.memory, err))
}

// Reason says why a program failed: it needs more memory than it was given, or the file was cut off. Otherwise it returns the last
// line of the standard error without the file's path, or the text of err if there is no line.
func (m Media) Reason(stderr Tail, memory int64, err error) string {
	if stderr.NoMemory || errors.Is(err, program.ErrMemory) {
		if memory <= 0 {
			return "FFmpeg gets no memory for it"
		}
		return fmt.Sprintf("FFmpeg needs more than %d MB of memory for it", memory>>20)
	}
	if strings.Contains(stderr.String(), "moov atom not found") {
		return "the file is incomplete: the index at its end is missing, as where recording or copying it was cut off"
	}
	lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	last = strings.TrimPrefix(strings.TrimPrefix(strings.ReplaceAll(last, m.Path, ""), "file:"), ": ")
	if last == "" {
		return "FFmpeg says: " + err.Error()
	}
	return "FFmpeg says: " + last
}

// maxAnswer is the largest answer of ffprobe, bytes.
const maxAnswer = 1 << 20

// Answer holds an answer of ffprobe. It refuses more than 1 MiB.
type Answer struct{ bytes.Buffer }

func (a *Answer) Write(p []byte) (int, error) {
	if a.Len()+len(p) > maxAnswer {
		return 0, errors.New("ffprobe answers too much")
	}
	return a.Buffer.Write(p)
}

// Tail keeps the last bytes written to it, for error messages. It is not safe for concurrent use.
type Tail struct {
	buf      []byte
	NoMemory bool // whether any line said that the program got no memory
}

// noMemory are FFmpeg's words for it: of Linux, of WebAssembly, and of the index of an MP4.
var noMemory = []string{"Cannot allocate memory", "Out of memory", "Cannot add index entry"}

const tailSize = 4 << 10

func (t *Tail) Write(p []byte) (int, error) {
	n := len(p)
	for _, words := range noMemory {
		t.NoMemory = t.NoMemory || bytes.Contains(p, []byte(words))
	}
	if n > tailSize {
		p = p[n-tailSize:]
	}
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return n, nil
}

func (t *Tail) String() string { return string(t.buf) }

// maxThreads bounds the threads of a codec, because each takes memory for pictures and a stack.
const maxThreads = 8

// Threads returns arguments that limit ffmpeg's codecs and filters to the cores that this process
// may use, and to 8, if the machine has more: FFmpeg would start threads for all of them.
func Threads() []string { return threads(runtime.GOMAXPROCS(0), runtime.NumCPU()) }

func threads(usable, cores int) []string {
	n := min(usable, maxThreads)
	if n >= cores {
		return nil
	}
	return []string{"-threads", strconv.Itoa(n), "-filter_threads", strconv.Itoa(n)}
}
