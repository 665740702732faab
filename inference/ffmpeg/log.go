package ffmpeg

import (
	"bytes"
	"math"
	"strconv"
	"sync"

	"github.com/bodymotion/motion/internal/ffexec"
)

// log reads FFmpeg's standard error: one line with the time of each frame, which a filter writes, and warnings of
// damage. It keeps the end of everything else for error messages. One goroutine writes to it, others read.
type log struct {
	mu     sync.Mutex
	change sync.Cond

	line  []byte    // not complete yet
	seen  int       // frames whose time is known
	first int       // number of the frame that FFmpeg calls 0
	times []float64 // not yet returned, seconds; NaN: unknown
	ended bool

	damaged   int  // frames decoded with errors
	truncated bool // the file ends before its content does
	tail      ffexec.Tail
}

func newLog() *log {
	l := &log{}
	l.change.L = &l.mu
	return l
}

const (
	maxLine  = 1 << 10 // bytes; longer lines are cut
	maxTimes = 1 << 16 // not yet returned; more are dropped

	timeBase = 1_000_000 // units per second
)

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(p)
	for {
		end := bytes.IndexAny(p, "\r\n")
		part := p
		if end >= 0 {
			part = p[:end]
		}
		l.line = append(l.line, part[:min(len(part), maxLine-len(l.line))]...)
		if end < 0 {
			return n, nil
		}
		l.endLine()
		p = p[end+1:]
	}
}

func (l *log) endLine() {
	line := l.line
	l.line = l.line[:0]
	if l.frame(line) {
		return
	}
	switch {
	case len(line) == 0, string(line) == "m=1":
		return
	case bytes.Contains(line, []byte("corrupt decoded frame")):
		l.damaged++
	case bytes.Contains(line, []byte("partial file")), bytes.Contains(line, []byte("ended prematurely")):
		l.truncated = true
	}
	l.tail.Write(append(line, '\n'))
}

// frame reads a line of the metadata filter such as
//
//	frame:3    pts:120000  pts_time:0.12
//
// and reports whether it is one. It may follow the start of a message, which FFmpeg writes in parts.
func (l *log) frame(line []byte) bool {
	at := bytes.LastIndex(line, []byte("frame:"))
	if at < 0 {
		return false
	}
	words := bytes.Fields(line[at:])
	if len(words) != 3 || !bytes.HasPrefix(words[2], []byte("pts_time:")) {
		return false
	}
	number, err := strconv.Atoi(string(words[0][len("frame:"):]))
	pts, ok := bytes.CutPrefix(words[1], []byte("pts:"))
	if err != nil || !ok {
		return false
	}
	t := math.NaN()
	if v, err := strconv.ParseInt(string(pts), 10, 64); err == nil {
		t = float64(v) / timeBase
	}
	if number == 0 {
		l.first = l.seen // FFmpeg counts from 0 again when the pictures change their size
	}
	number += l.first
	if number < l.seen || number-l.seen > maxTimes-len(l.times)-1 {
		return true // not FFmpeg's, or never read
	}
	for ; l.seen < number; l.seen++ { // their lines were lost
		l.times = append(l.times, math.NaN())
	}
	l.seen++
	l.times = append(l.times, t)
	l.change.Broadcast()
	return true
}

func (l *log) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.endLine()
	l.ended = true
	l.change.Broadcast()
}

// time waits for the time of the next frame; ok is false if it is unknown.
func (l *log) time() (seconds float64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.times) == 0 && !l.ended {
		l.change.Wait()
	}
	if len(l.times) == 0 {
		return 0, false
	}
	seconds = l.times[0]
	l.times = append(l.times[:0], l.times[1:]...)
	return seconds, !math.IsNaN(seconds)
}

func (l *log) findings() (damaged int, truncated bool, said ffexec.Tail) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.damaged, l.truncated, l.tail
}
