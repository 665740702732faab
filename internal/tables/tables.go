// Package tables writes numbers over the frames of a recording as CSV and JSON Lines.
package tables

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
)

// Column is a named series of numbers.
type Column struct {
	Name string
	Unit string                                  // such as "deg"; "" for none
	At   func(frame int) (v float64, there bool) // the number of a frame; false: absent
}

// WriteCSV writes a row for each frame: its number from 0, its time in seconds, and the columns under their
// names and units. The cell of an absent number or time is empty. Times that are not one a frame or do not
// increase, equal names, and numbers that are not finite are a keypoint.ErrInvalid.
func WriteCSV(w io.Writer, times []float64, frames int, columns []Column) error {
	if err := check("CSV", times, frames, columns, "frame", "time"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	row := []string{"frame", "time [s]"}
	for _, c := range columns {
		if row = append(row, c.Name); c.Unit != "" {
			row[len(row)-1] += " [" + c.Unit + "]"
		}
	}
	out.Write(row)
	for i := range frames {
		row = append(row[:0], strconv.Itoa(i), "")
		if times != nil {
			row[1] = Number(times[i])
		}
		out.Write(cells(row, i, columns, ""))
	}
	out.Flush()
	return out.Error()
}

// WriteMOT writes a motion file of OpenSim; an absent number is NaN, and spaces in names are underscores. Its errors are those of WriteCSV.
func WriteMOT(w io.Writer, name string, times []float64, columns []Column) error {
	row := []string{"time"}
	for i := range columns {
		columns[i].Name = strings.Join(strings.Fields(columns[i].Name), "_")
		row = append(row, columns[i].Name)
	}
	if err := check("MOT", times, len(times), columns, "time"); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\nversion=1\nnRows=%d\nnColumns=%d\ninDegrees=yes\nendheader\n", name, len(times), len(row))
	fmt.Fprintln(out, strings.Join(row, "\t"))
	for i, t := range times {
		fmt.Fprintln(out, strings.Join(cells(append(row[:0], Number(t)), i, columns, "NaN"), "\t"))
	}
	return out.Flush()
}

func cells(row []string, frame int, columns []Column, absent string) []string {
	for _, c := range columns {
		cell := absent
		if v, ok := c.At(frame); ok {
			cell = Number(v)
		}
		row = append(row, cell)
	}
	return row
}

// check reports times and columns that cannot be written.
func check(format string, times []float64, frames int, columns []Column, taken ...string) error {
	wrong := func(text string, args ...any) error {
		return fmt.Errorf("%w %s: "+text, append([]any{keypoint.ErrInvalid, format}, args...)...)
	}
	if times != nil && len(times) != frames {
		return wrong("there are %d times, want %d, one a frame", len(times), frames)
	}
	for i, t := range times {
		if !finite(t) || i > 0 && t <= times[i-1] {
			return wrong("time is %v s in frame %d, want finite times that increase", t, i)
		}
	}
	for _, c := range columns {
		if c.Name == "" || slices.Contains(taken, c.Name) {
			return wrong("the name %q of a column is taken or empty, want another one", c.Name)
		}
		taken = append(taken, c.Name)
		for i := range frames {
			if v, ok := c.At(i); ok && !finite(v) {
				return wrong("%s is %v in frame %d, want a finite number", c.Name, v, i)
			}
		}
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Number returns the shortest text that reads back as v.
func Number(v float64) string {
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.FormatFloat(v, format, -1, 64)
}

// Text returns a text for the cell of a spreadsheet: what could be a formula begins with an apostrophe.
func Text(text string) string {
	if bare := strings.TrimLeft(text, " \t\r\n"); strings.IndexAny(bare, "=+-@＝＋－＠") == 0 { // the wide ones in Japanese
		return "'" + text
	}
	return text
}

// Members are the members of a JSON object.
type Members map[string]json.RawMessage

// Split writes v as JSON, reads the named members into series and returns the others.
func Split(v, series any, names ...string) (rest Members, err error) {
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, series)
	}
	if err == nil {
		err = json.Unmarshal(b, &rest)
	}
	for _, name := range names {
		delete(rest, name)
	}
	return rest, err
}

// WriteJSONL writes a line with head and the member timed, and a line for each frame, which gets its time in
// seconds with at most six decimals, nil without times. Its errors are those of WriteCSV.
func WriteJSONL(w io.Writer, times []float64, frames int, head Members, line func(frame int, time json.RawMessage) any) error {
	if err := check("JSON Lines", times, frames, nil); err != nil {
		return err
	}
	buffered := bufio.NewWriter(w)
	out := json.NewEncoder(buffered)
	out.SetEscapeHTML(false)
	head["timed"] = strconv.AppendBool(nil, times != nil)
	if err := out.Encode(head); err != nil {
		return err
	}
	for i := range frames {
		var time json.RawMessage
		if times != nil {
			time = jsonappend.Number(nil, times[i], 6)
		}
		if err := out.Encode(line(i, time)); err != nil {
			return err
		}
	}
	return buffered.Flush()
}
