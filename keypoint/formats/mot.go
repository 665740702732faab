package formats

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
)

// Motion is the content of a MOT file: columns of numbers over time. Angles are degrees; other
// columns are in the unit of the file, such as metres.
type Motion struct {
	Name    string    // the first line; "" means "Coordinates"
	Times   []float64 // seconds, increasing
	Columns []Column  // one value per time each
}

// WriteMOT writes a motion file of OpenSim and SIMM: a header, then one row per frame with its
// time in seconds and the columns, angles in degrees. An absent value is NaN.
//
//	Coordinates
//	version=1
//	nRows=2
//	nColumns=2
//	inDegrees=yes
//	endheader
//	time	knee_angle_r
//	0	12.5
//	0.04	NaN
//
// OpenSim finds the coordinates of its models by the names of the columns; spaces in them become
// underscores, "left_knee_flexion". Its TimeSeriesTable reads NaN, but its older Storage stops at the first NaN:
// for programs that use it, fill or leave out absent values. Units are lost. Whatever
// WriteColumnsCSV refuses, equal names but for spaces, and a motion without times are an Error.
func WriteMOT(w io.Writer, m Motion) error {
	name := cmp.Or(m.Name, "Coordinates")
	switch {
	case m.Times == nil:
		return wrong("MOT", "time", "there are no times, want one a row")
	case strings.TrimSpace(name) != name || strings.Contains(name, "\n") ||
		strings.HasPrefix(name, byteOrderMark) || strings.EqualFold(name, endHeader):
		return wrong("MOT", "Name", "is %s, want one line without space around it", quote(name))
	}
	columns := slices.Clone(m.Columns)
	for i := range columns {
		columns[i].Name = strings.Join(strings.Fields(columns[i].Name), "_")
	}
	if err := checkColumns("MOT", m.Times, len(m.Times), columns); err != nil {
		return err
	}
	if err := checkWriter("MOT", w); err != nil {
		return err
	}
	row := []string{"time"}
	for _, c := range columns {
		row = append(row, c.Name)
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\nversion=1\nnRows=%d\nnColumns=%d\ninDegrees=yes\nendheader\n", name, len(m.Times), len(row))
	fmt.Fprintln(out, strings.Join(row, "\t"))
	for i, t := range m.Times {
		row = append(row[:0], number(t))
		for _, c := range columns {
			row = append(row, cell(c.Values[i], "NaN"))
		}
		fmt.Fprintln(out, strings.Join(row, "\t"))
	}
	return out.Flush()
}

// ReadMOT reads a motion file of OpenSim, SIMM or Sports2D: times in seconds and columns,
// angles in degrees. Tabs or spaces separate columns; NaN is an absent value. A header
// without inDegrees=yes and a number of rows or columns other than the header's are an Error.
// Other lines of the header are ignored.
func ReadMOT(r io.Reader, limits Limits) (Motion, error) {
	in := limits.lines("MOT", r)
	m, rows, columns := readMOTHeader(in)
	m.readNames(in, columns)
	in.rows(func(text string) {
		if detail := limits.tooMany(len(m.Times) + 1); detail != "" {
			in.wrong("", "%s", detail)
		}
		m.readRow(in, strings.Fields(text))
	})
	if rows >= 0 && rows != len(m.Times) {
		in.wrong("nRows", "there are %d rows, want %d as the header says", len(m.Times), rows)
	}
	if in.err != nil {
		return Motion{}, in.err
	}
	return m, nil
}

// endHeader is the last line of a header.
const endHeader = "endheader"

// readMOTHeader reads the lines before the names of the columns; rows and columns are −1 if the
// header does not give them.
func readMOTHeader(in *lines) (m Motion, rows, columns int) {
	rows, columns = -1, -1
	m = Motion{Name: strings.TrimSpace(in.want("the name of the motion")), Times: []float64{}}
	if strings.EqualFold(m.Name, endHeader) {
		in.wrong("", "the header ends here, want the name of the motion, inDegrees=yes and perhaps nRows and nColumns")
	}
	degrees := false
	for in.err == nil {
		text := strings.TrimSpace(in.want("a line endheader"))
		if strings.EqualFold(text, endHeader) {
			break
		}
		key, value, _ := strings.Cut(text, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch strings.ToLower(key) {
		case "nrows":
			rows = in.count(key, value)
		case "ncolumns":
			columns = in.count(key, value)
		case "indegrees":
			if degrees = strings.EqualFold(value, "yes"); !degrees {
				in.wrong(key, "is %s, want yes: angles in degrees", quote(value))
			}
		}
	}
	if !degrees {
		in.wrong("inDegrees", "is missing in the header, want inDegrees=yes")
	}
	return m, rows, columns
}

// readNames reads the names of the columns and checks their number.
func (m *Motion) readNames(in *lines, columns int) {
	names := strings.Fields(in.want("the names of the columns"))
	switch {
	case len(names) == 0 || !strings.EqualFold(names[0], "time"):
		in.wrong("", "the names of the columns begin with %s, want time", quote(strings.Join(names[:min(1, len(names))], "")))
		return
	case len(names) > maxColumns:
		in.wrong("", "there are %d columns, want at most %d", len(names), maxColumns)
	case columns >= 0 && columns != len(names):
		in.wrong("nColumns", "there are %d names, want %d as the header says", len(names), columns)
	}
	seen := map[string]bool{"time": true}
	for _, name := range names[1:] {
		if seen[name] {
			in.wrong(name, "the name of the column is taken, want another one")
		}
		seen[name] = true
		m.Columns = append(m.Columns, Column{Name: name, Values: []analyze.Value{}})
	}
}

// readRow reads the cells of a row.
func (m *Motion) readRow(in *lines, cells []string) {
	if len(cells) != len(m.Columns)+1 {
		in.wrong("", "there are %d cells, want %d, one a column", len(cells), len(m.Columns)+1)
		return
	}
	time, detail := parseTime(cells[0])
	if detail != "" {
		in.wrong("time", "%s", detail)
	}
	if n := len(m.Times); n > 0 && time <= m.Times[n-1] {
		in.wrong("time", "is %v s, want more than the %v s of the row before", time, m.Times[n-1])
	}
	m.Times = append(m.Times, time)
	for i := range m.Columns {
		c := &m.Columns[i]
		v, ok, detail := parseNumber(cells[1+i])
		if detail != "" {
			in.wrong(c.Name, "%s", detail)
		}
		c.Values = append(c.Values, analyze.Value{X: v, Present: ok})
	}
}
