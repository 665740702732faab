package ffmpeg

import (
	"bytes"
	"math"
	"strconv"
	"sync"

	"github.com/bodymotion/motion/internal/ffexec"
)

// log reads what FFmpeg writes to standard error while it decodes: the times of the
// frames, which its showinfo filter writes, a line a frame, and the signs of damage. It
// keeps the end of all else for error messages. One goroutine writes to it, others ask.
type log struct {
	mu     sync.Mutex
	change sync.Cond

	line     []byte    // not complete yet
	timeBase float64   // seconds
	times    []float64 // of the frames that were not asked for yet; NaN for one without
	ended    bool

	damaged   int  // frames that were decoded with faults
	truncated bool // the file ends before its content does
	tail      ffexec.Tail
}

func newLog() *log {
	l := &log{}
	l.change.L = &l.mu
	return l
}

const (
	maxLine  = 1 << 10 // bytes; a line is cut there
	maxTimes = 1 << 16 // that wait to be asked for; more are dropped
)

// Write implements io.Writer.
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
	if rest, ok := bytes.CutPrefix(line, []byte("[Parsed_showinfo_")); ok {
		l.showinfo(rest)
		return
	}
	switch {
	case len(line) == 0:
		return
	case bytes.Contains(line, []byte("corrupt decoded frame")):
		l.damaged++
	case bytes.Contains(line, []byte("partial file")), bytes.Contains(line, []byte("ended prematurely")):
		l.truncated = true
	}
	l.tail.Write(append(line, '\n'))
}

// showinfo reads a line of the filter such as
//
//	2 @ 0x5] config in time_base: 1/12800, frame_rate: 25/1
//	2 @ 0x5] n:   3 pts:   1536 pts_time:0.12    duration: …
//
// The time in seconds has too few digits for long movies.
func (l *log) showinfo(line []byte) {
	_, line, ok := bytes.Cut(line, []byte("] "))
	if !ok {
		return
	}
	if rest, ok := bytes.CutPrefix(line, []byte("config in time_base: ")); ok {
		base, _, _ := bytes.Cut(rest, []byte(","))
		l.timeBase = ratio(string(base), "/")
		return
	}
	rest, ok := bytes.CutPrefix(line, []byte("n:"))
	if !ok {
		return
	}
	t := math.NaN()
	if _, rest, ok = bytes.Cut(rest, []byte("pts:")); ok {
		word, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
		if pts, err := strconv.ParseInt(string(word), 10, 64); err == nil && l.timeBase > 0 {
			t = float64(pts) * l.timeBase
		}
	}
	if len(l.times) < maxTimes && !math.IsInf(t, 0) {
		l.times = append(l.times, t)
		l.change.Broadcast()
	}
}

// end says that nothing more will be written.
func (l *log) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.endLine()
	l.ended = true
	l.change.Broadcast()
}

// time waits for the time of the next frame; ok is false where there is none.
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

// findings returns what was found so far.
func (l *log) findings() (damaged int, truncated bool, said string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.damaged, l.truncated, l.tail.String()
}
