package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/bodymotion/motion/internal/agree"
)

// table prints cells in columns.
type table struct{ *tabwriter.Writer }

func newTable(out io.Writer, heads ...any) table {
	t := table{tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)}
	t.row(heads...)
	return t
}

func (t table) row(cells ...any) {
	for _, c := range cells {
		fmt.Fprint(t, c, "\t")
	}
	fmt.Fprintln(t)
}

// cell returns what writes a number that may be missing.
func cell(format string) func(v float64, ok bool) string {
	return func(v float64, ok bool) string {
		if !ok {
			return "-"
		}
		return fmt.Sprintf(format, v)
	}
}

// measure compares one kind of value of a movie with the truth.
type measure struct {
	name, unit string
	errors     func(r recording) ([]sample, error)
}

// sample is the errors of one quantity in one movie, found minus true.
type sample struct {
	what   string // such as "knee, near side"
	errors []float64
	of     int // how many could be known, if it is more
	wrong  int // how many were told that are none
}

// summed returns the sums of errors.
func summed(errors []float64) (s agree.Sums) {
	for _, e := range errors {
		s.Add(e, 0, 0)
	}
	return s
}

// limits writes the 95 % limits of agreement.
func limits(a agree.Agreement) string { return digits(a.Limits.Low) + " to " + digits(a.Limits.High) }

// quantity is the errors of a quantity in several recordings.
type quantity struct {
	what       string
	recordings map[string]agree.Sums // those that have values, each for a person
	unbiased   agree.Sums            // without the bias of each sample
	biases     []float64
	halves     [2]agree.Sums // of every second recording and of the others
	of, wrong  int
}

// quantities are in the order in which they are met.
type quantities []*quantity

// add adds the errors of a recording.
func (q *quantities) add(recording int, s sample) {
	k := slices.IndexFunc(*q, func(x *quantity) bool { return x.what == s.what })
	if k < 0 {
		k, *q = len(*q), append(*q, &quantity{what: s.what, recordings: map[string]agree.Sums{}})
	}
	x := (*q)[k]
	if x.of, x.wrong = x.of+s.of, x.wrong+s.wrong; len(s.errors) == 0 {
		return
	}
	sums, name := summed(s.errors), strconv.Itoa(recording)
	bias := sums.Bias()
	x.biases, x.recordings[name] = append(x.biases, bias), x.recordings[name].Plus(sums)
	x.halves[recording%2] = x.halves[recording%2].Plus(sums)
	for _, e := range s.errors {
		x.unbiased.Add(e-bias, 0, 0)
	}
}

// report prints a table for each measure, and at its end each quantity of all movies; there the last
// column is the error after removing the bias of each movie.
func report(out io.Writer, recordings []recording, measures []measure) error {
	for _, m := range measures {
		var all quantities
		t := newTable(out, fmt.Sprintf("%s [%s]", m.name, m.unit), "movie", "view", "n", "bias", "limits of agreement", "RMSE", "without bias")
		row := func(q *quantity, movie, view string) {
			a := agree.Of(q.recordings)
			t.row(q.what, movie, view, a.Pairs, digits(a.Bias), limits(a), digits(a.RMSE), digits(q.unbiased.RMSE()))
		}
		for i, r := range recordings {
			samples, err := m.errors(r)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", m.name, r.truth.Name, err)
			}
			for _, s := range samples {
				if len(s.errors) > 0 {
					var one quantities
					one.add(i, s)
					row(one[0], r.truth.Name, r.view())
					all.add(i, s)
				}
			}
		}
		for _, q := range all {
			row(q, fmt.Sprintf("all %d", len(q.biases)), "")
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return nil
}

// digits writes a number with three significant digits.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case a < 0.0995:
		return fmt.Sprintf("%.3f", v)
	case a < 9.95:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// view returns the range of the directions from which the movie shows the person, without sides.
func (r recording) view() string {
	low, high := 180.0, 0.0
	for i, v := range r.truth.View {
		if r.truth.Inside[i] > 0 {
			low, high = min(low, math.Abs(v)), max(high, math.Abs(v))
		}
	}
	if text := fmt.Sprintf("%.0f–%.0f", low, high); high-low > 2 {
		return text
	}
	return strings.TrimSpace(fmt.Sprintf("%.0f", (low+high)/2))
}
