package ffexec

import "bytes"

// Tail keeps the last bytes written to it, for error messages, and whether any line said that the
// program got no memory. It is not safe for concurrent use.
type Tail struct {
	buf      []byte
	noMemory bool
}

// noMemory are FFmpeg's words for it: of Linux, of WebAssembly, and of the index of an MP4.
var noMemory = []string{"Cannot allocate memory", "Out of memory", "Cannot add index entry"}

const tailSize = 4 << 10

// Write implements io.Writer.
func (t *Tail) Write(p []byte) (int, error) {
	n := len(p)
	for _, words := range noMemory {
		t.noMemory = t.noMemory || bytes.Contains(p, []byte(words))
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

// String returns these bytes.
func (t *Tail) String() string { return string(t.buf) }
