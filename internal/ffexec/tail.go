package ffexec

// Tail keeps the last bytes written to it, for error messages. It is not safe for concurrent
// use.
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

// String returns these bytes.
func (t *Tail) String() string { return string(t.buf) }
