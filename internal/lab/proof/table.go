package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
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

// agreement is how errors are summed up.
type agreement struct {
	n                      int
	bias, deviation, total float64 // the mean, the standard deviation, the root mean square
}

func agree(errors []float64) agreement {
	a := agreement{n: len(errors)}
	if a.n == 0 {
		return a
	}
	a.bias, a.deviation = stat.PopMeanStdDev(errors, nil)
	a.total = floats.Norm(errors, 2) / math.Sqrt(float64(a.n))
	return a
}

// limits writes the 95 % limits of agreement.
func (a agreement) limits() string {
	return digits(a.bias-1.96*a.deviation) + " to " + digits(a.bias+1.96*a.deviation)
}

// quantity is the errors of a quantity in several recordings.
type quantity struct {
	what             string
	errors, unbiased []float64 // unbiased: without the bias of each sample
	biases           []float64
	halves           [2][]float64 // of every second recording and of the others
	recordings       []int        // those that have values
	of, wrong        int
}

// quantities are in the order in which they are met.
type quantities []*quantity

// add adds the errors of a recording.
func (q *quantities) add(recording int, s sample) {
	k := slices.IndexFunc(*q, func(x *quantity) bool { return x.what == s.what })
	if k < 0 {
		k, *q = len(*q), append(*q, &quantity{what: s.what})
	}
	x := (*q)[k]
	if x.of, x.wrong = x.of+s.of, x.wrong+s.wrong; len(s.errors) == 0 {
		return
	}
	bias := agree(s.errors).bias
	x.errors, x.biases = append(x.errors, s.errors...), append(x.biases, bias)
	x.halves[recording%2] = append(x.halves[recording%2], s.errors...)
	for _, e := range s.errors {
		x.unbiased = append(x.unbiased, e-bias)
	}
	if !slices.Contains(x.recordings, recording) {
		x.recordings = append(x.recordings, recording)
	}
}

// report prints a table for each measure, and at its end each quantity of all movies; there the last
// column is the error after removing the bias of each movie.
func report(out io.Writer, recordings []recording, measures []measure) error {
	for _, m := range measures {
		var all quantities
		t := newTable(out, fmt.Sprintf("%s [%s]", m.name, m.unit), "movie", "view", "n", "bias", "limits of agreement", "RMSE", "without bias")
		row := func(what, movie, view string, a agreement, unbiased float64) {
			t.row(what, movie, view, a.n, digits(a.bias), a.limits(), digits(a.total), digits(unbiased))
		}
		for i, r := range recordings {
			samples, err := m.errors(r)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", m.name, r.truth.Name, err)
			}
			for _, s := range samples {
				if a := agree(s.errors); a.n > 0 {
					row(s.what, r.truth.Name, r.view(), a, a.deviation)
					all.add(i, s)
				}
			}
		}
		for _, q := range all {
			row(q.what, fmt.Sprintf("all %d", len(q.biases)), "", agree(q.errors), agree(q.unbiased).deviation)
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
