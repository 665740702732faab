package formats

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/internal/reading"
)

// Limits bound the input of a reader. Zero selects the defaults; −1 means no limit.
type Limits struct {
	Bytes  int64 // of the input, for a folder the sum of its files; default 64 MiB
	Frames int   // default 100,000
}

// Limits of lines, which are generous.
const (
	maxLine    = 1 << 20 // bytes
	maxColumns = 4096
)

func (l Limits) bytes() int64 { return limit(l.Bytes, 64<<20, math.MaxInt64-1) }

func (l Limits) frames() int { return limit(l.Frames, 100_000, math.MaxInt) }

// limit returns v, or the default for 0, or the greatest number for a negative v.
func limit[T int | int64](v, byDefault, greatest T) T {
	if v < 0 {
		return greatest
	}
	return min(cmp.Or(v, byDefault), greatest)
}

// tooMany returns the detail of the error about n frames; "" if n are allowed.
func (l Limits) tooMany(n int) string {
	if n <= l.frames() {
		return ""
	}
	return fmt.Sprintf("there are more than %d frames, want at most as many", l.frames())
}

// bounded is a reader that returns an Error if the input or one of its lines is too long.
type bounded struct {
	r      io.Reader
	format string
	file   string
	max    int64
	left   int64 // of max
	lines  int   // that have ended; −1 for an input without lines
	run    int   // bytes of the line so far
}

func (l Limits) bound(format string, r io.Reader) *bounded {
	return &bounded{r: reading.Of(r), format: format, max: l.bytes(), left: l.bytes(), lines: -1}
}

func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if int64(n) > b.left {
		return 0, &Error{Format: b.format, File: b.file, Detail: fmt.Sprintf("the input is longer than %d bytes", b.max)}
	}
	b.left -= int64(n)
	if b.lines >= 0 && !b.short(p[:n]) {
		return 0, &Error{Format: b.format, Line: b.lines + 1, Detail: fmt.Sprintf("the line is longer than %d bytes", maxLine)}
	}
	return n, err
}

// short counts lines and reports whether they are short enough.
func (b *bounded) short(p []byte) bool {
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			b.run += len(p)
			return b.run <= maxLine
		}
		if b.run+i > maxLine {
			return false
		}
		b.lines, b.run, p = b.lines+1, 0, p[i+1:]
	}
}

// text returns a bounded input of lines.
func (l Limits) text(format string, r io.Reader) *bounded {
	b := l.bound(format, r)
	b.lines = 0
	return b
}

// lines reads an input line by line. After an error it reads nothing and keeps the error.
type lines struct {
	format string
	in     *bufio.Scanner
	at     int // number of the line
	err    error
}

func (l Limits) lines(format string, r io.Reader) *lines {
	in := bufio.NewScanner(l.text(format, r))
	in.Buffer(nil, maxLine+2)
	return &lines{format: format, in: in}
}

// next returns the next line without its end; ok is false after the last one and after an error.
func (l *lines) next() (text string, ok bool) {
	if l.err != nil || !l.in.Scan() {
		l.err = cmp.Or(l.err, l.in.Err())
		return "", false
	}
	l.at++
	text = l.in.Text()
	if l.at == 1 {
		text = strings.TrimLeft(text, byteOrderMark)
	}
	return text, true
}

// want returns the next line; the end of the input is an Error that names what was expected.
func (l *lines) want(what string) string {
	text, ok := l.next()
	if !ok && l.err == nil {
		l.err = &Error{Format: l.format, Line: l.at + 1, Detail: "the input ends here, want " + what}
	}
	return text
}

// rows calls row for each of the remaining lines that is not blank, until the first error.
func (l *lines) rows(row func(text string)) {
	for text, ok := l.next(); ok; text, ok = l.next() {
		if strings.TrimSpace(text) != "" {
			row(text)
		}
	}
}

// wrong keeps an Error about the line that was read last, unless there was an error before.
func (l *lines) wrong(member, detail string, args ...any) {
	if l.err == nil {
		l.err = &Error{Format: l.format, Line: l.at, Member: member, Detail: fmt.Sprintf(detail, args...)}
	}
}

// count reads a number of things in a header.
func (l *lines) count(key, value string) int {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		l.wrong(key, "is %s, want a whole number, not negative", quote(value))
	}
	return n
}

// byteOrderMark begins text files that some Windows programs write.
const byteOrderMark = "\ufeff"
