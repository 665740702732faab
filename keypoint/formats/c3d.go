package formats

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// The layout of C3D: blocks of 512 bytes, the header, then the parameters, then the points as numbers of 32 bits.
const (
	c3dBlock     = 512
	c3dMaxFrames = math.MaxUint16 // the header counts them
	c3dPC        = 84             // the processor: little-endian
	c3dHole      = 0.5            // seconds between two frames, from which on nothing is filled in
)

// writeC3D writes points at a steady rate.
func writeC3D(w io.Writer, seq keypoint.Sequence) error {
	p, err := markersOf("C3D", seq)
	if err != nil {
		return err
	}
	frames, rate := min(1, seq.Len()), p.steady()
	if frames > 0 {
		frames += int(math.Min(math.Round(seq.Duration()*rate), c3dMaxFrames))
	}
	if frames > c3dMaxFrames {
		return wrong("C3D", "POINT:FRAMES", "there are more than %d frames, want at most as many: write parts of the recording", c3dMaxFrames)
	}
	points, most := p.even(frames, rate)
	scale := float32(most / 32000)
	if !(scale > 0) {
		scale = 1
	}
	out := p.c3dHead(frames, scale, float32(rate))
	for _, v := range points {
		if v.sigma >= 0 { // a byte of residual, below a byte of cameras
			v.sigma = math.Min(math.Round(v.sigma/float64(scale)), 255)
		}
		for _, number := range [...]float64{v.at[0], v.at[1], v.at[2], v.sigma} {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(number)))
		}
	}
	_, err = w.Write(append(out, make([]byte, -len(out)&(c3dBlock-1))...))
	return err
}

// c3dPoint is a point in a frame; sigma is −1 where it is absent.
type c3dPoint struct {
	at    keypoint.Position
	sigma float64
}

// even returns the points of n frames at a rate, part by part, and the greatest coordinate.
func (p placed) even(n int, rate float64) (points []c3dPoint, most float64) {
	points = make([]c3dPoint, 0, n*len(p.list))
	times, k := p.seq.Times, 0
	for i := range n {
		t := times[0] + float64(i)/rate
		for k+1 < len(times) && math.Abs(times[k+1]-t) <= math.Abs(times[k]-t) {
			k++ // the nearest frame
		}
		other, share := k, 0.0
		if off := t - times[k]; math.Abs(off)*rate > 0.05 {
			if other = k - 1; off > 0 {
				other = k + 1
			}
			other = min(max(other, 0), len(times)-1)
			if gap := times[other] - times[k]; gap != 0 {
				share = off / gap
			}
		}
		for _, part := range p.list {
			v := c3dPoint{sigma: -1}
			a, sa, hasA := p.at(k, part)
			b, sb, hasB := p.at(other, part)
			if hasA && hasB && math.Abs(times[other]-times[k]) <= c3dHole {
				v = c3dPoint{a.Mul(1 - share).Add(b.Mul(share)), max(sa, sb)}
				most = max(most, math.Abs(v.at[0]), math.Abs(v.at[1]), math.Abs(v.at[2]))
			}
			points = append(points, v)
		}
	}
	return points, most
}

// steady returns the rate of the frames if none were lost, 1 if there are too few.
func (p placed) steady() float64 {
	if step, lost := rank.Step(p.seq.Times); lost {
		fps, _ := keypoint.Sequence{Times: []float64{0, step}}.FrameRate()
		return fps
	}
	return p.rate()
}

// c3dHead returns the header and the parameters, both in whole blocks.
func (p placed) c3dHead(frames int, scale, rate float32) []byte {
	u16 := func(b []byte, v int) []byte { return binary.LittleEndian.AppendUint16(b, uint16(v)) }
	f32 := func(b []byte, v float32) []byte { return binary.LittleEndian.AppendUint32(b, math.Float32bits(v)) }
	full := func(b []byte) []byte { return append(b, make([]byte, -len(b)&(c3dBlock-1))...) }
	var b []byte
	record := func(id int8, name string, data []byte) { // a group or a parameter, without a description
		b = append(append(b, byte(len(name)), byte(id)), name...)
		b = append(append(u16(b, 3+len(data)), data...), 0)
	}
	word := func(id int8, name string, v int) { record(id, name, u16([]byte{2, 0}, v)) }
	text := func(name, v string) { record(1, name, append([]byte{0xff, 1, byte(len(v))}, v...)) }
	names := []byte{0xff, 2, 16, byte(len(p.list))} // longer than any
	for _, part := range p.list {
		names = fmt.Appendf(names, "%-16s", markers[part])
	}
	axis := map[bool]string{true: "-Y", false: "+Y"}[p.down]
	start := 2 // the block of the points
	for range 2 {
		b = []byte{1, 0x50, byte(start - 2), c3dPC}
		record(-1, "POINT", nil)
		word(1, "USED", len(p.list))
		record(1, "SCALE", f32([]byte{4, 0}, -scale))
		record(1, "RATE", f32([]byte{4, 0}, rate))
		word(1, "DATA_START", start)
		word(1, "FRAMES", frames)
		record(1, "LABELS", names)
		record(1, "DESCRIPTIONS", names)
		text("UNITS", p.unit)
		text("X_SCREEN", "+X")
		text("Y_SCREEN", axis)
		record(-2, "ANALOG", nil)
		word(2, "USED", 0)
		record(2, "RATE", f32([]byte{4, 0}, 0))
		record(2, "GEN_SCALE", f32([]byte{4, 0}, 1))
		record(-3, "FORCE_PLATFORM", nil)
		word(3, "USED", 0)
		b = full(append(b, 0)) // at least a zero after the last one
		start = 2 + len(b)/c3dBlock
	}
	head := []byte{2, 0x50}                                              // the block of the parameters, and what marks a C3D file
	for _, v := range []int{len(p.list), 0, min(1, frames), frames, 0} { // without analog numbers, and frames that were filled in
		head = u16(head, v)
	}
	head = u16(f32(head, -scale), start) // negative: numbers are floating-point
	return append(full(f32(u16(head, 0), rate)), b...)
}
