package ffexec

// Tail keeps the last bytes that were written to it, for error messages. It is for one
// goroutine at a time.
type Tail struct{ buf []byte }

const tailSize = 4 << 10

// Write implements io.Writer.
func (t *Tail) Write(p []byte) (int, error) {
	n := len(p)
	if n > tailSize {
		p = p[n-tailSize:]
	}
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return n, nil
}

// String returns what was kept.
func (t *Tail) String() string { return string(t.buf) }
