package ffmpeg

import (
	"bytes"
	"image"
	"io"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/yuv"
)

// Parse reads ffprobe's answer and returns what it says and FFmpeg's filters for it.
func Parse(answer []byte) (inference.Info, string, error) {
	var s source
	if err := s.parse(answer); err != nil {
		return inference.Info{}, "", err
	}
	return s.info, s.filters(), nil
}

// ReadPictures reads pictures of a size from what FFmpeg writes to its pipe.
func ReadPictures(r io.Reader, size image.Point) (n int, err error) {
	if _, err := readY4MHeader(r, size); err != nil {
		return 0, err
	}
	buf := make([]byte, len(y4mFrame)+yuv.Bytes(size))
	for {
		if err := readY4MFrame(r, buf); err != nil {
			return n, err
		}
		n++
	}
}

// ReadLog reads what FFmpeg writes to standard error, in pieces, and returns the times
// of the frames, and how many are damaged.
func ReadLog(pieces ...[]byte) (times []float64, damaged int) {
	l := newLog()
	for _, p := range pieces {
		l.Write(p)
	}
	l.end()
	for range l.times {
		t, ok := l.time()
		if !ok {
			t = -1
		}
		times = append(times, t)
	}
	damaged, _, _ = l.findings()
	return times, damaged
}

// Clock gives times to frames as a movie does; NaN is an unknown one.
func Clock(step float64, known func(float64) bool, times ...float64) (out []float64) {
	c := clock{step: max(step, minStep)}
	for _, t := range times {
		out = append(out, c.at(t, known(t)))
	}
	return out
}

// CountPackets counts the packets that ffprobe lists, in pieces.
func CountPackets(pieces ...[]byte) int {
	c := packets{stop: func() {}}
	for _, p := range pieces {
		c.Write(p)
	}
	return c.shown
}

// ChunksEnd returns where the chunks of an AVI say that it ends.
func ChunksEnd(file []byte) int64 { return chunksEnd(bytes.NewReader(file), int64(len(file))) }
