package formats

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/bodymotion/motion/keypoint"
)

// WriteLongCSV writes keypoints as comma-separated values with one row per part: the number of
// the frame from 0, its time in seconds, the part, x and y in pixels and the confidence.
// Absent parts have no row; a frame without a person has one row without a part.
//
//	frame,time [s],part,x [px],y [px],confidence
//	0,0,nose,317.4,88.12,0.91
//	1,0.04,,,,
//
// Without times, the time cells are empty. The size of the picture is lost. An invalid
// sequence is a keypoint.ErrInvalid.
func WriteLongCSV(w io.Writer, seq keypoint.Sequence) error {
	if err := seq.Validate(); err != nil {
		return err
	}
	if err := checkWriter("CSV", w); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	row := []string{"frame", "time" + seconds, "part", "x" + pixels, "y" + pixels, "confidence"}
	out.Write(row)
	for i := range seq.Frames {
		f := &seq.Frames[i]
		row = frameCells(row[:0], i, seq.Times)
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			out.Write(append(row, p.String(), number(at[0]), number(at[1]), number(f.Confidence(p))))
		}
		if f.Empty() {
			out.Write(append(row, "", "", "", ""))
		}
	}
	out.Flush()
	return out.Error()
}

// frameCells appends the number and the time of frame i to a row.
func frameCells(row []string, i int, times []float64) []string {
	if times == nil {
		return append(row, strconv.Itoa(i), "")
	}
	return append(row, strconv.Itoa(i), number(times[i]))
}

// long reads the long form, one row per part.
func (t *table) long() {
	column := map[string]int{"time": -1, "confidence": -1}
	for _, name := range []string{"frame", "part", "x", "y"} {
		if column[name] = slices.Index(t.header, name); column[name] < 0 {
			t.wrong(name, "the column is missing, want frame, part, x and y, and perhaps time and confidence")
		}
	}
	for i, name := range t.header {
		if _, known := column[name]; !known {
			t.wrong(member(name), "is not a known column: known are frame, time, part, x, y and confidence")
		}
		column[name] = i
	}
	for t.next() && t.begin(true) {
		name, x, y := t.cells[column["part"]], column["x"], column["y"]
		p, ok := parts[name]
		switch {
		case ok && t.frame().Has(p):
			t.wrong("part", "%v appears twice in frame %d", p, t.last())
		case ok:
			t.set(p, x, y, column["confidence"])
		case name != "":
			t.wrong("part", "is %s, want a part such as nose or leftEye", quote(name))
		case t.cells[x] != "" || t.cells[y] != "":
			t.wrong("part", "is missing, want the part that x and y are of")
		}
	}
}
