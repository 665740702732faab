package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

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

// report prints a table for each measure, and at its end each quantity of all movies; there the last
// column is the error after removing the bias of each movie.
func report(out io.Writer, recordings []recording, measures []measure) error {
	for _, m := range measures {
		var order []string
		all := map[string]*pool{}
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(w, "%s [%s]\tmovie\tview\tn\tbias\tlimits of agreement\tRMSE\twithout bias\t\n", m.name, m.unit)
		for _, r := range recordings {
			samples, err := m.errors(r)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", m.name, r.truth.Name, err)
			}
			for _, s := range samples {
				a := agree(s.errors)
				if a.n == 0 {
					continue
				}
				row(w, s.what, r.truth.Name, r.view(), a, a.deviation)
				if all[s.what] == nil {
					all[s.what], order = &pool{}, append(order, s.what)
				}
				all[s.what].add(s.errors, a.bias)
			}
		}
		for _, what := range order {
			row(w, what, fmt.Sprintf("all %d", all[what].movies), "", agree(all[what].errors), agree(all[what].unbiased).deviation)
		}
		if err := w.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return nil
}

// pool collects the errors of a quantity of several movies.
type pool struct {
	movies           int
	errors, unbiased []float64 // unbiased: without the bias of each movie
}

func (p *pool) add(errors []float64, bias float64) {
	p.movies++
	p.errors = append(p.errors, errors...)
	for _, e := range errors {
		p.unbiased = append(p.unbiased, e-bias)
	}
}

// row prints a row of a table; unbiased is the last column.
func row(w io.Writer, what, movie, view string, a agreement, unbiased float64) {
	spread := 1.96 * a.deviation
	fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s to %s\t%s\t%s\t\n", what, movie, view, a.n,
		digits(a.bias), digits(a.bias-spread), digits(a.bias+spread), digits(a.total), digits(unbiased))
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
