package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/tables"
)

// WriteTables writes the report for a spreadsheet: who and how, the tables of the report with each uncertainty in a column
// of its own, and the values of all frames as analyze.WriteCSV writes them, apart by empty rows. The text is UTF-8 with a byte
// order mark. With a semicolon between cells, numbers have a decimal comma, as programs expect where that is usual. What
// could be a formula begins with an apostrophe. The errors are those of Write.
func (r *Report) WriteTables(w io.Writer, separator rune) error {
	if err := r.check(); err != nil {
		return err
	}
	p := newPage(r)
	t := spreadsheet{out: csv.NewWriter(w), comma: separator == ';'}
	t.out.Comma, t.out.UseCRLF = separator, true
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	t.row(p.in(texts.Say("kind")), r.Title)
	for _, e := range slices.Concat(p.identity(), p.settings()) {
		t.row(e.Name, e.Value)
	}
	for _, table := range append([]table{p.targetTable()}, p.tables()...) {
		if len(table.Rows) > 0 {
			t.table(table)
		}
	}
	if err := t.frames(r); err != nil {
		return err
	}
	t.out.Flush()
	return t.out.Error()
}

// spreadsheet writes rows; its writer keeps the first error.
type spreadsheet struct {
	out   *csv.Writer
	comma bool // in numbers
}

func (t *spreadsheet) row(cells ...string) {
	for k, cell := range cells {
		number := strings.TrimSuffix(strings.ReplaceAll(cell, "−", "-"), "°")
		if _, err := strconv.ParseFloat(number, 64); err == nil && strings.ContainsAny(number, "0123456789") {
			if cells[k] = number; t.comma {
				cells[k] = strings.Replace(number, ".", ",", 1)
			}
		} else {
			cells[k] = tables.Text(cell)
		}
	}
	_ = t.out.Write(cells)
}

func (t *spreadsheet) table(of table) {
	t.row("")
	t.row(of.Title, of.Note)
	unsure := make([]bool, len(of.Head)) // columns with uncertainties
	for _, r := range of.Rows {
		at := 1
		for _, c := range r.Cells {
			if at < len(unsure) {
				unsure[at] = unsure[at] || c.PM != ""
			}
			at += max(c.Span, 1)
		}
	}
	var head []string
	for k, name := range of.Head {
		if head = append(head, name); unsure[k] {
			head = append(head, "±")
		}
	}
	t.row(head...)
	for _, r := range of.Rows {
		cells, at := []string{r.Name}, 1
		for _, c := range r.Cells {
			cells = append(cells, c.Text)
			for k := range max(c.Span, 1) {
				if k > 0 {
					cells = append(cells, "")
				}
				if at < len(unsure) && unsure[at] {
					cells = append(cells, strings.TrimPrefix(c.PM, "± "))
				}
				at++
			}
		}
		t.row(append(cells, r.Pill)...)
	}
}

func (t *spreadsheet) frames(r *Report) error {
	var results []analyze.Result
	for _, s := range r.Series {
		if !r.whole {
			results = append(results, s.Result)
		}
	}
	if r.Study != nil {
		for _, m := range r.Study.Results() {
			if !slices.ContainsFunc(results, func(r analyze.Result) bool { return r.Name == m.Name }) {
				results = append(results, m)
			}
		}
	}
	var b bytes.Buffer
	if err := analyze.WriteCSV(&b, r.Sequence.Times, results); err != nil {
		return err
	}
	rows, err := csv.NewReader(&b).ReadAll()
	t.row("")
	for _, cells := range rows {
		t.row(cells...)
	}
	return err
}
