package formats

import (
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// trcHeader is the content of the lines before the rows.
type trcHeader struct {
	lengths
	frames  int // −1 if the header does not give it
	columns int
	parts   keypoint.Parts
	at      [keypoint.NumParts]int // the markers of the parts
}

// readTRCHeader reads the first five lines.
func readTRCHeader(in *lines) trcHeader {
	h := trcHeader{frames: -1}
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
			h.lengths = lengthsOf(values[i])
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
	names := make([]string, n)
	for i, name := range cells[2:] {
		if name = strings.TrimSpace(name); i%3 == 0 {
			names[i/3] = name
		} else if name != "" {
			in.wrong(name, "the name of the marker is in column %d, want one name in three columns", i+3)
		}
	}
	var err error
	if h.parts, h.at, err = partsOf(names); err != nil {
		in.wrong("", "%v", err)
	}
	in.want("the line X1, Y1, Z1, …")
}

// set puts the parts of a row into a frame.
func (h *trcHeader) set(in *lines, cells []string, f *keypoint.Frame) {
	var places keypoint.Positions
	for _, p := range h.parts.List() {
		column := 2 + 3*h.at[p]
		if column >= len(cells) {
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
		if has[0] && v != (keypoint.Position{}) {
			if f.Set(p, v.Vec2(), 1); has[2] {
				places.Set(p, v, 0)
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
