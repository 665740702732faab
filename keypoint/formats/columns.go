package formats

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// Column is a named series of numbers, one per frame. Only X and Present of each value matter;
// the unit is that of the analysis or file.
type Column struct {
	Name   string
	Values []analyze.Value
}

// Columns returns the values of analyses as columns for WriteColumnsCSV and WriteMOT, in
// the unit of each analysis: degrees for angles, pixels for lengths. rules are the rules of
// the results. A name is the type of the analysis and its points,
// "vectorAngle_leftHip_leftKnee_leftAnkle"; a point of several parts is
// "midpoint-leftHip-rightHip". A coordinate becomes two columns that end in _x and _y, and a
// repeated name gets a number. The caller may rename columns.
//
// Columns do not hold statistics over the frames. A different number of rules and results is a
// keypoint.ErrInvalid.
func Columns(rules []analyze.Rule, results []analyze.Result) ([]Column, error) {
	if len(rules) != len(results) {
		return nil, fmt.Errorf("%w columns: %d results of %d rules, want one a rule", keypoint.ErrInvalid, len(results), len(rules))
	}
	columns := make([]Column, 0, len(results))
	names := map[string]int{}
	for i, r := range results {
		name := nameOf(rules[i])
		if names[name]++; names[name] > 1 {
			name += "_" + strconv.Itoa(names[name])
		}
		if !r.Type.Pair() {
			columns = append(columns, Column{name, r.Values})
			continue
		}
		x, y := make([]analyze.Value, len(r.Values)), make([]analyze.Value, len(r.Values))
		for j, v := range r.Values {
			x[j] = analyze.Value{X: v.X, Present: v.Present}
			y[j] = analyze.Value{X: v.Y, Present: v.Present}
		}
		columns = append(columns, Column{name + "_x", x}, Column{name + "_y", y})
	}
	return columns, nil
}

// nameOf names the column of a rule.
func nameOf(r analyze.Rule) string {
	name := string(r.Type)
	for _, s := range r.Points {
		name += "_"
		if s.Type != keypoint.Single {
			name += s.Type.String() + "-"
		}
		name += strings.ReplaceAll(strings.Trim(fmt.Sprint(s.Parts), "[]"), " ", "-")
	}
	return name
}

// WriteColumnsCSV writes columns as comma-separated values with one row per frame: its number
// from 0, its time in seconds, and the columns. An absent value is an empty cell.
//
//	frame,time,vectorAngle_leftHip_leftKnee_leftAnkle
//	0,0,171.25
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
	row := []string{"frame", "time"}
	for _, c := range columns {
		row = append(row, c.Name)
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
