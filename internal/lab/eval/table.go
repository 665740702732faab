package main

import (
	"fmt"
	"io"
	"slices"
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
		row("movie", "frames", "matched", "jitter of reference", "ms", "median ms", "s", "core s")
		for _, m := range r.Movies {
			mean, median := m.Milliseconds.cells()
			row(m.Name, fmt.Sprint(m.Frames), m.ReferenceFrames.cell(), cell(m.ReferenceJitter), mean, median, fmt.Sprintf("%.1f", m.Seconds.Wall), fmt.Sprintf("%.1f", m.Seconds.Core))
		}
		row()
		row("movie", "", fmt.Sprintf("agreement@%v", r.AgreementWithin), fmt.Sprintf("@%v", r.AgreementWithin/2), "jitter", "exchanged pairs", "frames", "lost", "invented")
		r.eachStage(func(name, stage string, s *stageReport) {
			row(name, stage, cell(s.Agreement), cell(s.CloseAgreement), cell(s.Jitter), s.ExchangedPairs.cell(), s.ExchangedFrames.cell(), s.Lost.cell(), s.Invented.cell())
		})
	}
	if slices.ContainsFunc(r.Movies, func(m movieReport) bool { return m.Cleaned.Angles != nil }) {
		row()
		row("degrees: RMSE, bias", "", strings.Join(jointNames, "\t"), "peak angles", "peak speeds")
		r.eachStage(func(name, stage string, s *stageReport) {
			if s.Angles == nil {
				return
			}
			cells := []string{name, stage}
			for _, a := range s.Angles {
				cells = append(cells, degrees(a.RMSE)+", "+degrees(a.Bias))
			}
			row(append(cells, degrees(s.PeakAngles), cell(s.PeakSpeeds))...)
		})
	}
	if slices.ContainsFunc(r.Movies, func(m movieReport) bool { return m.Cleaned.Feet != nil }) {
		row()
		row("heels and big toes", "", "given", "median error", "wrong")
		r.eachStage(func(name, stage string, s *stageReport) {
			if s.Feet != nil {
				row(name, stage, s.Feet.Given.cell(), cell(s.Feet.Median), s.Feet.Wrong.cell())
			}
		})
	}
	return t.Flush()
}

// eachStage calls fn for each movie before and after cleaning.
func (r *report) eachStage(fn func(name, stage string, s *stageReport)) {
	for i := range r.Movies {
		m := &r.Movies[i]
		fn(m.Name, "raw", &m.Raw)
		fn("", "cleaned", &m.Cleaned)
	}
}

func degrees(v *float64) string {
	if v == nil {
		return absent
	}
	return fmt.Sprintf("%.1f", *v)
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
