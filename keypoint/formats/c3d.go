package formats

import (
	"bytes"
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
	c3dHole      = 0.5            // seconds between two frames, from which on nothing is filled in
)

// WriteC3D writes the parts as points of a C3D file (www.c3d.org), under the names, in the unit and along the axes of
// WriteTRC, of which POINT:UNITS, X_SCREEN and Y_SCREEN tell. The residual of a point is one standard deviation of its
// place, 0 if that is unknown, and −1 where the part is absent.
//
// C3D has a rate instead of times: keypoint.Sequence.FrameRate, where frames are lost 1 over the mean difference of the
// other times. Frames of a movie whose rate varies are put
// between those that are there, in a straight line, and are empty between two more than half a second apart. The first
// frame is that of the first time. Confidences and the picture size are lost. A sequence that is invalid, has no times,
// or is longer than 65,535 frames is a keypoint.ErrInvalid.
func WriteC3D(w io.Writer, seq keypoint.Sequence) error {
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
	parameters := p.c3dParameters(frames, scale, float32(rate), 0)
	start := 2 + len(parameters)/c3dBlock
	head := c3dHead(len(p.list), frames, scale, start, float32(rate))
	out := append(head, p.c3dParameters(frames, scale, float32(rate), start)...)
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

// c3dHead returns the header.
func c3dHead(points, frames int, scale float32, start int, rate float32) []byte {
	b := []byte{2, 0x50} // the block of the parameters, and what marks a C3D file
	word := func(v int) { b = binary.LittleEndian.AppendUint16(b, uint16(v)) }
	number := func(v float32) { b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v)) }
	word(points)
	word(0) // analog numbers a frame
	word(min(1, frames))
	word(frames)
	word(0)        // frames that were filled in
	number(-scale) // negative: numbers are floating-point
	word(start)
	word(0) // analog numbers a frame and channel
	number(rate)
	return append(b, make([]byte, c3dBlock-len(b))...)
}

// c3dParameters returns the section of the parameters in whole blocks.
func (p placed) c3dParameters(frames int, scale, rate float32, start int) []byte {
	names, axis := make([]string, len(p.list)), "+Y"
	for i, part := range p.list {
		names[i] = markers[part]
	}
	if p.down {
		axis = "-Y"
	}
	var s c3dSection
	s.group(1, "POINT", []c3dParameter{
		{"USED", int16(len(p.list))}, {"SCALE", -scale}, {"RATE", rate}, {"DATA_START", int16(start)},
		{"FRAMES", int16(uint16(frames))}, {"LABELS", names}, {"DESCRIPTIONS", names}, {"UNITS", p.unit},
		{"X_SCREEN", "+X"}, {"Y_SCREEN", axis},
	})
	s.group(2, "ANALOG", []c3dParameter{{"USED", int16(0)}, {"RATE", float32(0)}, {"GEN_SCALE", float32(1)}})
	s.group(3, "FORCE_PLATFORM", []c3dParameter{{"USED", int16(0)}})
	blocks := 1 + (4+s.Len())/c3dBlock                           // at least a zero after the last one
	b := append([]byte{1, 0x50, byte(blocks), 84}, s.Bytes()...) // 84: little-endian
	return append(b, make([]byte, blocks*c3dBlock-len(b))...)
}

// c3dParameter is a parameter with a string, strings, an int16 or a float32.
type c3dParameter struct {
	name  string
	value any
}

// c3dSection is what groups and parameters are written to.
type c3dSection struct{ bytes.Buffer }

// group writes a group with its parameters.
func (s *c3dSection) group(id int8, name string, list []c3dParameter) {
	s.record(-id, name, nil)
	for _, p := range list {
		var data []byte
		switch v := p.value.(type) {
		case int16:
			data = binary.LittleEndian.AppendUint16([]byte{2, 0}, uint16(v))
		case float32:
			data = binary.LittleEndian.AppendUint32([]byte{4, 0}, math.Float32bits(v))
		case string:
			data = append([]byte{0xff, 1, byte(len(v))}, v...)
		case []string:
			width := 0
			for _, text := range v {
				width = max(width, len(text))
			}
			data = []byte{0xff, 2, byte(width), byte(len(v))}
			for _, text := range v {
				data = fmt.Appendf(data, "%-*s", width, text)
			}
		}
		s.record(id, p.name, data)
	}
}

// record writes a group or a parameter, without a description.
func (s *c3dSection) record(id int8, name string, data []byte) {
	s.Write([]byte{byte(len(name)), byte(id)})
	s.WriteString(name)
	s.Write(binary.LittleEndian.AppendUint16(nil, uint16(2+len(data)+1))) // to the next one
	s.Write(append(data, 0))
}
