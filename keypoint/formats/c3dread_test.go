package formats_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// lab is a C3D file as programs of laboratories write it. Its points are those of the labels in each frame, four numbers each.
type lab struct {
	whole          bool // numbers of 16 bits, of a twentieth
	unit           string
	screen, labels []string
	frames         [][]float64
	analog         int // numbers after the points of a frame
}

// bytes writes the file by the layout of the format: the block of the parameters is the third one.
func (l lab) bytes() []byte {
	order := binary.LittleEndian
	f32 := func(b []byte, v float64) []byte { return order.AppendUint32(b, math.Float32bits(float32(v))) }
	scale := -1.0
	if l.whole {
		scale = 0.05
	}
	head := []byte{3, 0x50}
	for _, v := range []int{len(l.labels), l.analog, 1, len(l.frames), 0} {
		head = order.AppendUint16(head, uint16(v))
	}
	head = order.AppendUint16(f32(head, scale), 4)
	head = f32(order.AppendUint16(head, 0), 100)
	out := append(head, make([]byte, 1024-len(head))...)
	section := []byte{0, 0, 1, 84}
	record := func(id int8, name string, data []byte) {
		section = append(section, byte(-int8(len(name))), byte(id)) // locked
		section = order.AppendUint16(append(section, name...), uint16(9+len(data)))
		section = append(append(section, data...), "\x06 said."...)
	}
	texts := func(name string, list ...string) {
		width := 0
		for _, text := range list {
			width = max(width, len(text))
		}
		data := []byte{0xff, 2, byte(width), byte(len(list))}
		for _, text := range list {
			data = fmt.Appendf(data, "%-*s", width, text)
		}
		record(5, name, data)
	}
	texts("LABELS", l.labels...)
	texts("UNITS", l.unit)
	for i, axis := range l.screen {
		texts([]string{"X_SCREEN", "Y_SCREEN"}[i], axis)
	}
	record(5, "USED", order.AppendUint16([]byte{2, 0}, uint16(len(l.labels))))
	record(-5, "POINT", nil) // a group may come last
	out = append(append(out, section...), make([]byte, 512-len(section))...)
	for _, frame := range l.frames {
		for i, v := range append(frame, make([]float64, l.analog)...) {
			switch {
			case !l.whole:
				out = f32(out, v)
			case i%4 == 3:
				out = order.AppendUint16(out, uint16(int16(v)))
			default:
				out = order.AppendUint16(out, uint16(int16(math.Round(v/scale))))
			}
		}
	}
	return append(out, make([]byte, -len(out)&511)...)
}

// walker are points of the hip, the knee and something else, in millimetres with z up: x to the right, y away. The knee is not
// seen in the second frame, and in the third it is at the origin, as some programs write what they have not found.
var walker = lab{
	unit: "mm", labels: []string{"Anna:LHip", "*17", "Anna:left_knee"}, screen: []string{"+X", "+Z"},
	frames: [][]float64{
		{100, 200, 900, 2, 1, 2, 3, 0, 110, 210, 500, 0},
		{120, 220, 910, 0, 1, 2, 3, 0, 110, 210, 500, -1},
		{140, 240, 920, 0, 1, 2, 3, 0, 0, 0, 0, 0},
	},
}

// TestReadC3D: whatever its numbers and axes, a file is in metres, y up, in space, and has no picture.
func TestReadC3D(t *testing.T) {
	for name, change := range map[string]func(*lab){
		"numbers":             func(*lab) {},
		"whole numbers":       func(l *lab) { l.whole = true },
		"with analog numbers": func(l *lab) { l.analog = 7 },
		"no axes":             func(l *lab) { l.screen = nil },
	} {
		l := walker
		change(&l)
		seq, err := formats.Read(bytes.NewReader(l.bytes()), "", formats.Options{})
		if err != nil || seq.Space == nil || !seq.Space.Seen() || seq.Space.Unit != keypoint.Metres || seq.Size.X != 0 || seq.Len() != 3 || seq.Times[2] != 0.02 {
			t.Errorf("%s: %+v %v", name, seq.Space, err)
			continue
		}
		for i, want := range []keypoint.Parts{keypoint.PartsOf(keypoint.LeftHip, keypoint.LeftKnee), keypoint.PartsOf(keypoint.LeftHip), keypoint.PartsOf(keypoint.LeftHip)} {
			if got := seq.Frames[i].Positions().Present(); got != want {
				t.Errorf("%s: frame %d has %v, want %v", name, i, got.List(), want.List())
			}
		}
		hip, _ := seq.Frames[0].Positions().At(keypoint.LeftHip)
		sigma := 0.002
		if l.whole {
			sigma *= 0.05
		}
		if hip.Sub(keypoint.Position{0.1, 0.9, -0.2}).Len() > 1e-6 || math.Abs(seq.Frames[0].Positions().Error(keypoint.LeftHip)-sigma) > 1e-9 {
			t.Errorf("%s: the hip is at %v ± %v", name, hip, seq.Frames[0].Positions().Error(keypoint.LeftHip))
		}
	}
	other := walker
	other.screen = []string{"-Y", "+X"}
	seq, err := formats.Read(bytes.NewReader(other.bytes()), "c3d", formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if hip, _ := seq.Frames[0].Positions().At(keypoint.LeftHip); hip.Sub(keypoint.Position{-0.2, 0.1, 0.9}).Len() > 1e-6 {
		t.Errorf("x up: the hip is at %v", hip)
	}
}

// TestC3DAgain: what is written is read as it was, in space, in a plane and in pixels.
func TestC3DAgain(t *testing.T) {
	metric := spatial(0, 0.04, 0.08)
	metric.Space, metric.World = nil, keypoint.World{MetresPerPixel: 0.005}
	flat := spatial(0, 0.04, 0.08)
	flat.Space = nil
	torsos := spatial(0, 0.04, 0.08)
	torsos.Space = &keypoint.Space{Unit: keypoint.Torso}
	for name, seq := range map[string]keypoint.Sequence{"m": spatial(0, 0.04, 0.08), "torso": torsos, "plane": metric, "px": flat} {
		var b bytes.Buffer
		if err := formats.Write(&b, "c3d", seq); err != nil {
			t.Fatal(err)
		}
		got, err := formats.Read(&b, "", formats.Options{})
		if err != nil || got.Len() != 3 || math.Abs(got.Times[2]-0.08) > 1e-9 || (got.Space != nil) != (seq.Space != nil) || got.World.Metric() != seq.World.Metric() {
			t.Errorf("%s: %+v %+v %v", name, got.Space, got.World, err)
			continue
		}
		for i := range seq.Frames {
			a, okA := seq.Frames[i].Positions().At(keypoint.RightHip)
			b, okB := got.Frames[i].Positions().At(keypoint.RightHip)
			if seq.Space != nil && (okA != okB || a.Sub(b).Len() > 1e-6 || got.Space.Unit != seq.Space.Unit) {
				t.Errorf("%s: frame %d: the hip is at %v, want %v in %s", name, i, b, a, seq.Space.Unit)
			}
			p, _ := seq.Frames[i].At(keypoint.LeftKnee)
			q, _ := got.Frames[i].At(keypoint.LeftKnee)
			if seq.Space == nil && seq.World.Point(p).Sub(got.World.Point(q)).Len() > 1e-5 {
				t.Errorf("%s: the knee is at %v, want %v", name, q, p)
			}
		}
	}
}

// TestC3DRefused: what cannot be read says why, and what to do.
func TestC3DRefused(t *testing.T) {
	whole := walker.bytes()
	with := func(at int, b ...byte) []byte {
		c := bytes.Clone(whole)
		copy(c[at:], b)
		return c
	}
	of := func(change func(*lab)) []byte {
		l := walker
		change(&l)
		return l.bytes()
	}
	for name, c := range map[string]struct {
		file []byte
		opt  formats.Options
		want string
	}{
		"nothing":         {nil, formats.Options{}, "there are no header and parameters"},
		"a head":          {whole[:600], formats.Options{}, "there are no header and parameters"},
		"cut off":         {whole[:1600], formats.Options{}, "the file is cut off: it has 1600 bytes, and its 3 frames end at 1680"},
		"a processor":     {with(1027, 90), formats.Options{}, "no header and parameters of a PC"},
		"no frame":        {with(8, 0, 0), formats.Options{}, "there are 0 frames"},
		"too many frames": {with(8, 0xff, 0xff), formats.Options{}, "there are 65535 frames, want 1 to 65534"},
		"no rate":         {with(20, 0, 0, 0, 0), formats.Options{}, "POINT:RATE: is 0, want frames per second"},
		"a rate":          {with(20, 0, 0, 0x80, 0x7f), formats.Options{}, "POINT:RATE: is +Inf"},
		"another rate":    {whole, formats.Options{Rate: 30}, "Rate: is 30, but the file has times of 100"},
		"frames":          {whole, formats.Options{Limits: formats.Limits{Frames: 2}}, "there are 3 frames, want 1 to 2"},
		"bytes":           {whole, formats.Options{Limits: formats.Limits{Bytes: 900}}, "longer than 900 bytes"},
		"no part":         {of(func(l *lab) { l.labels = []string{"LASI", "RASI", "SACR"} }), formats.Options{}, "no marker is one of the parts"},
		"two people":      {of(func(l *lab) { l.labels = []string{"A:LHip", "*", "B:LHip"} }), formats.Options{}, `"B:LHip" is there twice`},
		"feet":            {of(func(l *lab) { l.unit = "ft" }), formats.Options{}, `Units: is "ft"`},
		"no axis":         {of(func(l *lab) { l.screen = []string{"W", "+Z"} }), formats.Options{}, `are ["+Z"] and ["W"], want two axes`},
		"one axis":        {of(func(l *lab) { l.screen = []string{"+Z", "-Z"} }), formats.Options{}, `are ["-Z"] and ["+Z"], want two axes`},
	} {
		if _, err := formats.Read(bytes.NewReader(c.file), "c3d", c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func FuzzReadC3D(f *testing.F) {
	f.Add(walker.bytes())
	whole := walker
	whole.whole = true
	f.Add(whole.bytes())
	f.Fuzz(func(t *testing.T, file []byte) {
		s, err := formats.Read(bytes.NewReader(file), "c3d", formats.Options{Limits: formats.Limits{Frames: 1000}})
		sound(t, s, err)
	})
}
