package ffmpeg

import (
	"context"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// Most movies can be decoded without knowing their headers: their first video stream is 8-bit
// 4:2:0 with square pixels, and FFmpeg itself knows its size and rotation. So ffmpeg starts
// while ffprobe still reads the headers, and decodes until the pipe is full. If the guess was
// wrong, it is killed and started again.

// early starts FFmpeg on a file whose headers are unknown. It returns nil for Runners other
// than program.Installed, where two programs at once may need too much memory.
func (d Decoder) early(ctx context.Context, s source) *frames {
	if _, ok := d.Runner.(program.Installed); !ok {
		return nil
	}
	f, err := d.launch(ctx, s, "0:V:0", times("format=yuv420p|yuvj420p"))
	if err != nil {
		return nil // start reports it
	}
	return f
}

// serves reports whether the early start decodes s, and if so delivers its pictures.
func (f *frames) serves(s source) bool {
	if f == nil || !s.plain {
		return false
	}
	f.source = s
	if f.header() != nil { // also for a movie without pictures, which start reports
		return false
	}
	f.deliver(s, func() error { return nil })
	return true
}
