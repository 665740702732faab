package formats

import (
	"io"
	"slices"
	"strings"

	"github.com/bodymotion/motion/internal/tables"
	"github.com/bodymotion/motion/keypoint"
)

// writeCSV writes a row a frame.
func writeCSV(w io.Writer, seq keypoint.Sequence) error {
	var columns []tables.Column
	for _, p := range listed(seq) {
		for k, end := range coordinates {
			columns = append(columns, tables.Column{Name: p.String() + end, Unit: [...]string{"px", "px", ""}[k], At: func(i int) (float64, bool) {
				f := &seq.Frames[i]
				at, ok := f.At(p)
				return [...]float64{at[0], at[1], f.Confidence(p)}[k], ok
			}})
		}
	}
	return tables.WriteCSV(w, seq.Times, seq.Len(), columns)
}

// coordinates are the ends of the names of the columns of a part.
var coordinates = [3]string{"_x", "_y", "_confidence"}

// columns returns the columns of x, y and confidence of each part, −1 for missing ones.
func (t *table) columns() (columns [keypoint.NumParts][3]int) {
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
