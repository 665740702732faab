package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
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
	Status  string          `json:"status"`
	Error   string          `json:"error,omitempty"`
	Result  string          `json:"result,omitempty"` // what was found, for people
	Values  []value         `json:"values,omitempty"`
	Files   []string        `json:"files"` // that were made, now or before
}

// value is a number that was found in a file.
type value struct {
	Name        string        `json:"name"`
	Unit        string        `json:"unit,omitempty"`
	Value       analyze.Value `json:"value"`                // absent: withheld
	Uncertainty analyze.Value `json:"uncertainty,omitzero"` // one standard deviation
	Constant    float64       `json:"constant,omitempty"`   // what of the uncertainty is alike in every frame
	Trust       quality.Trust `json:"trust,omitempty"`
}

// number returns a value without an uncertainty.
func number(name, unit string, v float64) value {
	return value{Name: name, Unit: unit, Value: analyze.Value{X: v, Present: true}}
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

// writeTables writes the rows into the folder of the results, as NAME.csv and NAME.json, if they have changed.
func (b *batch) writeTables(name string, rows []row) error {
	rows = slices.Clone(rows)
	for i := range rows {
		if rows[i].Status == "kept" || rows[i].Status == "made" {
			rows[i].Status = "done"
		}
	}
	var table, list bytes.Buffer
	if err := writeCSV(&table, rows); err != nil {
		return err
	}
	e := json.NewEncoder(&list)
	e.SetIndent("", " ")
	if err := e.Encode(rows); err != nil {
		return err
	}
	for ext, content := range map[string][]byte{".csv": table.Bytes(), ".json": list.Bytes()} {
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

// writeCSV writes a line for each file, with columns for all values that any of them has: the value, its uncertainty, what
// it may be off by in all frames, and what it is worth. Names and texts cannot control a terminal or run as formulas.
func writeCSV(w io.Writer, rows []row) error {
	var columns []value
	for _, r := range rows {
		for _, v := range r.Values {
			if !slices.ContainsFunc(columns, func(c value) bool { return c.header() == v.header() }) {
				columns = append(columns, v)
			}
		}
	}
	head := []string{"file", "frames", "seconds", "found", "quality", "status", "error", "result"}
	for _, c := range columns {
		head = append(head, c.header())
		if c.Trust != "" {
			head = append(head, c.header()+" uncertainty", c.header()+" constant", c.header()+" trust")
		}
	}
	out := csv.NewWriter(w)
	out.Write(harmless(head))
	for _, r := range rows {
		cells := harmless(r.cells())
		for _, c := range columns {
			of := value{}
			if i := slices.IndexFunc(r.Values, func(v value) bool { return v.header() == c.header() }); i >= 0 {
				of = r.Values[i]
			}
			cells = append(cells, cell(of.Value))
			if c.Trust != "" {
				cells = append(cells, cell(of.Uncertainty), cell(analyze.Value{X: of.Constant, Present: of.Constant != 0}), string(of.Trust))
			}
		}
		out.Write(cells)
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
		line(r.Result, r.File, frames, seconds, found, verdict, r.Status)
	}
	t.Flush() // a bytes.Buffer has no errors
	for l := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(l, " \n")); err != nil {
			return err
		}
	}
	return nil
}
