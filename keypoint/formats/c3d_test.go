package formats_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// spatial is a knee in space that rises by a metre a second and a hip that is hidden in the frame after the first.
func spatial(times ...float64) keypoint.Sequence {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, len(times)), Times: times, Space: &keypoint.Space{Unit: keypoint.Metres}}
	for i, t := range times {
		s.Frames[i].Set(keypoint.LeftKnee, keypoint.Point{300, 200}, 0.9)
		var at keypoint.Positions
		at.Set(keypoint.LeftKnee, keypoint.Position{-1.25, t, 3.2}, 0.01)
		if i != 1 {
			at.Set(keypoint.RightHip, keypoint.Position{0.5, 1, -2}, 0)
		}
		s.Frames[i].SetPositions(&at)
	}
	return s
}

// c3d is what a file has: the parameters as bytes, and for each frame and point x, y, z and the residual.
type c3d struct {
	parameters map[string][]byte
	labels     []string
	points     [][][4]float32
}

// readC3D reads a file by the layout of the format, and what must be the same in two places.
func readC3D(t *testing.T, b []byte) (c c3d) {
	t.Helper()
	u16, f32 := binary.LittleEndian.Uint16, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
	if len(b)%512 != 0 || b[0] != 2 || b[1] != 0x50 {
		t.Fatalf("%d bytes that begin with %v", len(b), b[:2])
	}
	c.parameters = map[string][]byte{}
	groups := map[int8]string{}
	section := b[512:][:512*int(b[514])]
	for at := 4; section[at] != 0; {
		n, id := int(section[at]), int8(section[at+1])
		name := string(section[at+2:][:n])
		at += 2 + n
		next := at + int(u16(section[at:]))
		if id < 0 {
			groups[-id] = name
		} else {
			c.parameters[groups[id]+":"+name] = section[at+2 : next-1]
		}
		at = next
	}
	number := func(name string) int { return int(u16(c.parameters[name][2:])) }
	frames, points, start := int(u16(b[8:])), int(u16(b[2:])), int(u16(b[16:]))
	scale := f32(b[12:])
	if frames != number("POINT:FRAMES") || points != number("POINT:USED") || start != number("POINT:DATA_START") || start != 2+int(b[514]) ||
		scale != f32(c.parameters["POINT:SCALE"][2:]) || scale >= 0 || f32(b[20:]) != f32(c.parameters["POINT:RATE"][2:]) || b[515] != 84 {
		t.Fatalf("header % x", b[:24])
	}
	labels := c.parameters["POINT:LABELS"]
	for text := range slices.Chunk(labels[4:], int(labels[2])) {
		c.labels = append(c.labels, strings.TrimRight(string(text), " "))
	}
	data := b[512*(start-1):]
	for range frames {
		var frame [][4]float32
		for range points {
			var v [4]float32
			for k := range v {
				v[k], data = f32(data), data[4:]
			}
			if v[3] >= 0 {
				v[3] *= -scale
			}
			frame = append(frame, v)
		}
		c.points = append(c.points, frame)
	}
	return c
}

func TestC3D(t *testing.T) {
	write := func(seq keypoint.Sequence) c3d {
		t.Helper()
		var b bytes.Buffer
		if err := formats.Write(&b, "c3d", seq); err != nil {
			t.Fatal(err)
		}
		return readC3D(t, b.Bytes())
	}
	got := write(spatial(0, 0.04, 0.08))
	knee, hip := slices.Index(got.labels, "LKnee"), slices.Index(got.labels, "RHip")
	if len(got.points) != 3 || len(got.labels) != 17 || knee < 0 || hip < 0 || string(got.parameters["POINT:UNITS"][3:]) != "m" {
		t.Fatalf("%+v", got)
	}
	if v := got.points[1][knee]; [3]float32(v[:3]) != [3]float32{-1.25, 0.04, 3.2} || math.Abs(float64(v[3])-0.01) > 1e-4 {
		t.Errorf("knee %v", v)
	}
	if absent, there := got.points[1][hip], got.points[2][hip]; absent != [4]float32{3: -1} || there != [4]float32{0.5, 1, -2, 0} {
		t.Errorf("hip %v, then %v", absent, there)
	}

	// Two frames are lost, then 21: the knee goes on in a straight line, and is absent in the long hole.
	got = write(spatial(0, 0.04, 0.08, 0.2, 0.24, 0.28, 0.32, 1.2, 1.24))
	for i, frame := range got.points {
		at, want := float64(i)/25, frame[knee]
		if hole := at > 0.34 && at < 1.18; hole != (want[3] < 0) || !hole && math.Abs(float64(want[1])-at) > 1e-6 {
			t.Errorf("at %v s the knee is %v", at, want)
		}
	}
	if len(got.points) != 32 {
		t.Errorf("%d frames, want 32", len(got.points))
	}

	flat := spatial(0, 0.04)
	flat.Space = nil
	if got = write(flat); string(got.parameters["POINT:UNITS"][3:]) != "px" || string(got.parameters["POINT:Y_SCREEN"][3:]) != "-Y" ||
		[3]float32(got.points[0][knee][:3]) != [3]float32{300, 200, 0} {
		t.Errorf("pixels: %v", got.points[0][knee])
	}

	for name, seq := range map[string]keypoint.Sequence{"no times": {Frames: make([]keypoint.Frame, 1)}, "too long": spatial(0, 0.001, 0.002, 90)} {
		if err := formats.Write(io.Discard, "c3d", seq); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got = write(keypoint.Sequence{Times: []float64{}}); got.points != nil {
		t.Errorf("no frame: %+v", got.points)
	}
}

// TestTRCSpace: positions are written, and read back, in their unit; a file in which every Z is 0 has none.
func TestTRCSpace(t *testing.T) {
	for _, unit := range []string{keypoint.Metres, keypoint.Torso} {
		seq := spatial(0, 0.04, 0.08)
		seq.Space.Unit = unit
		text := written(t, func(b *bytes.Buffer) error { return formats.Write(b, "trc", seq) })
		got, err := formats.ReadAs(strings.NewReader(text), "trc", formats.Options{})
		if err != nil || got.Space == nil || got.Space.Unit != unit {
			t.Fatal(got.Space, err)
		}
		for i := range seq.Frames {
			want, have := seq.Frames[i].Positions(), got.Frames[i].Positions()
			if want.Present() != have.Present() {
				t.Fatalf("frame %d has %v, want %v", i, have.Present(), want.Present())
			}
			for _, p := range want.Present().List() {
				a, _ := want.At(p)
				if b, _ := have.At(p); a != b {
					t.Errorf("frame %d: %v at %v, want %v", i, p, b, a)
				}
			}
		}
		millimetres := strings.Replace(text, "\t"+unit+"\t", "\tmm\t", 1)
		if got, err = formats.ReadAs(strings.NewReader(millimetres), "trc", formats.Options{}); err != nil {
			t.Fatal(err)
		}
		if at, _ := got.Frames[0].Positions().At(keypoint.LeftKnee); got.Space.Unit != keypoint.Metres || at.Sub(keypoint.Position{-0.00125, 0, 0.0032}).Len() > 1e-12 {
			t.Errorf("millimetres: %v %v", got.Space, at)
		}
		seq.Space, seq.World = nil, keypoint.World{MetresPerPixel: 0.01}
		text = written(t, func(b *bytes.Buffer) error { return formats.Write(b, "trc", seq) })
		if got, err = formats.ReadAs(strings.NewReader(text), "trc", formats.Options{}); err != nil || got.Space != nil || got.Frames[0].Positions() != nil {
			t.Errorf("flat: %v %v %v", got.Space, got.Frames[0].Positions(), err)
		}
	}
}
