package formats

import (
	"cmp"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// Column is a named series of numbers, one per frame. Only X and Present of each value matter.
type Column struct {
	Name   string // such as "left knee flexion"
	Unit   string // such as "deg"; "" if there is none or it is that of the file
	Values []analyze.Value
}

// title is the head of the column in a CSV file.
func (c *Column) title() string {
	if c.Unit == "" {
		return c.Name
	}
	return c.Name + " [" + c.Unit + "]"
}

// Columns returns the values of analyses as columns for WriteColumnsCSV and WriteMOT, under the
// names of the results and in the unit of each analysis: deg for angles, px or m for lengths. A
// coordinate becomes two columns that end in x and y, a repeated name gets a number, and the other side of a result with
// a symmetry follows it. The
// caller may rename columns. They do not hold statistics over the frames.
func Columns(results []analyze.Result) []Column {
	columns := make([]Column, 0, len(results))
	names := map[string]int{}
	results = withOtherSides(results)
	for _, r := range results {
		name := cmp.Or(r.Name, string(r.Type))
		if names[name]++; names[name] > 1 {
			name += " " + strconv.Itoa(names[name])
		}
		unit := strings.ReplaceAll(cmp.Or(r.Unit, r.Type.Unit()), "°", "deg")
		if !r.Type.Pair() {
			columns = append(columns, Column{name, unit, r.Values})
			continue
		}
		x, y := make([]analyze.Value, len(r.Values)), make([]analyze.Value, len(r.Values))
		for j, v := range r.Values {
			x[j] = analyze.Value{X: v.X, Present: v.Present}
			y[j] = analyze.Value{X: v.Y, Present: v.Present}
		}
		columns = append(columns, Column{name + " x", unit, x}, Column{name + " y", unit, y})
	}
	return columns
}

// withOtherSides returns the results with the one for the other side behind each that has a symmetry.
func withOtherSides(results []analyze.Result) (all []analyze.Result) {
	for _, r := range results {
		all = append(all, r)
		if r.Symmetry != nil {
			all = append(all, r.Symmetry.OtherSide)
		}
	}
	return all
}

// ComparisonColumns returns the differences of a comparison as columns for WriteColumnsCSV: for each part
// that was compared in some frame its distance (0 to 1) and direction (deg), then the differences of
// angles (deg) and the shift (s) if there are any. They do not hold scores, repetitions and the path.
func ComparisonColumns(r compare.Result) (columns []Column) {
	for p := range keypoint.Part(keypoint.NumParts) {
		distance, direction, any := make([]analyze.Value, len(r.Frames)), make([]analyze.Value, len(r.Frames)), false
		for i := range r.Frames {
			if d, ok := r.Frames[i].At(p); ok {
				distance[i], direction[i], any = analyze.Value{X: d.Distance, Present: true}, analyze.Value{X: d.Direction, Present: true}, true
			}
		}
		if any {
			name := spaced(p.String(), " ")
			columns = append(columns, Column{name + " distance", "", distance}, Column{name + " direction", "deg", direction})
		}
	}
	for _, a := range r.Angles {
		columns = append(columns, Column{spaced(a.Name(), " ") + " difference", "deg", a.Values})
	}
	if r.Shift != nil {
		shift := make([]analyze.Value, len(r.Shift))
		for i, v := range r.Shift {
			shift[i] = analyze.Value{X: v, Present: true}
		}
		columns = append(columns, Column{"shift", "s", shift})
	}
	return columns
}

// WriteColumnsCSV writes columns as comma-separated values with one row per frame: its number
// from 0, its time in seconds, and the columns under their names and units. An absent value is an
// empty cell.
//
//	frame,time [s],left knee flexion [deg]
//	0,0,8.75
//	1,0.04,
//
// times is nil for a recording without times; its cells are empty. Columns without one value
// per frame, equal names, numbers that are not finite, and times that do not increase are an
// Error.
func WriteColumnsCSV(w io.Writer, times []float64, columns []Column) error {
	n := len(times)
	if times == nil && len(columns) > 0 {
		n = len(columns[0].Values)
	}
	if err := checkColumns("CSV", times, n, columns); err != nil {
		return err
	}
	if err := checkWriter("CSV", w); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	row := []string{"frame", "time" + seconds}
	for _, c := range columns {
		row = append(row, c.title())
	}
	out.Write(row)
	for f := range n {
		row = frameCells(row[:0], f, times)
		for _, c := range columns {
			row = append(row, cell(c.Values[f], ""))
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// checkColumns checks columns for a file of n rows.
func checkColumns(format string, times []float64, n int, columns []Column) error {
	for i, t := range times {
		if !finite(t) || i > 0 && t <= times[i-1] {
			return wrong(format, "time", "is %v s in frame %d, want finite times that increase", t, i)
		}
	}
	names := map[string]bool{"time": true, "frame": format == "CSV"}
	for _, c := range columns {
		switch {
		case c.Name == "":
			return wrong(format, "", "a column has no name")
		case names[c.Name]:
			return wrong(format, c.Name, "the name of the column is taken, want another one")
		case len(c.Values) != n:
			return wrong(format, c.Name, "there are %d values, want %d, one a frame", len(c.Values), n)
		}
		names[c.Name] = true
		for i, v := range c.Values {
			if v.Present && !finite(v.X) {
				return wrong(format, c.Name, "is %v in frame %d, want a finite number", v.X, i)
			}
		}
	}
	return nil
}
