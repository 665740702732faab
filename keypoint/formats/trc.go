package formats

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/internal/tables"
	"github.com/bodymotion/motion/keypoint"
)

// readTRC reads markers.
func readTRC(r io.Reader, opt Options) (keypoint.Sequence, error) {
	in := opt.Limits.lines("TRC", r)
	h := readTRCHeader(in)
	t := timeline{limits: opt.Limits, times: []float64{}}
	in.rows(func(text string) {
		cells, ok := h.cells(in, text)
		if !ok {
			return
		}
		number, detail := parseFrame(cells[0])
		if detail != "" {
			in.wrong("Frame#", "%s", detail)
		}
		time, ok, detail := parseNumber(cells[1])
		if !ok && detail == "" {
			detail = "is not a number, want one"
		}
		if detail != "" {
			in.wrong("Time", "%s", detail)
		}
		if member, detail := t.add(number, time, true); detail != "" {
			in.wrong(member, "%s", detail)
			return
		}
		h.set(in, cells, t.frame())
	})
	if h.frames >= 0 && h.frames != len(t.frames) {
		in.wrong("NumFrames", "there are %d frames, want %d as the header says", len(t.frames), h.frames)
	}
	if in.err != nil {
		return keypoint.Sequence{}, in.err
	}
	return h.inPlane("TRC", t.sequence())
}

// writeTRC writes markers.
func writeTRC(w io.Writer, seq keypoint.Sequence) error {
	p, err := markersOf("TRC", seq)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString(p.trcHead())
	var row []string
	for i := range seq.Frames {
		row = append(row[:0], strconv.Itoa(i), tables.Number(seq.Times[i]))
		for _, part := range p.list {
			at, _, ok := p.at(i, part)
			if !ok {
				row = append(row, "NaN", "NaN", "NaN") // OpenSim loses an empty cell at the end of a row
				continue
			}
			row = append(row, tables.Number(at[0]), tables.Number(at[1]), tables.Number(at[2]))
		}
		fmt.Fprintln(out, strings.Join(row, "\t"))
	}
	return out.Flush()
}

// trcHead returns the lines before the rows.
func (p placed) trcHead() string {
	n, r := strconv.Itoa(p.seq.Len()), tables.Number(p.rate())
	names, axes := "Frame#\tTime", "\t"
	for i, part := range p.list {
		names += "\t" + markers[part] + "\t\t"
		axes += fmt.Sprintf("\tX%[1]d\tY%[1]d\tZ%[1]d", i+1)
	}
	return "PathFileType\t4\t(X/Y/Z)\tkeypoints.trc\n" +
		"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n" +
		strings.Join([]string{r, r, n, strconv.Itoa(len(p.list)), p.unit, r, "0", n}, "\t") +
		"\n" + names + "\n" + axes + "\n\n"
}

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
