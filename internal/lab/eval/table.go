package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// writeTable prints the report as tables of sets, parts and movies.
func (r *report) writeTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")) }
	row("estimator", r.Estimator)
	if len(r.Sets) > 0 {
		row()
		row("set", "pictures", "AP", "AP50", "AP75", "AR", fmt.Sprintf("PCK@%v", r.PCKWithin), "error", "missed", "chosen", "false positives", "false parts", "ms", "median ms")
		for _, s := range r.Sets {
			mean, median := s.Milliseconds.cells()
			row(s.Name, fmt.Sprint(s.Pictures), cell(s.AP), cell(s.AP50), cell(s.AP75), cell(s.AR), cell(s.PCK), cell(s.Error),
				s.Missed.cell(), s.Chosen.cell(), s.FalsePositives.cell(), fmt.Sprint(s.FalseParts), mean, median)
		}
		row()
		row("part", "mean error", "median error", "found")
		for _, p := range r.PartErrors {
			row(p.Part, cell(p.Mean), cell(p.Median), fmt.Sprint(p.Count))
		}
	}
	if len(r.Movies) > 0 {
		row()
		row("movie", "frames", "matched", fmt.Sprintf("agreement@%v", r.AgreementWithin), "jitter", "of reference", "swaps", "lost", "invented", "ms", "median ms")
		for _, m := range r.Movies {
			mean, median := m.Milliseconds.cells()
			row(m.Name, fmt.Sprint(m.Frames), m.ReferenceFrames.cell(), cell(m.Agreement), cell(m.Jitter), cell(m.ReferenceJitter),
				m.Swaps.cell(), m.Lost.cell(), m.Invented.cell(), mean, median)
		}
	}
	return t.Flush()
}

const absent = "-"

func cell(v *float64) string {
	if v == nil {
		return absent
	}
	return fmt.Sprintf("%.3f", *v)
}

func (s *shareReport) cell() string {
	if s == nil {
		return absent
	}
	return fmt.Sprintf("%d/%d", s.Count, s.Of)
}

func (t *times) cells() (mean, median string) {
	if t == nil {
		return absent, absent
	}
	return fmt.Sprintf("%.1f", t.Mean), fmt.Sprintf("%.1f", t.Median)
}
