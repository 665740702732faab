package formats

import (
	"strconv"
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
	frames  int // −1 where it does not tell
	scale   float64
	columns int
	parts   [keypoint.NumParts]int // the columns of x; 0 for none
}

// readTRCHeader reads the first five lines.
func readTRCHeader(in *lines, opt TRCOptions) (h trcHeader, err error) {
	text, err := in.want("a line that begins with PathFileType")
	if err != nil {
		return h, err
	}
	if !strings.HasPrefix(text, "PathFileType") {
		return h, in.wrong("", "begins with %s, want PathFileType", quote(text[:min(len(text), 12)]))
	}
	text, err = in.want("a line that begins with DataRate")
	if err != nil {
		return h, err
	}
	keys := strings.Fields(text)
	if text, err = in.want("the values of the line above"); err != nil {
		return h, err
	}
	values := strings.Fields(text)
	if len(keys) != len(values) {
		return h, in.wrong("", "there are %d values, want %d as the line above has names", len(values), len(keys))
	}
	h.frames, h.scale = -1, opt.scale()
	numMarkers := -1
	for i, key := range keys {
		switch key {
		case "NumFrames":
			h.frames, err = count(in, key, values[i])
		case "NumMarkers":
			numMarkers, err = count(in, key, values[i])
		case "Units":
			if opt.PixelsPerMetre != 0 {
				unit, ok := metres[strings.ToLower(values[i])]
				if !ok {
					return h, in.wrong(key, "is %s, want m, cm or mm, for there are pixels per metre", quote(values[i]))
				}
				h.scale *= unit
			}
		}
		if err != nil {
			return h, err
		}
	}
	return h, h.readMarkers(in, numMarkers)
}

// readMarkers reads the names of the markers, each over three columns, and the line below.
func (h *trcHeader) readMarkers(in *lines, numMarkers int) error {
	text, err := in.want("the names of the markers")
	if err != nil {
		return err
	}
	cells := strings.Split(strings.TrimRight(text, "\t \r"), "\t")
	if len(cells) < 3 || strings.TrimSpace(cells[0]) != "Frame#" || strings.TrimSpace(cells[1]) != "Time" {
		return in.wrong("", "want Frame#, Time and the names of the markers, parted by tabs")
	}
	n := (len(cells) - 2 + 2) / 3
	switch {
	case numMarkers >= 0 && n != numMarkers:
		return in.wrong("NumMarkers", "there are names for %d markers, want %d as the header says", n, numMarkers)
	case 2+3*n > maxColumns:
		return in.wrong("", "there are %d markers, want at most %d", n, (maxColumns-2)/3)
	}
	h.columns = 2 + 3*n
	known := false
	for i, name := range cells[2:] {
		name = strings.TrimSpace(name)
		if i%3 != 0 {
			if name != "" {
				return in.wrong(name, "the name of the marker is in column %d, want one name in three columns", i+3)
			}
			continue
		}
		p, ok := partOf(name)
		if !ok {
			continue
		}
		if h.parts[p] != 0 {
			return in.wrong(name, "the marker is there twice")
		}
		h.parts[p], known = 2+i, true
	}
	if !known {
		return in.wrong("", "no marker is one of the 17 parts, want names such as RShoulder, LKnee or Nose")
	}
	_, err = in.want("the line X1, Y1, Z1, …")
	return err
}

// set puts the parts of a row into a frame.
func (h *trcHeader) set(in *lines, cells []string, f *keypoint.Frame, opt TRCOptions) error {
	down := h.scale
	if opt.YUp {
		down = -down
	}
	for p, column := range h.parts {
		if column == 0 || column >= len(cells) {
			continue
		}
		var v [3]float64
		var has [3]bool
		for i := range v {
			var detail string
			if v[i], has[i], detail = parseNumber(cells[column+i]); detail != "" {
				return in.wrong(markers[p]+" "+"XYZ"[i:i+1], "%s", detail)
			}
		}
		if has[0] != has[1] {
			return in.wrong(markers[p], "has only one of X and Y, want both or neither")
		}
		if !has[0] || opt.ZeroIsAbsent && v == [3]float64{} {
			continue
		}
		f.Set(keypoint.Part(p), keypoint.Point{opt.Origin[0] + v[0]*h.scale, opt.Origin[1] + v[1]*down}, 1)
	}
	return nil
}

// cells splits a row. Empty cells at its end may be missing.
func (h *trcHeader) cells(in *lines, text string) ([]string, error) {
	cells := strings.Split(text, "\t")
	for len(cells) > h.columns && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	if n := len(cells); n < 2 || n > h.columns || (n-2)%3 != 0 {
		return nil, in.wrong("", "there are %d cells, want %s: frame, time and three a marker", n, strconv.Itoa(h.columns))
	}
	return cells, nil
}
