package formats

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// The layout of C3D: blocks of 512 bytes, the header, then the parameters, then the points as numbers of 32 bits.
const (
	c3dBlock = 512
	c3dPC    = 84 // the processor: little-endian
)

// writeC3D writes points at a steady rate.
func writeC3D(w io.Writer, seq keypoint.Sequence) error {
	p, err := pacedOf("C3D", seq)
	if err != nil {
		return err
	}
	scale := float32(p.most / 32000)
	if !(scale > 0) {
		scale = 1
	}
	out := p.c3dHead(scale)
	for i := range p.frames {
		for _, part := range p.list {
			at, ok := p.frames[i].At(part)
			sigma := -1.0
			if ok { // a byte of residual, below a byte of cameras
				sigma = math.Min(math.Round(p.frames[i].Error(part)/float64(scale)), 255)
			}
			for _, number := range [...]float64{at[0], at[1], at[2], sigma} {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(number)))
			}
		}
	}
	_, err = w.Write(append(out, make([]byte, -len(out)&(c3dBlock-1))...))
	return err
}

// c3dHead returns the header and the parameters, both in whole blocks.
func (p paced) c3dHead(scale float32) []byte {
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
		record(1, "RATE", f32([]byte{4, 0}, float32(p.fps)))
		word(1, "DATA_START", start)
		word(1, "FRAMES", len(p.frames))
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
	head := []byte{2, 0x50}                                                            // the block of the parameters, and what marks a C3D file
	for _, v := range []int{len(p.list), 0, min(1, len(p.frames)), len(p.frames), 0} { // without analog numbers, and frames that were filled in
		head = u16(head, v)
	}
	head = u16(f32(head, -scale), start) // negative: numbers are floating-point
	return append(full(f32(u16(head, 0), float32(p.fps))), b...)
}
