package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// analysis is what is measured in a file.
type analysis struct {
	times    []float64        // nil: a picture
	Results  []analyze.Result `json:"results,omitempty"`  // of rules
	Overview *study.Study     `json:"overview,omitempty"` // without rules
	Exercise *exercise.Result `json:"exercise,omitempty"`
}

// values are the results, or the measures of the overview that are not withheld.
func (a analysis) values() []analyze.Result {
	if a.Overview != nil {
		return a.Overview.Results()
	}
	return a.Results
}

// analysisFormats are the formats of analyses in addition to JSON.
var analysisFormats = []format[analysis]{
	{"csv", "analysis.csv", false, func(w io.Writer, a analysis) error {
		return analyze.WriteCSV(w, a.times, a.values())
	}},
	{"jsonl", "analysis.jsonl", false, func(w io.Writer, a analysis) error {
		return analyze.WriteJSONL(w, a.times, a.values())
	}},
	{"mot", "analysis.mot", true, func(w io.Writer, a analysis) error {
		return analyze.WriteMOT(w, "Coordinates", a.times, a.values())
	}},
}

func analyzeCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "analyze", Short: "Measure angles, repetitions, gait and jumps",
		Long: `Measure each file and write FILE.analysis.json, in other formats with --format. Without --angle and
--rules, it has what the file shows: the movement, the repetitions, steps or jumps, and every angle
with its uncertainty and what it is worth. The table has the largest ones: 95° ± 6, with much care
87° ± 17 (care), or the reason why there is no number. Pictures have no MOT file, which needs times.
With --exercise each repetition of a movie is judged by the targets of an exercise, and a clinical
test has its result.

Keypoints that are in --out already are used, however they were found, unless flags say how to
find them.`,
		Example: `  motion analyze clips
  motion analyze --angle kneeFlexion,hipFlexion --format csv,mot squats.mp4
  motion analyze --exercise squat squats.mp4
  motion analyze --rules rules.json clips`,
	}
	chosen := formatFlag(c, "JSON", analysisFormats)
	asked := ruleFlags(c, "angles to measure on both sides, with statistics and repetitions")
	judging := exerciseFlag(c)
	return onFiles(c, func() (func(*job) ([]output, error), error) {
		list, err := chosen()
		types, rules, err2 := asked()
		by, err3 := judging()
		if err = join(err, err2, err3); err != nil {
			return nil, err
		}
		return func(j *job) ([]output, error) {
			return j.analyses(append(rules, named(types, j.still)...), by, list), nil
		}, nil
	})
}

// analyses returns the analysis of the file as JSON and in other formats; without rules it is what the file shows. The
// exercise by which it is judged may be nil.
func (j *job) analyses(rules []analyze.Rule, by *exercise.Definition, list []format[analysis]) []output {
	measured := sync.OnceValues(func() (analysis, error) { return j.measure(rules, by) })
	settings := []any{rules}
	if by != nil {
		settings = append(settings, by)
	}
	whole := output{j.name("analysis.json"), settings, func(_ context.Context, path string) (summary, error) {
		a, err := measured()
		if err != nil {
			return summary{}, err
		}
		return summary{a.note(), a.numbers()}, writeJSON(path, a)
	}}
	return append([]output{whole}, outputs(j, list, measured, settings...)...)
}

// ruleFlags adds the flags --angle and --rules to a command. asked returns the angles and the rules, of which at least one is nil.
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

// measure computes the rules, or without rules what a report shows, and judges an exercise.
func (j *job) measure(rules []analyze.Rule, by *exercise.Definition) (analysis, error) {
	seq, err := j.sequence()
	if err != nil {
		return analysis{}, err
	}
	a := analysis{times: seq.Times}
	if rules != nil {
		if a.Results, err = analyze.Run(seq, rules); err != nil || by == nil {
			return a, err
		}
	}
	shown, err := j.study()
	if err != nil {
		return a, err
	}
	if rules == nil {
		a.Overview = &shown
	}
	a.Exercise, err = j.judge(by, seq, shown)
	return a, err
}

// note says for the table what was found.
func (a analysis) note() string {
	if a.Exercise != nil && a.Exercise.Headline != nil {
		return a.Exercise.Headline.String()
	}
	if a.Overview == nil {
		return counted(a.Results)
	}
	return say.Phrase(a.Overview.Summary.Title, a.Overview.Summary.Tempo).String()
}

// numbers are those of the analysis, for tables.
func (a analysis) numbers() (list []value) {
	list = exerciseNumbers(a.Exercise)
	sides := a.Results
	for _, r := range a.Results {
		if r.Symmetry != nil {
			sides = append(sides, r.Symmetry.OtherSide)
		}
	}
	for _, r := range sides {
		for _, s := range []analyze.Statistic{analyze.Min, analyze.Max, analyze.Mean} {
			if v, is := r.Statistics[s]; is && r.Type.Points() == 0 {
				list = append(list, value{Name: r.Name + " " + string(s), Unit: r.Unit, Value: v})
			}
		}
		if r.Repetitions != nil {
			list = append(list, number("repetitions of "+r.Name, "", float64(r.Repetitions.Complete)))
		}
	}
	s := a.Overview
	if s == nil {
		return list
	}
	switch {
	case s.Gait != nil:
		list = append(list, gaitNumbers(s.Gait)...)
	case len(s.Jumps) > 0:
		list = append(list, jumpNumbers(s.Jumps)...)
	case s.Repetitions != nil:
		list = append(list, number("repetitions", "", float64(len(s.Repetitions.List))))
	}
	for _, m := range s.Measures {
		v := value{Name: m.Name + " peak", Side: m.Side, Unit: m.Unit, Trust: m.Trust}
		if p := m.Peak; p != nil {
			v.Value, v.Uncertainty = present(p.Value), present(p.Uncertainty)
			v.Constant = m.Constant
		}
		list = append(list, v)
	}
	return append(list, repetitionNumbers(s)...)
}

// gaitNumbers are the numbers of a walk or run, and the times of each stride.
func gaitNumbers(g *gait.Gait) []value {
	list := []value{
		number("strides", "", float64(g.StrideTime.Both.Count)),
		told("cadence", "", "1/min", g.Cadence, g.CadenceUncertainty),
		told("speed", "", g.Unit+"/s", g.Speed, g.SpeedUncertainty),
	}
	mean := func(name string, side analyze.Side, unit string, s analyze.Spread) {
		if s.Count > 0 {
			list = append(list, told(name, side, unit, present(s.Mean), present(s.Uncertainty)))
		}
	}
	for _, n := range []struct {
		name, unit string
		of         analyze.TwoSided
	}{
		{"stride time", "s", g.StrideTime}, {"step time", "s", g.StepTime}, {"stance time", "s", g.StanceTime}, {"swing time", "s", g.SwingTime},
		{"stance share", "", g.StanceShare}, {"stride length", g.Unit, g.StrideLength}, {"step length", g.Unit, g.StepLength},
	} {
		mean(n.name, analyze.LeftSide, n.unit, n.of.Left)
		mean(n.name, analyze.RightSide, n.unit, n.of.Right)
	}
	mean("double support", "", "s", g.DoubleSupport)
	mean("flight time", "", "s", g.FlightTime)
	for k, c := range g.Cycles {
		for _, v := range []value{
			told("start", c.Side, "s", present(c.Start), none), told("stride time", c.Side, "s", present(c.End-c.Start), none),
			told("stance time", c.Side, "s", present(c.ToeOff-c.Start), none),
		} {
			v.Of = fmt.Sprintf("stride %d", k+1)
			list = append(list, v)
		}
	}
	return list
}

// jumpNumbers are the greatest height, and the numbers of each jump.
func jumpNumbers(jumps []jump.Jump) []value {
	best := jump.Highest(jumps)
	list := []value{
		number("jumps", "", float64(len(jumps))),
		told("greatest height of a jump", "", "m", present(best.Height), present(best.HeightUncertainty)),
	}
	for k, j := range jumps {
		for _, v := range []value{
			told("start", "", "s", present(j.TakeOff.Time), none),
			told("flight time", "", "s", present(j.FlightTime), present(j.FlightTimeUncertainty)),
			told("height", "", "m", present(j.Height), present(j.HeightUncertainty)),
			told("rise of the hips", "", "m", j.Rise, j.RiseUncertainty),
		} {
			v.Of = fmt.Sprintf("jump %d", k+1)
			list = append(list, v)
		}
	}
	return list
}

// repetitionNumbers are the tempo of each repetition and the measures at its turn.
func repetitionNumbers(s *study.Study) (list []value) {
	if s.Repetitions == nil || len(s.Ways) != 2 {
		return nil
	}
	for k, r := range s.Repetitions.List {
		lasts := func(name string, seconds float64) value {
			return told("time "+name, "", "s", present(seconds), present(r.TimeUncertainty))
		}
		of := []value{number("start", "s", r.Start.Time), lasts(s.Ways[0], r.Out), lasts(s.Ways[1], r.Back)}
		if s.Lead != nil {
			of = append(of, lasts("held", r.Hold))
		}
		for _, at := range r.At {
			i := slices.IndexFunc(s.Measures, func(m study.Measure) bool { return m.Type == at.Type && m.Side == at.Side })
			if i < 0 {
				continue
			}
			v := value{Name: s.Measures[i].Name, Side: at.Side, Unit: s.Measures[i].Unit, Trust: at.Trust}
			if at.Trust != quality.TrustWithheld {
				v.Value, v.Uncertainty = present(at.Value), present(at.Uncertainty)
				v.Constant = s.Measures[i].Constant
			}
			of = append(of, v)
		}
		for _, v := range of {
			v.Of = fmt.Sprintf("repetition %d", k+1)
			list = append(list, v)
		}
	}
	return list
}

// counted says how many repetitions there are in the results, of the one that has most.
func counted(results []analyze.Result) string {
	var best analyze.Result
	most := 0
	for _, r := range results {
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
