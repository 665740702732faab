package formats

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// WriteWideCSV writes keypoints as comma-separated values with one row per frame: its number
// from 0, its time in seconds, and for each part x and y in pixels and the
// confidence. The headings have the units. The cells of an absent part are empty. The six parts of the
// feet have columns only if a frame has one of them.
//
//	frame,time [s],nose_x [px],nose_y [px],nose_confidence,leftEye_x [px],leftEye_y [px],…
//	0,0,317.4,88.12,0.91,,,,…
//
// Without times, the time cells are empty. The size of the picture is lost. An invalid
// sequence is a keypoint.ErrInvalid.
func WriteWideCSV(w io.Writer, seq keypoint.Sequence) error {
	if err := seq.Validate(); err != nil {
		return err
	}
	if err := checkWriter("CSV", w); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	row := []string{"frame", "time" + seconds}
	list := listed(seq)
	for _, p := range list {
		for i, of := range coordinates {
			row = append(row, p.String()+of+units[i])
		}
	}
	out.Write(row)
	for i := range seq.Frames {
		f := &seq.Frames[i]
		row = frameCells(row[:0], i, seq.Times)
		for _, p := range list {
			if at, ok := f.At(p); ok {
				row = append(row, number(at[0]), number(at[1]), number(f.Confidence(p)))
			} else {
				row = append(row, "", "", "")
			}
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// coordinates are the ends of the names of the columns of a part, and units what follows them.
var (
	coordinates = [3]string{"_x", "_y", "_confidence"}
	units       = [3]string{pixels, pixels, ""}
)

// wide reads the wide form, one row per frame.
func (t *table) wide() {
	columns := t.wideColumns()
	for t.next() && t.begin(false) {
		for p, c := range columns {
			t.set(keypoint.Part(p), c[0], c[1], c[2])
		}
	}
}

// wideColumns returns the columns of x, y and confidence of each part, −1 for missing ones.
func (t *table) wideColumns() (columns [keypoint.NumParts][3]int) {
	for p := range columns {
		columns[p] = [3]int{-1, -1, -1}
	}
	if !slices.Contains(t.header, "frame") {
		t.wrong("frame", "the column is missing, want frame and the parts, such as nose_x and nose_y, and perhaps time")
	}
	for i, name := range t.header {
		if name == "frame" || name == "time" {
			continue
		}
		p, of, ok := wideColumn(name)
		if !ok {
			t.wrong(member(name), "is not a known column: known are frame, time, and the parts with _x, _y and _confidence, such as leftEye_x")
			continue
		}
		if columns[p][of] >= 0 {
			t.wrong(name, "the column appears twice, in two spellings")
		}
		columns[p][of] = i
	}
	any := false
	for p, c := range columns {
		if (c[0] < 0) != (c[1] < 0) || c[0] < 0 && c[2] >= 0 {
			t.wrong(keypoint.Part(p).String(), "a column is missing, want both _x and _y")
		}
		any = any || c[0] >= 0
	}
	if !any {
		t.wrong("", "there is no part, want columns such as nose_x and nose_y")
	}
	return columns
}

// wideColumn splits the name of a column.
func wideColumn(name string) (p keypoint.Part, of int, ok bool) {
	for of, end := range coordinates {
		if part, ok := strings.CutSuffix(name, end); ok {
			p, ok := parts[part]
			return p, of, ok
		}
	}
	return 0, 0, false
}
