package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint/quality"
)

// wrong is how many degrees a number is off that nobody should act on.
const wrong = 10

// reading is what is said of a named angle in a frame, and the truth in space.
type reading struct {
	value, sigma, want float64
	known              bool // there is a value, told or withheld
	trust              quality.Trust
	frame, truth       int // of the keypoints and of the truth
}

func (r reading) told() bool   { return r.trust != quality.TrustWithheld }
func (r reading) marked() bool { return r.trust != quality.TrustGood }

// series is a named angle of a side in a movie.
type series struct {
	kind     analyze.Type
	side     analyze.Side
	far      bool // away from the camera
	readings []reading
	offset   float64 // the median error of what is told
	measure  study.Measure
}

// readings returns the named angles of a study with their truth, where the person is in the picture.
func (r recording) readings(said study.Study) (all []series, err error) {
	for _, m := range said.Measures {
		k := slices.IndexFunc(joints, func(j joint) bool { return j.kind == m.Type })
		if k < 0 {
			continue
		}
		found, err := valuesOf(r.Sequence, m.Type, m.Side)
		if err != nil {
			return nil, err
		}
		want, err := wanted(r.truth, joints[k], m.Side)
		if err != nil {
			return nil, err
		}
		all = append(all, r.series(m, found, want))
	}
	return all, nil
}

// series returns what is told of a measure, and the values behind it.
func (r recording) series(m study.Measure, found []analyze.Value, want []float64) series {
	s := series{kind: m.Type, side: m.Side, measure: m}
	var errors []float64
	views := 0.0
	for _, p := range r.pairs {
		x := reading{want: want[p.Reference], trust: quality.TrustWithheld, frame: p.Result, truth: p.Reference}
		if r.truth.Inside[p.Reference] < 0.9 || math.IsNaN(x.want) {
			continue
		}
		x.value, x.known = found[p.Result].X, found[p.Result].Present
		if m.Values[p.Result].Present {
			x.sigma = m.Uncertainty[p.Result].X
			x.trust = quality.TrustOf(x.sigma)
			errors = append(errors, math.Remainder(x.value-x.want, 360))
		}
		views += r.truth.View[p.Reference]
		s.readings = append(s.readings, x)
	}
	s.far = m.Side != "" && (views > 0) != (m.Side == analyze.LeftSide)
	if len(errors) > 0 {
		s.offset = rank.Median(errors)
	}
	return s
}

// off returns by how much a reading is off, without the constant offset of the series.
func (s *series) off(x reading) float64 {
	return math.Abs(math.Remainder(x.value-x.want-s.offset, 360))
}

// readOuts returns the peak and the range with those of the truth, in the frames that have one; ok is false if there is no
// value. What is withheld has the extremes of the values behind it. The peak of a tilt is the end that is told.
func (s *series) readOuts() (list [2]reading, ok bool) {
	var low, high reading
	told := s.measure.Trust != quality.TrustWithheld
	lowest, highest := math.Inf(1), math.Inf(-1) // of the truth
	for _, x := range s.readings {
		lowest, highest = min(lowest, x.want), max(highest, x.want)
		if !x.known || told && !x.told() {
			continue
		}
		if !ok || x.value < low.value {
			low = x
		}
		if !ok || x.value > high.value {
			high = x
		}
		ok = true
	}
	peak := reading{value: high.value - s.offset, want: highest, known: ok, trust: s.measure.Trust}
	if p := s.measure.Peak; p != nil {
		if peak.sigma = p.Uncertainty; s.measure.Min.Present && p.Value == s.measure.Min.X {
			peak.value, peak.want = low.value-s.offset, lowest
		}
	}
	wide := reading{value: high.value - low.value, sigma: s.measure.RangeUncertainty.X, want: highest - lowest, known: ok, trust: quality.TrustWithheld}
	if s.measure.Range.Present {
		wide.trust = quality.TrustOf(wide.sigma)
	}
	return [2]reading{peak, wide}, ok
}

// figure is a share that is printed, with what it should be.
type figure struct{ name, aim string }

// figures are those that are aimed at; those of each angle follow.
var figures = []figure{
	{"values without a mark off by more than 10°", "≤ 3 %"}, {"values without a mark", ""}, {"values with a mark that were right", ""},
	{"read-outs without a mark off by more than 10°", "≤ 8 %"}, {"read-outs without a mark", ""}, {"read-outs with a mark that were right", "≤ 50 %"},
	{"values as such within 2 σ", ""}, {"values as such within 2 √(σ² + constant²)", "93–98 %"},
	{"hidden elbows and knees off by more than 30° withheld", "≥ 95 %"}, {"visible elbows and knees withheld", "≤ 3 %"},
	{"repetitions told at their time", "100 %"}, {"repetitions told that are none", "0 %"}, {"movies with exactly their repetitions", "100 %"},
}

// ledger counts shares for each half of the movies by the names of the figures.
type ledger struct {
	half   int
	shares map[string]*[2]score.Share
}

// count adds one thing, which counts or not, to a share.
func (l *ledger) count(name string, yes bool) { l.plus(name, score.Share{}.With(yes)) }

// plus adds to a share.
func (l *ledger) plus(name string, s score.Share) {
	if l.shares[name] == nil {
		l.shares[name] = &[2]score.Share{}
	}
	l.shares[name][l.half] = l.shares[name][l.half].Plus(s)
}

// values counts the values of a series.
func (l *ledger) values(s series) {
	for _, x := range s.readings {
		if !x.known {
			continue
		}
		off := s.off(x)
		l.count("values without a mark", !x.marked())
		if x.marked() {
			l.count("values with a mark that were right", off <= wrong)
		} else {
			l.count("values without a mark off by more than 10°", off > wrong)
		}
		if !x.told() {
			continue
		}
		if c := s.measure.Constant; c > 0 {
			such := math.Abs(math.Remainder(x.value-x.want, 360))
			l.count("values as such within 2 σ", such <= 2*x.sigma)
			l.count("values as such within 2 √(σ² + constant²)", such <= 2*math.Hypot(x.sigma, c))
		}
		names := []string{string(s.kind), "all angles"}
		if s.far {
			names = append(names, "far side")
		}
		for _, name := range names {
			l.count(name+" within σ", off <= x.sigma)
			l.count(name+" within 2 σ", off <= 2*x.sigma)
		}
	}
}

// readOuts counts the peak and the range of a series, and prints those that are wrong without a mark.
func (l *ledger) readOuts(out io.Writer, movie string, s series) {
	switch s.kind {
	case analyze.KneeFlexion, analyze.HipFlexion, analyze.ElbowFlexion, analyze.ShoulderFlexion:
	default:
		return
	}
	list, ok := s.readOuts()
	for k, x := range list {
		if !ok {
			break
		}
		right := math.Abs(x.value-x.want) <= wrong
		l.count("read-outs without a mark", !x.marked())
		if x.marked() {
			l.count("read-outs with a mark that were right", right)
			continue
		}
		l.count("read-outs without a mark off by more than 10°", !right)
		if !right {
			fmt.Fprintf(out, "%s: the %s of %s %s is %.0f° ± %.0f, and not %.0f\n", movie, [...]string{"peak", "range"}[k], s.side, s.kind, x.value, x.sigma, x.want)
		}
	}
}

// repetitions counts by their times the repetitions of the truth that are told, those told that are none, and the movies without
// a mistake, where that is known; a jump is one. Mistakes are printed.
func (l *ledger) repetitions(out io.Writer, truth *truth.Truth, said study.Study) {
	if !timed(truth.Reps, truth.Motion) {
		return
	}
	n := matched(truth.Reps, said)
	right, lost, invented := n[0], n[1], n[2]
	l.plus("repetitions told at their time", score.Share{Count: right, Of: right + lost})
	l.plus("repetitions told that are none", score.Share{Count: invented, Of: right + invented})
	l.count("movies with exactly their repetitions", lost+invented == 0)
	if lost+invented > 0 {
		fmt.Fprintf(out, "%s: %d repetitions right, %d lost, %d invented, %s\n", truth.Name, right, lost, invented, said.Movement)
	}
}

// trust prints what holds of the numbers as they are read: of every second movie by name, of the others, and of all.
func trust(out io.Writer, recordings []recording) error {
	l := ledger{shares: map[string]*[2]score.Share{}}
	for i, r := range recordings {
		l.half = i % 2
		said, err := study.Run(r.Sequence, r.judged)
		if err != nil {
			return fmt.Errorf("%s: %w", r.truth.Name, err)
		}
		l.repetitions(out, r.truth, said)
		all, err := r.readings(said)
		if err != nil {
			return fmt.Errorf("%s: %w", r.truth.Name, err)
		}
		for _, s := range all {
			l.values(s)
			l.readOuts(out, r.truth.Name, s)
			l.hidden(r, s)
		}
	}
	rows := figures
	names := []string{"all angles", "far side"}
	for _, j := range joints {
		names = append(names, string(j.kind))
	}
	for _, name := range names {
		rows = append(rows, figure{name + " within σ", "60–75 %"}, figure{name + " within 2 σ", "93–98 %"})
	}
	t := newTable(out, "trust", "even", "odd", "both", "of", "aim")
	for _, row := range rows {
		s := l.shares[row.name]
		if s == nil {
			continue
		}
		both := s[0].Plus(s[1])
		t.row(row.name, s[0].Percent(), s[1].Percent(), both.Percent(), both.Of, row.aim)
	}
	return t.Flush()
}
