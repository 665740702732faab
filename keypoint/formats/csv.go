package formats

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/internal/tables"
	"github.com/bodymotion/motion/keypoint"
)

// readCSV reads a row a frame.
func readCSV(r io.Reader, o Options) (keypoint.Sequence, error) {
	in := csv.NewReader(o.Limits.text("CSV", r))
	in.ReuseRecord = true
	t := &table{in: in, timeline: timeline{limits: o.Limits}}
	if !t.next() {
		if t.err == nil {
			t.err = &Error{Format: "CSV", Line: 1, Detail: "the input is empty, want a line with the names of the columns"}
		}
		return keypoint.Sequence{}, t.err
	}
	if n := len(t.cells); n > maxColumns {
		return keypoint.Sequence{}, t.wrong("", "there are %d columns, want at most %d", n, maxColumns)
	}
	t.header = slices.Clone(t.cells)
	t.header[0] = strings.TrimLeft(t.header[0], byteOrderMark)
	for i, name := range t.header {
		name = strings.TrimSuffix(strings.TrimSuffix(name, " [s]"), " [px]")
		t.header[i] = name
		if slices.Contains(t.header[:i], name) {
			return keypoint.Sequence{}, t.wrong(member(name), "the column appears twice")
		}
	}
	columns := t.columns()
	for t.next() && t.begin() {
		for p, c := range columns {
			t.set(keypoint.Part(p), c[0], c[1], c[2])
		}
	}
	if t.err != nil {
		return keypoint.Sequence{}, t.err
	}
	return t.sequence(), nil
}

// table reads a CSV file. After an error it reads nothing and keeps the error.
type table struct {
	timeline
	in     *csv.Reader
	header []string
	cells  []string // of the row
	err    error
}

// next reads a row; it returns false after the last one and after an error.
func (t *table) next() bool {
	if t.err != nil {
		return false
	}
	var err error
	t.cells, err = t.in.Read()
	var bad *csv.ParseError
	switch {
	case err == io.EOF:
		return false
	case errors.Is(err, csv.ErrFieldCount):
		t.wrong("", "there are %d cells, want %d as in the first line", len(t.cells), len(t.header))
	case errors.As(err, &bad):
		t.err = &Error{Format: "CSV", Line: bad.Line, Detail: bad.Err.Error()}
	default:
		t.err = err
	}
	return t.err == nil
}

// wrong keeps an Error about the row that was read last, unless there was an error before. It returns the first error.
func (t *table) wrong(member, detail string, args ...any) error {
	if t.err == nil {
		line, _ := t.in.FieldPos(0)
		t.err = &Error{Format: "CSV", Line: line, Member: member, Detail: fmt.Sprintf(detail, args...)}
	}
	return t.err
}

// number reads a cell of the row; a column of −1 is absent.
func (t *table) number(column int) (v float64, present bool) {
	if column < 0 {
		return 0, false
	}
	v, present, detail := parseNumber(t.cells[column])
	if detail != "" {
		t.wrong(t.header[column], "%s", detail)
	}
	return v, present
}

// begin begins the frame of the row. It returns false after an error.
func (t *table) begin() bool {
	number, detail := parseFrame(t.cells[slices.Index(t.header, "frame")])
	if detail != "" {
		t.wrong("frame", "%s", detail)
	}
	seconds, timed := t.number(slices.Index(t.header, "time"))
	if t.err == nil {
		if member, detail := t.add(number, seconds, timed); detail != "" {
			t.wrong(member, "%s", detail)
		}
	}
	return t.err == nil
}

// set puts a part of the row into the last frame.
func (t *table) set(p keypoint.Part, x, y, confidence int) {
	px, hasX := t.number(x)
	py, hasY := t.number(y)
	if hasX != hasY {
		missing := x
		if hasX {
			missing = y
		}
		t.wrong(t.header[missing], "is missing, want x and y of %v or neither", p)
	}
	c, hasC := t.number(confidence)
	if !hasC {
		c = 1
	}
	if hasX {
		t.frame().Set(p, keypoint.Point{px, py}, c)
	}
}

// member names a column in an Error, also one without a name, as data frames write theirs.
func member(column string) string {
	if column == "" {
		return `""`
	}
	return column
}

// parseNumber parses a cell. present is false if the cell is empty or NaN. detail describes what is wrong with it, or is "".
func parseNumber(cell string) (v float64, present bool, detail string) {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return 0, false, ""
	}
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case err != nil || math.IsInf(v, 0):
		return 0, false, "is " + quote(cell) + ", want a finite number"
	case math.IsNaN(v):
		return 0, false, ""
	}
	return v, true, ""
}

// quote quotes the beginning of a text of an input.
func quote(text string) string {
	if len(text) > 40 {
		return strconv.Quote(text[:40]) + "…"
	}
	return strconv.Quote(text)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

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
