package ffmpeg

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"strconv"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// Headers may be wrong: an AVI of 10 frames may claim 2,500, and edit lists of MP4 hide frames. So
// the packets are counted. This reads the whole file, but decodes nothing.

// count replaces the number of frames and the duration of the headers by those of the packets. If
// that takes too long, the index of an MP4 is used.
func (d Decoder) count(ctx context.Context, s *source) error {
	s.indexed = s.Demuxer == "mov" && s.info.Frames > 0
	p, err := d.packets(ctx, *s)
	if err != nil {
		if s.indexed && (errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded)) {
			return nil
		}
		return err
	}
	s.info.Frames = p.shown
	step := 0.0
	if s.info.FrameRate > 0 {
		step = 1 / s.info.FrameRate
	}
	// From the first frame to the end of the last, which lasts step if the packets do not say.
	if span := max(p.end, p.to+step) - p.from; p.timed && !p.full() && span > 0 && math.Abs(span-s.info.Duration) > 2*step {
		s.info.Duration = span
	}
	return nil
}

// packets lists the packets of the stream, until there are as many as MaxFrames.
func (d Decoder) packets(ctx context.Context, s source) (*packets, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	fresh := func() *packets { return &packets{most: d.MaxFrames, stop: stop} }
	p, err := ffprobe(ctx, d, s, fresh, "-select_streams", strconv.Itoa(s.stream), "-show_entries", "packet=pts_time,dts_time,duration_time,flags", "-of", "csv=p=0")
	if p.full() && !errors.Is(err, program.ErrNotFound) {
		err = nil
	}
	return p, err
}

// packets reads a list of packets, one line each such as "0.200000,0.100000,0.100000,K_": the times of presentation and decoding
// and the duration, each of which may be unknown, and flags. K is a key frame, D a packet that is decoded but not shown.
type packets struct {
	shown    int
	timed    bool    // some times are known
	from, to float64 // the times of the first and the last frame, seconds
	end      float64 // the latest end of a frame, seconds
	most     int     // 0: no limit
	stop     func()  // called at the limit
	line     []byte  // its first bytes
}

const maxPacketLine = 128 // bytes; longer lines are cut

// full reports whether the limit is reached.
func (p *packets) full() bool { return p.most > 0 && p.shown >= p.most }

func (p *packets) Write(b []byte) (int, error) {
	n := len(b)
	for !p.full() {
		line, rest, ended := bytes.Cut(b, []byte("\n"))
		p.line = append(p.line, line[:min(len(line), maxPacketLine-len(p.line))]...)
		if !ended {
			return n, nil
		}
		p.add(p.line)
		p.line, b = p.line[:0], rest
	}
	p.stop()
	return n, nil
}

func (p *packets) add(line []byte) {
	words := bytes.SplitN(line, []byte(","), 5)
	if len(words) < 4 || len(words[3]) < 2 || words[3][0] != 'K' && words[3][0] != '_' || words[3][1] == 'D' {
		return
	}
	p.shown++
	at, ok := seconds(words[0])
	if !ok {
		at, ok = seconds(words[1])
	}
	if !ok {
		return
	}
	if !p.timed {
		p.timed, p.from, p.to, p.end = true, at, at, at
	}
	long, _ := seconds(words[2])
	p.from, p.to, p.end = min(p.from, at), max(p.to, at), max(p.end, at+long)
}

// seconds parses a finite number; 0 and false if the text is not one.
func seconds(text []byte) (float64, bool) {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}
