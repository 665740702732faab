package formats

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// ReadCSV reads keypoints in pixels and times in seconds from comma-separated values, as
// WriteLongCSV and WriteWideCSV write them. The first line names the columns, in any order;
// a column "part" makes it the long form. The columns of times and of confidences are
// optional. Parts may be spelled leftEye, left_eye or LEye.
//
// An empty or NaN x and y make a part absent. Frame numbers are consecutive, from any number.
// Times are all present or all empty, and increase. CSV has no picture size.
func ReadCSV(r io.Reader, limits Limits) (keypoint.Sequence, error) {
	in := csv.NewReader(limits.text("CSV", r))
	in.ReuseRecord = true
	t := &table{in: in, timeline: timeline{limits: limits}}
	header, err := t.next()
	switch {
	case err == io.EOF:
		return keypoint.Sequence{}, &Error{Format: "CSV", Line: 1, Detail: "the input is empty, want a line with the names of the columns"}
	case err != nil:
		return keypoint.Sequence{}, err
	case len(header) > maxColumns:
		return keypoint.Sequence{}, t.wrong("", "there are %d columns, want at most %d", len(header), maxColumns)
	}
	t.header = slices.Clone(header)
	t.header[0] = strings.TrimLeft(t.header[0], byteOrderMark)
	for i, name := range t.header {
		if slices.Contains(t.header[:i], name) {
			return keypoint.Sequence{}, t.wrong(member(name), "the column is there twice")
		}
	}
	read := t.wide
	if slices.Contains(t.header, "part") {
		read = t.long
	}
	if err := read(); err != nil {
		return keypoint.Sequence{}, err
	}
	return t.sequence(), nil
}

// table reads a CSV file.
type table struct {
	timeline
	in     *csv.Reader
	header []string
	cells  []string // of the row
}

// rows calls row for each of the remaining rows.
func (t *table) rows(row func() error) error {
	for {
		_, err := t.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = row()
		}
		if err != nil {
			return err
		}
	}
}

// next reads a row; io.EOF after the last one.
func (t *table) next() ([]string, error) {
	var err error
	t.cells, err = t.in.Read()
	var bad *csv.ParseError
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		return nil, t.wrong("", "there are %d cells, want %d as in the first line", len(t.cells), len(t.header))
	case errors.As(err, &bad):
		return nil, &Error{Format: "CSV", Line: bad.Line, Detail: bad.Err.Error()}
	}
	return t.cells, err
}

// wrong returns an Error about the row that was read last.
func (t *table) wrong(member, detail string, args ...any) error {
	line, _ := t.in.FieldPos(0)
	return &Error{Format: "CSV", Line: line, Member: member, Detail: fmt.Sprintf(detail, args...)}
}

// number reads a cell of the row; a column of −1 is absent.
func (t *table) number(column int) (v float64, present bool, err error) {
	if column < 0 {
		return 0, false, nil
	}
	v, present, detail := parseNumber(t.cells[column])
	if detail != "" {
		return 0, false, t.wrong(t.header[column], "%s", detail)
	}
	return v, present, nil
}

// begin begins the frame of the row. If the form is long, the row may be of the last frame.
func (t *table) begin(long bool) error {
	number, detail := parseFrame(t.cells[slices.Index(t.header, "frame")])
	if detail != "" {
		return t.wrong("frame", "%s", detail)
	}
	column := slices.Index(t.header, "time")
	seconds, timed, err := t.number(column)
	if err != nil {
		return err
	}
	if long && len(t.frames) > 0 && number == t.last() {
		if timed != (t.times != nil) || timed && seconds != t.times[len(t.times)-1] {
			return t.wrong("time", "is %s, want the time of the frame's other rows", quote(t.cells[column]))
		}
		return nil
	}
	if member, detail := t.add(number, seconds, timed); detail != "" {
		return t.wrong(member, "%s", detail)
	}
	return nil
}

// set puts a part of the row into the last frame.
func (t *table) set(p keypoint.Part, x, y, confidence int) error {
	px, hasX, err := t.number(x)
	if err != nil {
		return err
	}
	py, hasY, err := t.number(y)
	if err != nil {
		return err
	}
	if hasX != hasY {
		missing := x
		if hasX {
			missing = y
		}
		return t.wrong(t.header[missing], "is missing, want x and y of %v or neither", p)
	}
	c, hasC, err := t.number(confidence)
	switch {
	case err != nil:
		return err
	case !hasX:
		return nil
	case !hasC:
		c = 1
	}
	t.frame().Set(p, keypoint.Point{px, py}, c)
	return nil
}

// member names a column in an Error, also one without a name, as data frames write theirs.
func member(column string) string {
	if column == "" {
		return `""`
	}
	return column
}
