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

// report prints a table for each measure.
func report(out io.Writer, recordings []recording) error {
	for _, m := range measures {
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
				fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s to %s\t%s\t%s\t\n", s.what, r.truth.Name, r.view(), a.n, digits(a.bias),
					digits(a.bias-1.96*a.deviation), digits(a.bias+1.96*a.deviation), digits(a.total), digits(a.deviation))
			}
		}
		if err := w.Flush(); err != nil {
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
