package formats

import (
	"cmp"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// metres is the length of each unit in metres, by its name in files.
var metres = map[string]float64{
	"m": 1, "meters": 1, "metres": 1, "cm": 0.01, "centimeters": 0.01, "centimetres": 0.01,
	"mm": 0.001, "millimeters": 0.001, "millimetres": 0.001,
}

// trcHeader is the content of the lines before the rows.
type trcHeader struct {
	frames  int // −1 if the header does not give it
	scale   float64
	unit    string  // of positions; "" for a file without
	length  float64 // of the file's unit in that
	deep    bool    // a Z is not 0
	columns int
	parts   [keypoint.NumParts]int // the columns of x; 0 for none
}

// readTRCHeader reads the first five lines.
func readTRCHeader(in *lines, opt TRCOptions) trcHeader {
	h := trcHeader{frames: -1, scale: cmp.Or(opt.PixelsPerMetre, 1)}
	if text := in.want("a line that begins with PathFileType"); !strings.HasPrefix(text, "PathFileType") {
		in.wrong("", "begins with %s, want PathFileType", quote(text[:min(len(text), 12)]))
	}
	keys := strings.Fields(in.want("a line that begins with DataRate"))
	values := strings.Fields(in.want("the values of the line above"))
	if len(keys) != len(values) {
		in.wrong("", "there are %d values, want %d, one for each name in the line above", len(values), len(keys))
		return h
	}
	numMarkers := -1
	for i, key := range keys {
		switch key {
		case "NumFrames":
			h.frames = in.count(key, values[i])
		case "NumMarkers":
			numMarkers = in.count(key, values[i])
		case "Units":
			unit, ok := metres[strings.ToLower(values[i])]
			switch {
			case ok:
				h.unit, h.length = keypoint.Metres, unit
			case values[i] == keypoint.Torso:
				h.unit, h.length = keypoint.Torso, 1
			}
			if opt.PixelsPerMetre != 0 {
				if !ok {
					in.wrong(key, "is %s, want m, cm or mm, since PixelsPerMetre is set", quote(values[i]))
				}
				h.scale *= unit
			}
		}
	}
	h.readMarkers(in, numMarkers)
	return h
}

// readMarkers reads the names of the markers, each over three columns, and the line below.
func (h *trcHeader) readMarkers(in *lines, numMarkers int) {
	cells := strings.Split(strings.TrimRight(in.want("the names of the markers"), "\t \r"), "\t")
	if len(cells) < 3 || strings.TrimSpace(cells[0]) != "Frame#" || strings.TrimSpace(cells[1]) != "Time" {
		in.wrong("", "want Frame#, Time and the names of the markers, separated by tabs")
		return
	}
	n := (len(cells) - 2 + 2) / 3
	switch {
	case numMarkers >= 0 && n != numMarkers:
		in.wrong("NumMarkers", "there are names for %d markers, want %d as the header says", n, numMarkers)
	case 2+3*n > maxColumns:
		in.wrong("", "there are %d markers, want at most %d", n, (maxColumns-2)/3)
	}
	h.columns = 2 + 3*n
	known := false
	for i, name := range cells[2:] {
		name = strings.TrimSpace(name)
		if i%3 != 0 {
			if name != "" {
				in.wrong(name, "the name of the marker is in column %d, want one name in three columns", i+3)
			}
			continue
		}
		if p, ok := parts[name]; ok {
			if h.parts[p] != 0 {
				in.wrong(name, "the marker appears twice")
			}
			h.parts[p], known = 2+i, true
		}
	}
	if !known {
		in.wrong("", "no marker is one of the parts, want names such as RShoulder, LKnee or Nose")
	}
	in.want("the line X1, Y1, Z1, …")
}

// set puts the parts of a row into a frame.
func (h *trcHeader) set(in *lines, cells []string, f *keypoint.Frame, opt TRCOptions) {
	down := h.scale
	if opt.YUp {
		down = -down
	}
	var places keypoint.Positions
	for p, column := range h.parts {
		if column == 0 || column >= len(cells) {
			continue
		}
		var v keypoint.Position
		var has [3]bool
		for i := range v {
			var detail string
			if v[i], has[i], detail = parseNumber(cells[column+i]); detail != "" {
				in.wrong(markers[p]+" "+"XYZ"[i:i+1], "%s", detail)
			}
		}
		if has[0] != has[1] {
			in.wrong(markers[p], "has only one of X and Y, want both or neither")
		}
		if has[0] && !(opt.ZeroIsAbsent && v == keypoint.Position{}) {
			f.Set(keypoint.Part(p), keypoint.Point{opt.Origin[0] + v[0]*h.scale, opt.Origin[1] + v[1]*down}, 1)
			if h.unit != "" && has[2] {
				places.Set(keypoint.Part(p), v.Mul(h.length), 0)
				h.deep = h.deep || v[2] != 0
			}
		}
	}
	f.SetPositions(&places)
}

// cells splits a row; ok is false for a wrong number of cells. Empty cells at its end may be missing.
func (h *trcHeader) cells(in *lines, text string) (cells []string, ok bool) {
	cells = strings.Split(text, "\t")
	for len(cells) > h.columns && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	n := len(cells)
	if ok = n >= 2 && n <= h.columns && (n-2)%3 == 0; !ok {
		in.wrong("", "there are %d cells, want %d: frame, time and three a marker", n, h.columns)
	}
	return cells, ok
}
