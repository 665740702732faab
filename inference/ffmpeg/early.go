package ffmpeg

import (
	"context"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// Most movies need nothing that their headers tell: of the first moving picture, eight bits
// and 4:2:0, in square pixels, FFmpeg itself knows the size and which way is up. So ffmpeg
// is started while ffprobe still reads the headers, which takes about as long as both take
// to start, and decodes as far as a pipe holds. If it was the wrong guess, it is ended, and
// started anew with what is known.

// early starts FFmpeg on a file of which nothing is known; nil where that is not worth while:
// in a Runner other than program.Installed two programs at a time may need too much memory.
func (d Decoder) early(ctx context.Context, s source) *frames {
	if _, ok := d.Runner.(program.Installed); !ok {
		return nil
	}
	f, err := d.launch(ctx, s, "0:V:0", times("format=yuv420p|yuvj420p"))
	if err != nil {
		return nil // as start will say
	}
	return f
}

// serves reports whether what was started early gives the pictures of s, now that it is
// known; they are delivered then.
func (f *frames) serves(s source) bool {
	if f == nil || !s.plain {
		return false
	}
	f.source = s
	if f.header() != nil { // also of a movie without pictures, of which start will tell
		return false
	}
	f.deliver(s, func() error { return nil })
	return true
}
