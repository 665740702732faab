package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/internal/tables"
	"github.com/bodymotion/motion/keypoint/quality"
)

// row is what became of a file.
type row struct {
	File    string          `json:"file"`
	Frames  int             `json:"frames"`
	Seconds float64         `json:"seconds"`
	Found   float64         `json:"found"` // share of the 17 parts in all frames, 0 to 1
	Quality quality.Verdict `json:"quality,omitempty"`
	Status  string          `json:"status"` // "done", "failed", "not finished" or "not begun"
	Error   string          `json:"error,omitempty"`
	Kept    bool            `json:"kept,omitempty"`   // it was there already; files do not say so
	Result  string          `json:"result,omitempty"` // what was found, for people
	Values  []value         `json:"values,omitempty"`
	Files   []string        `json:"files"` // that were made, now or before
}

// value is a number that was found in a file.
type value struct {
	Name        string        `json:"name"` // begins with the side, if it is of one
	Side        analyze.Side  `json:"side,omitempty"`
	Of          string        `json:"of,omitempty"` // "repetition 2", "stride 1" or "jump 1"; "": the whole file
	Unit        string        `json:"unit,omitempty"`
	Value       analyze.Value `json:"value"`                // absent: withheld
	Uncertainty analyze.Value `json:"uncertainty,omitzero"` // one standard deviation
	Constant    float64       `json:"constant,omitempty"`   // the bias in the uncertainty, the same in every frame
	Trust       quality.Trust `json:"trust,omitempty"`
}

// number returns a value without an uncertainty.
func number(name, unit string, v float64) value {
	return value{Name: name, Unit: unit, Value: present(v)}
}

// none is a number that is absent.
var none analyze.Value

// present returns a number that is there.
func present(v float64) analyze.Value { return analyze.Value{X: v, Present: true} }

// told returns a value with its uncertainty, or one that is absent.
func told(name string, side analyze.Side, unit string, v, uncertainty analyze.Value) value {
	if side != "" {
		name = string(side) + " " + name
	}
	if !v.Present || uncertainty.X == 0 {
		uncertainty = none
	}
	return value{Name: name, Side: side, Unit: unit, Value: v, Uncertainty: uncertainty}
}

// header returns the name of the column of the value.
func (v value) header() string {
	if v.Unit == "" {
		return v.Name
	}
	return v.Name + " (" + v.Unit + ")"
}

// cells returns the first columns of a row.
func (r row) cells() []string {
	return []string{r.File, strconv.Itoa(r.Frames), fmt.Sprintf("%.3f", r.Seconds), fmt.Sprintf("%.4f", r.Found), string(r.Quality), r.Status, r.Error, r.Result}
}

// printRows prints what became of the files, as JSON a line each.
func printRows(w io.Writer, rows []row) error {
	for _, r := range rows {
		if err := json.NewEncoder(w).Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// writeTables writes the rows into the folder of the results, as NAME.csv, NAME.long.csv and NAME.json, if they have changed.
func (b *batch) writeTables(name string, rows []row) error {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Kept = false
	}
	var table, long, list bytes.Buffer
	if err := errors.Join(writeCSV(&table, rows), writeLong(&long, rows)); err != nil {
		return err
	}
	e := json.NewEncoder(&list)
	e.SetIndent("", " ")
	if err := e.Encode(rows); err != nil {
		return err
	}
	for ext, content := range map[string][]byte{".csv": table.Bytes(), ".long.csv": long.Bytes(), ".json": list.Bytes()} {
		path := filepath.Join(b.store.dir, name+ext)
		if was, err := os.ReadFile(path); err == nil && bytes.Equal(was, content) {
			continue
		}
		err := b.keepsInputs(path)
		if err == nil {
			_, err = b.store.put(path, func(path string) error { return os.WriteFile(path, content, 0o644) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeCSV writes a line for each file, with columns for all values of whole files that any of them has: the value, its uncertainty,
// what of that is alike in all frames, and what it is worth. Names and texts cannot control a terminal or run as formulas.
func writeCSV(w io.Writer, rows []row) error {
	type column struct {
		value
		unsure, trusted bool // a value of it has an uncertainty, or says what it is worth
	}
	var columns []column
	for _, r := range rows {
		for _, v := range r.Values {
			if v.Of != "" {
				continue
			}
			i := slices.IndexFunc(columns, func(c column) bool { return c.header() == v.header() })
			if i < 0 {
				i, columns = len(columns), append(columns, column{value: v})
			}
			c := &columns[i]
			c.unsure, c.trusted = c.unsure || v.Uncertainty.Present || v.Trust != "", c.trusted || v.Trust != ""
		}
	}
	head := []string{"file", "frames", "seconds", "found", "quality", "status", "error", "result"}
	for _, c := range columns {
		head = append(head, c.header())
		if c.unsure {
			head = append(head, c.header()+" uncertainty")
		}
		if c.trusted {
			head = append(head, c.header()+" constant", c.header()+" trust")
		}
	}
	out := csv.NewWriter(w)
	out.Write(harmless(head))
	for _, r := range rows {
		cells := harmless(r.cells())
		for _, c := range columns {
			of := value{}
			if i := slices.IndexFunc(r.Values, func(v value) bool { return v.Of == "" && v.header() == c.header() }); i >= 0 {
				of = r.Values[i]
			}
			cells = append(cells, cell(of.Value))
			if c.unsure {
				cells = append(cells, cell(of.Uncertainty))
			}
			if c.trusted {
				cells = append(cells, cell(analyze.Value{X: of.Constant, Present: of.Constant != 0}), string(of.Trust))
			}
		}
		out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// writeLong writes a line for each value of each file, as programs for statistics want them: of the whole file, and of each
// repetition, stride or jump. The unit of what has none is empty, and so is the cell of an absent number.
func writeLong(w io.Writer, rows []row) error {
	out := csv.NewWriter(w)
	out.Write([]string{"file", "what", "side", "of", "value", "unit", "uncertainty", "constant", "trust"})
	for _, r := range rows {
		for _, v := range r.Values {
			what := strings.TrimPrefix(v.Name, string(v.Side)+" ")
			cells := harmless([]string{r.File, what, string(v.Side), v.Of, "", v.Unit, "", "", string(v.Trust)})
			cells[4], cells[6], cells[7] = cell(v.Value), cell(v.Uncertainty), cell(analyze.Value{X: v.Constant, Present: v.Constant != 0})
			out.Write(cells)
		}
	}
	out.Flush()
	return out.Error()
}

// harmless makes texts cells of a spreadsheet.
func harmless(cells []string) []string {
	for i := range cells {
		cells[i] = tables.Text(setup.Visible(cells[i]))
	}
	return cells
}

// cell returns a number as JSON has it, or "".
func cell(v analyze.Value) string {
	if !v.Present {
		return ""
	}
	text, _ := v.MarshalJSON() // a number that is present has no error
	return string(text)
}

// printTable prints what became of the files, and in a last column what was found, if anything was.
func printTable(w io.Writer, rows []row) error {
	noted := slices.ContainsFunc(rows, func(r row) bool { return r.Result != "" })
	var text bytes.Buffer
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	line := func(notes string, cells ...string) {
		if noted {
			cells = append(cells, notes)
		}
		for i := range cells {
			cells[i] = setup.Visible(cells[i])
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	line("RESULT", "FILE", "FRAMES", "SECONDS", "FOUND", "QUALITY", "STATUS")
	for _, r := range rows {
		frames, seconds, found, verdict := "-", "-", "-", "-"
		if r.Frames > 0 {
			frames, found = fmt.Sprint(r.Frames), fmt.Sprintf("%.0f %%", 100*r.Found)
		}
		if r.Seconds > 0 {
			seconds = fmt.Sprintf("%.1f", r.Seconds)
		}
		if r.Quality != "" {
			verdict = string(r.Quality)
		}
		status := r.Status
		if r.Kept {
			status += " (kept)"
		}
		line(r.Result, r.File, frames, seconds, found, verdict, status)
	}
	t.Flush() // a bytes.Buffer has no errors
	for l := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(l, " \n")); err != nil {
			return err
		}
	}
	return nil
}
