package ffmpeg

import (
	"bytes"
	"math"
	"strconv"
	"sync"

	"github.com/bodymotion/motion/internal/ffexec"
)

// times collects the presentation times that FFmpeg's showinfo filter writes to
// standard error, one line a frame, and keeps the end of everything else for the error
// message. It is written to by one goroutine and read by others.
type times struct {
	mu     sync.Mutex
	change *sync.Cond
	line   []byte    // not complete yet
	list   []float64 // seconds, of the frames that were decoded
	ended  bool
	tail   ffexec.Tail
}

func newTimes() *times {
	t := &times{}
	t.change = sync.NewCond(&t.mu)
	return t
}

// maxLine is how long a line may be before it is cut.
const maxLine = 4 << 10

// Write implements io.Writer.
func (t *times) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range p {
		if c != '\n' && c != '\r' {
			if len(t.line) < maxLine {
				t.line = append(t.line, c)
			}
			continue
		}
		t.endLine()
	}
	return len(p), nil
}

func (t *times) endLine() {
	line := t.line
	t.line = t.line[:0]
	if v, ok := frameTime(line); ok {
		t.list = append(t.list, v)
		t.change.Broadcast()
	} else if len(line) > 0 && !bytes.Contains(line, []byte("showinfo")) {
		t.tail.Write(append(line, '\n'))
	}
}

// frameTime reads the time of a line of the showinfo filter such as
// "[Parsed_showinfo_0 @ 0x5] n:   3 pts:   1536 pts_time:0.12    duration: …".
func frameTime(line []byte) (seconds float64, ok bool) {
	_, rest, ok := bytes.Cut(line, []byte("showinfo"))
	if !ok || !bytes.Contains(rest, []byte("] n:")) {
		return 0, false
	}
	_, rest, ok = bytes.Cut(rest, []byte("pts_time:"))
	if !ok {
		return 0, false
	}
	word, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	v, err := strconv.ParseFloat(string(word), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return math.NaN(), true // a frame without a time: "NOPTS"
	}
	return v, true
}

// end says that nothing more will be written.
func (t *times) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.endLine()
	t.ended = true
	t.change.Broadcast()
}

// at waits for the time of frame i; ok is false where there will be none.
func (t *times) at(i int) (seconds float64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i >= len(t.list) && !t.ended {
		t.change.Wait()
	}
	if i >= len(t.list) || math.IsNaN(t.list[i]) {
		return 0, false
	}
	return t.list[i], true
}

// said returns the end of what FFmpeg said.
func (t *times) said() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tail.String()
}
