//go:build !js

package formats

import (
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// c3dAxes are directions as POINT:X_SCREEN and Y_SCREEN name them.
var c3dAxes = map[string]keypoint.Position{"+X": {1}, "-X": {-1}, "+Y": {0, 1}, "-Y": {0, -1}, "+Z": {0, 0, 1}, "-Z": {0, 0, -1}}

// readC3D reads the points that are parts.
func readC3D(r io.Reader, o Options) (seq keypoint.Sequence, err error) {
	b, err := io.ReadAll(o.Limits.bound("C3D", r))
	if err != nil {
		return seq, err
	}
	start := 0 // of the parameters
	if len(b) >= c3dBlock {
		start = c3dBlock * (int(b[0]) - 1)
	}
	if start <= 0 || b[1] != 0x50 || start+4 > len(b) || b[start+3] != c3dPC {
		return seq, wrong("C3D", "", "there are no header and parameters of a PC, want the file as a program has written it on one")
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(b[at:])) }
	f32 := func(at int) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[at:]))) }
	texts := c3dTexts(b[start+4 : max(start+4, min(len(b), start+c3dBlock*int(b[start+2])))])
	points, frames, scale, from, rate, word := u16(2), u16(8)-u16(6)+1, f32(12), c3dBlock*(u16(16)-1), f32(20), 2
	if scale < 0 {
		word = 4 // floating-point
	}
	each := word * (4*points + u16(4))
	index, at, err := partsOf(texts["LABELS"][:min(points, len(texts["LABELS"]))])
	right, up := c3dAxes[cmp.Or(strings.Join(texts["X_SCREEN"], ""), "+X")], c3dAxes[cmp.Or(strings.Join(texts["Y_SCREEN"], ""), "+Z")]
	switch end := from + frames*each; {
	case err != nil:
		return seq, wrong("C3D", "POINT:LABELS", "%v", err)
	case frames <= 0 || u16(8) == maxPaced || o.Limits.tooMany(frames) != "":
		return seq, wrong("C3D", "POINT:FRAMES", "there are %d frames, want 1 to %d: save parts of the recording", frames, min(o.Limits.frames(), maxPaced-1))
	case from < c3dBlock || end > len(b):
		return seq, wrong("C3D", "", "the file is cut off: it has %d bytes, and its %d frames end at %d", len(b), frames, end)
	case rate == 0 || checkRate("", "", rate) != nil:
		return seq, wrong("C3D", "POINT:RATE", "is %v, want frames per second", rate)
	case right.Cross(up) == keypoint.Position{}:
		return seq, wrong("C3D", "POINT:Y_SCREEN", "and X_SCREEN are %q and %q, want two axes such as +Z and +X", texts["Y_SCREEN"], texts["X_SCREEN"])
	}
	l := lengthsOf(strings.Join(texts["UNITS"], ""))
	seq.Frames, seq.Times = make([]keypoint.Frame, frames), atRate(frames, rate)
	for i := range seq.Frames {
		var places keypoint.Positions
		for _, p := range index.List() {
			var v [4]float64
			for k := range v {
				place := from + i*each + word*(4*at[p]+k)
				if v[k] = scale * float64(int16(u16(place))); word == 4 {
					v[k] = f32(place)
				}
			}
			raw, residual := keypoint.Position(v[:3]), v[3]/math.Abs(scale)
			if word == 4 {
				residual = v[3]
			}
			if !(residual >= 0 && finite(residual)) || raw == (keypoint.Position{}) {
				continue
			}
			to := keypoint.Position{raw.Dot(right), raw.Dot(up), raw.Dot(right.Cross(up))}
			if l.unit == "" { // pixels, y down
				to[1] = -to[1]
			}
			seq.Frames[i].Set(p, to.Vec2(), 1)
			places.Set(p, to, math.Mod(math.Floor(residual), 256)*math.Abs(scale))
		}
		seq.Frames[i].SetPositions(&places)
	}
	return l.inPlane("C3D", seq)
}

// c3dTexts returns the parameters of the group POINT that are texts.
func c3dTexts(b []byte) map[string][]string {
	ids, list := map[string]int8{}, map[int8]map[string][]string{}
	for len(b) > 2 && b[0] != 0 && b[0] != 0x80 {
		n, id := max(int(int8(b[0])), -int(int8(b[0]))), int8(b[1]) // negative: locked
		if len(b) < n+5 {
			break
		}
		name, offset := strings.ToUpper(string(b[2:2+n])), int(binary.LittleEndian.Uint16(b[2+n:]))
		if b = b[2+n:]; offset < 2 || offset > len(b) {
			offset = len(b) // the last one
		}
		if list[id] == nil {
			list[id] = map[string][]string{}
		}
		if b := b[2:offset]; id < 0 {
			ids[name] = -id
		} else if len(b) > 2 && b[0] == 0xff && b[1] > 0 && b[2] > 0 && len(b) > 2+int(b[1]) { // texts, in so many dimensions
			text, width, size := string(b[2+int(b[1]):]), int(b[2]), 1
			for _, n := range b[2 : 2+int(b[1])] {
				size = min(size*int(n), len(text))
			}
			for text = text[:size]; len(text) >= width; text = text[width:] {
				list[id][name] = append(list[id][name], strings.Trim(text[:width], " \x00"))
			}
		}
		b = b[offset:]
	}
	return list[ids["POINT"]]
}
