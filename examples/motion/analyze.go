package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/draw/report"
)

// analysis is what is measured in a file.
type analysis struct {
	times   []float64        // nil: a picture
	Results []analyze.Result `json:"results"`
	Gait    *gait.Gait       `json:"gait,omitempty"`
	Jumps   []jump.Jump      `json:"jumps,omitempty"`
}

// analysisFormats are the formats of analyses besides JSON.
var analysisFormats = []format[analysis]{
	{"csv", "analysis.csv", false, func(w io.Writer, a analysis) error {
		return analyze.WriteCSV(w, a.times, a.Results)
	}},
	{"jsonl", "analysis.jsonl", false, func(w io.Writer, a analysis) error {
		return analyze.WriteJSONL(w, a.times, a.Results)
	}},
	{"mot", "analysis.mot", true, func(w io.Writer, a analysis) error {
		return analyze.WriteMOT(w, "Coordinates", a.times, a.Results)
	}},
}

func analyzeCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "analyze", Short: "Measure angles, repetitions, gait and jumps",
		Long: `Measure each file and write FILE.analysis.json, in other formats with --format. Without --angle and
--rules, it has what the report of the file shows: the angles that move most on both sides, and
the steps, the jumps or the repetitions. Pictures have no MOT file, which needs times.

Keypoints that are in --out already are used, however they were found, unless flags say how to
find them.`,
		Example: `  motion analyze clips
  motion analyze --angle kneeFlexion,hipFlexion --format csv,mot squats.mp4
  motion analyze --rules rules.json clips`,
	}
	chosen := formatFlag(c, analysisFormats)
	asked := ruleFlags(c, "angles to measure on both sides, with statistics and repetitions")
	return onFiles(c, func() (func(*job) ([]output, error), error) {
		list, err := chosen()
		types, rules, err2 := asked()
		if err = join(err, err2); err != nil {
			return nil, err
		}
		return func(j *job) ([]output, error) {
			rules := append(rules, named(types, j.still)...)
			measured := sync.OnceValues(func() (analysis, error) { return j.measure(rules) })
			whole := output{j.name("analysis.json"), []any{rules}, func(_ context.Context, path string) (string, error) {
				a, err := measured()
				if err != nil {
					return "", err
				}
				return a.note(), writeJSON(path, a)
			}}
			return append([]output{whole}, outputs(j, list, measured, rules)...), nil
		}, nil
	})
}

// ruleFlags adds the flags --angle and --rules to a command. asked returns the angles and the rules, of
// which at least one is nil.
func ruleFlags(c *cobra.Command, usage string) (asked func() ([]analyze.Type, []analyze.Rule, error)) {
	angles := angleFlag(c, "angle", usage)
	path := c.Flags().String("rules", "", "file with rules as JSON, as the API takes them")
	c.MarkFlagsMutuallyExclusive("angle", "rules")
	return func() ([]analyze.Type, []analyze.Rule, error) {
		types, err := angles()
		if err != nil || *path == "" {
			return types, nil, err
		}
		text, err := os.ReadFile(*path)
		var rules []analyze.Rule
		if err == nil {
			rules, err = analyze.ParseRules(text)
		}
		if err != nil {
			err = fmt.Errorf("--rules: %w", err)
		}
		return nil, rules, err
	}
}

// named returns the rules of angles in a recording or a picture.
func named(types []analyze.Type, still bool) (rules []analyze.Rule) {
	for _, t := range types {
		r := analyze.Rule{Type: t, Symmetry: t.Sided(), Statistics: !still}
		if !still {
			r.Repetitions = &analyze.RepetitionOptions{}
		}
		rules = append(rules, r)
	}
	return rules
}

// measure computes the rules, or without rules what a report shows.
func (j *job) measure(rules []analyze.Rule) (analysis, error) {
	seq, err := j.sequence()
	if err != nil {
		return analysis{}, err
	}
	a := analysis{times: seq.Times}
	if rules != nil {
		a.Results, err = analyze.Run(seq, rules)
		return a, err
	}
	r := report.Report{Sequence: seq}
	if err := r.Analyze(); err != nil {
		return a, err
	}
	a.Gait, a.Jumps = r.Gait, r.Jumps
	a.Results = make([]analyze.Result, len(r.Series))
	for i, s := range r.Series {
		a.Results[i] = s.Result
	}
	return a, nil
}

// note says for the table what was counted.
func (a analysis) note() string {
	switch {
	case a.Gait != nil:
		return fmt.Sprintf("%d strides", len(a.Gait.Cycles))
	case len(a.Jumps) > 0:
		return fmt.Sprintf("%d jumps", len(a.Jumps))
	}
	var best analyze.Result
	most := 0
	for _, r := range a.Results {
		sides := []analyze.Result{r}
		if r.Symmetry != nil {
			sides = append(sides, r.Symmetry.OtherSide)
		}
		for _, r := range sides {
			if r.Repetitions != nil && r.Repetitions.Complete > most {
				best, most = r, r.Repetitions.Complete
			}
		}
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("%d × %s", most, best.Name)
}

// bothSides returns rules of the angles, of each side where there are two.
func bothSides(types []analyze.Type) (rules []analyze.Rule) {
	for _, t := range types {
		if !t.Sided() {
			rules = append(rules, analyze.Rule{Type: t})
			continue
		}
		rules = append(rules, analyze.Rule{Type: t, Side: analyze.LeftSide}, analyze.Rule{Type: t, Side: analyze.RightSide})
	}
	return rules
}
