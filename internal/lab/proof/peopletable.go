package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/agree"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

const (
	every  = "all" // angles, or views
	placed = 0.2   // torso lengths from the true place within which a part is found
	bent   = 30    // degrees by which an angle of a part that is hidden is off in the picture
	few    = 50    // values of a person below which a figure is not that of the person
	fewest = 10    // the same of read-outs
)

// sight is the name of an angle, and that of a range of true views; of either, every.
type sight struct{ angle, view string }

// sightings are the ranges of views, degrees from the front or from behind.
var sightings = []string{every, "side near", "side far", "side", "40-64", "20-40", "0-20"}

// sightOf returns the range of a true view of a side of the body.
func sightOf(view float64, side analyze.Side) string {
	switch off := min(math.Abs(view), 180-math.Abs(view)); {
	case off < 20:
		return "0-20"
	case off < 40:
		return "20-40"
	case off < 65:
		return "40-64"
	case side == "":
		return "side"
	case (view > 0) == (side == analyze.LeftSide):
		return "side near"
	}
	return "side far"
}

// tally is the values of an angle in a range of views.
type tally struct {
	shares      map[string]score.Share
	raw, steady agree.Sums // errors, and those without the offset of the side and the range in the recording
	least       int        // with fewer values a figure is not told; 0: few
}

// count adds one thing, which counts or not, to a share.
func (c *tally) count(name string, yes bool) { c.shares[name] = c.shares[name].With(yes) }

// plus adds another tally.
func (c *tally) plus(o *tally) {
	for name, s := range o.shares {
		c.shares[name] = c.shares[name].Plus(s)
	}
	c.raw, c.steady, c.least = c.raw.Plus(o.raw), c.steady.Plus(o.steady), o.least
}

// peopleFigures are those of a tally: their names in JSON, and in tables.
var peopleFigures = [][2]string{
	{"told", "told %"}, {"bias", "bias °"}, {"rmse", "RMSE °"}, {"steady", "without offset °"}, {"unmarked", "unmarked %"}, {"unmarkedWrong", "of these wrong %"},
	{"markedRight", "marked, right %"}, {"within1", "within σ %"}, {"within2", "within 2σ %"}, {"hidden", "placed, hidden %"}, {"invented", "30° off, withheld %"},
}

// figure returns a figure of a tally; ok is false if there are too few values.
func (c *tally) figure(name string) (v float64, ok bool) {
	least := cmp.Or(c.least, few)
	told := c.raw.N >= least
	switch name {
	case "bias":
		return c.raw.Bias(), told
	case "rmse":
		return c.raw.RMSE(), told
	case "steady":
		return c.steady.RMSE(), told
	}
	s := c.shares[name]
	v, _ = s.Value()
	return 100 * v, s.Of >= least
}

// add counts the values of one side in a range of views in one recording.
func (c *tally) add(list []reading) {
	one := series{readings: list}
	var errors []float64
	for _, x := range list {
		if x.told() {
			errors = append(errors, math.Remainder(x.value-x.want, 360))
		}
	}
	if len(errors) > 0 {
		one.offset = rank.Median(slices.Clone(errors))
	}
	for _, x := range list {
		if c.judge(x, one.off(x)); x.told() {
			e := math.Remainder(x.value-x.want, 360)
			c.raw.Add(x.want+e, x.want, x.sigma)
			c.steady.Add(math.Remainder(e-one.offset, 360), 0, 0)
		}
	}
}

// judge counts a value that is so much off without its offset.
func (c *tally) judge(x reading, off float64) {
	c.count("told", x.told())
	if !x.known {
		return
	}
	if c.count("unmarked", !x.marked()); x.marked() {
		c.count("markedRight", off <= wrong)
	} else {
		c.count("unmarkedWrong", off > wrong)
	}
	if x.told() && x.sigma > 0 { // 0: no uncertainty is told
		such := math.Abs(math.Remainder(x.value-x.want, 360))
		c.count("within1", such <= x.sigma)
		c.count("within2", such <= 2*x.sigma)
	}
}

// hides counts the elbows and knees that are where they are, and those whose angle in the picture is off.
func (c *tally) hides(r recording, s series, list []reading, hidden []keypoint.Parts) {
	limb, ok := limbOf(s)
	if !ok {
		return
	}
	for _, x := range list {
		found, want := &r.Frames[x.frame], &r.truth.Parts.Frames[x.truth]
		torso, _ := want.TorsoLength()
		near := true
		for _, p := range limb {
			a, okA := found.At(p)
			b, okB := want.At(p)
			near = near && okA && okB && a.Sub(b).Len() <= placed*torso
		}
		a, okA := found.Angle(limb[0], limb[1], limb[2])
		b, okB := want.Angle(limb[0], limb[1], limb[2])
		if near {
			c.count("hidden", hidden[x.frame]&keypoint.PartsOf(limb[:]...) != 0)
		} else if okA && okB && math.Abs(a-b) > bent {
			c.count("invented", !x.told())
		}
	}
}

// watched is what is measured of the recordings of one person.
type watched struct {
	recordings int
	tallies    map[sight]*tally
	exchanged  score.Share       // pairs of left and right
	elsewhere  score.Share       // frames
	views      []float64         // errors in degrees
	seen       score.Share       // frames whose view is known
	reps       map[string][3]int // of clips by views: right, lost and invented
	mistakes   []string          // of these
	filmed     []float64         // degrees by which what is upright in the picture leans from the world's vertical, squared
	upright    []float64         // the same of what the library says
}

// at returns a tally.
func (w *watched) at(s sight) *tally {
	if w.tallies[s] == nil {
		w.tallies[s] = &tally{shares: map[string]score.Share{}}
	}
	return w.tallies[s]
}

// plus adds other recordings.
func (w *watched) plus(o *watched) {
	for s, c := range o.tallies {
		w.at(s).plus(c)
	}
	w.recordings, w.views = w.recordings+o.recordings, append(w.views, o.views...)
	w.filmed, w.upright = append(w.filmed, o.filmed...), append(w.upright, o.upright...)
	for view, n := range o.reps {
		m := w.reps[view]
		w.reps[view] = [3]int{m[0] + n[0], m[1] + n[1], m[2] + n[2]}
	}
	w.mistakes = append(w.mistakes, o.mistakes...)
	w.exchanged, w.elsewhere, w.seen = w.exchanged.Plus(o.exchanged), w.elsewhere.Plus(o.elsewhere), w.seen.Plus(o.seen)
}

// newWatched returns what is measured of so many recordings.
func newWatched(recordings int) *watched {
	return &watched{recordings: recordings, tallies: map[sight]*tally{}, reps: map[string][3]int{}}
}

// watch measures a recording.
func watch(r recording, f *recorded.Footage) (*watched, error) {
	w := newWatched(1)
	said, err := study.Run(r.Sequence, r.judged)
	if err != nil {
		return nil, err
	}
	all, err := r.readings(said)
	if err != nil {
		return nil, err
	}
	hidden := quality.Hidden(r.Sequence)
	for _, s := range all {
		ranges := map[string][]reading{}
		for _, x := range s.readings {
			if v := r.truth.View[x.truth]; !math.IsNaN(v) {
				ranges[sightOf(v, s.side)] = append(ranges[sightOf(v, s.side)], x)
			}
		}
		for view, list := range ranges {
			one := tally{shares: map[string]score.Share{}}
			one.add(list)
			one.hides(r, s, list, hidden)
			for _, to := range []sight{{string(s.kind), view}, {string(s.kind), every}, {every, view}, {every, every}} {
				w.at(to).plus(&one)
			}
		}
		w.readOuts(s, said)
	}
	if err := w.moves(r, said, f); err != nil {
		return nil, err
	}
	w.exchanged, _ = score.Exchanged(r.truth.Parts, r.Sequence, slices.DeleteFunc(slices.Clone(r.pairs), func(p score.Pair) bool { return r.truth.Inside[p.Reference] == 0 }))
	known, camera := quality.NewUncertainty(r.Sequence), f.Camera()
	for _, p := range r.pairs {
		want := r.truth.View[p.Reference]
		w.elsewhere = w.elsewhere.With(r.truth.Inside[p.Reference] == 0)
		if math.IsNaN(want) || r.truth.Inside[p.Reference] < 0.9 {
			continue
		}
		at := r.truth.World[p.Reference].Middle(keypoint.LeftHip)
		low, okL := camera.Project(at)
		high, okH := camera.Project(at.Add(keypoint.Position{0, 0.5, 0}))
		if said, spread := known.Vertical(p.Result); okL && okH && spread > 0 {
			lean := math.Atan2(high[0]-low[0], low[1]-high[1]) * 180 / math.Pi
			w.filmed, w.upright = append(w.filmed, lean*lean), append(w.upright, (said-lean)*(said-lean))
		}
		view, ok := r.judged.View(p.Result)
		if w.seen = w.seen.With(ok); ok {
			w.views = append(w.views, math.Abs(view-math.Abs(want)))
		}
	}
	return w, nil
}

// people prints what holds of recorded people.
func people(_ context.Context, o options, folder string, out io.Writer) error {
	list, err := footages(folder, o.half, out)
	if err != nil {
		return err
	}
	results, failures := make([]*watched, len(list)), make([]error, len(list))
	inParallel(len(list), func(k int) {
		r, err := recordingOf(list[k], recorded.ByNetwork, o.exact)
		if failures[k] = err; err == nil {
			results[k], failures[k] = watch(r, list[k])
		}
	})
	persons, all := map[string]*watched{}, newWatched(0)
	for k, one := range results {
		if failures[k] != nil {
			return fmt.Errorf("%s: %w", list[k].Name, failures[k])
		}
		who := list[k].Person
		if persons[who] == nil {
			persons[who] = newWatched(0)
		}
		persons[who].plus(one)
		all.plus(one)
	}
	var joined pairsOfPeople
	if o.pairs {
		if joined, err = joinPeople(list, o.exact); err != nil {
			return err
		}
	}
	if o.json {
		return writePeople(out, o, persons, all, joined)
	}
	if err := printPeople(out, persons); err != nil {
		return err
	}
	printRepetitions(out, all)
	if !o.pairs {
		return nil
	}
	return joined.print(out)
}

// mean returns the mean of a figure over people, and half of its 95 % interval by Student's t, NaN of one; n is the number of people.
func mean[W any](persons map[string]W, figure func(w W) (float64, bool)) (v, half float64, n int) {
	var list []float64
	for _, name := range slices.Sorted(maps.Keys(persons)) {
		if v, ok := figure(persons[name]); ok {
			list = append(list, v)
		}
	}
	v, half = agree.Mean(list)
	return v, half, len(list)
}

// tallyFigure returns the function of a person that a figure of a sight is.
func tallyFigure(s sight, name string) func(w *watched) (float64, bool) {
	return func(w *watched) (float64, bool) {
		if w.tallies[s] == nil {
			return 0, false
		}
		return w.tallies[s].figure(name)
	}
}

// viewFigure returns that of the view's error.
func viewFigure(share float64) func(w *watched) (float64, bool) {
	return func(w *watched) (float64, bool) {
		return rank.Percentile(slices.Clone(w.views), share), len(w.views) > 0
	}
}

// personFigures are those of people, without angles.
var personFigures = []struct {
	name   string
	figure func(w *watched) (float64, bool)
}{
	{"exchanged %", func(w *watched) (float64, bool) { v, ok := w.exchanged.Value(); return 100 * v, ok }},
	{"elsewhere %", func(w *watched) (float64, bool) { v, ok := w.elsewhere.Value(); return 100 * v, ok }},
	{"view known %", func(w *watched) (float64, bool) { v, ok := w.seen.Value(); return 100 * v, ok }},
	{"view median °", viewFigure(0.5)}, {"p90 °", viewFigure(0.9)},
	{"vertical as filmed °", func(w *watched) (float64, bool) { return math.Sqrt(rank.Mean(w.filmed)), len(w.filmed) > 0 }},
	{"as told °", func(w *watched) (float64, bool) { return math.Sqrt(rank.Mean(w.upright)), len(w.upright) > 0 }},
}

// printPeople prints one table of people, and one of angles and views: means over people with their 95 % intervals.
func printPeople(out io.Writer, persons map[string]*watched) error {
	heads := []any{"person", "recordings"}
	for _, f := range peopleFigures {
		heads = append(heads, f[1])
	}
	for _, f := range personFigures {
		heads = append(heads, f.name)
	}
	t := newTable(out, heads...)
	row := func(of map[string]*watched, s sight, first ...any) {
		for _, f := range peopleFigures {
			first = append(first, interval(mean(of, tallyFigure(s, f[0]))))
		}
		for _, f := range personFigures {
			if s == (sight{every, every}) {
				first = append(first, interval(mean(of, f.figure)))
			}
		}
		t.row(first...)
	}
	total := 0
	for _, name := range slices.Sorted(maps.Keys(persons)) {
		total += persons[name].recordings
		row(map[string]*watched{name: persons[name]}, sight{every, every}, name, persons[name].recordings)
	}
	row(persons, sight{every, every}, "mean", total)
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	heads[0], heads[1] = "angle", "view"
	t = newTable(out, heads[:2+len(peopleFigures)]...)
	for _, s := range sights(persons) {
		if s != (sight{every, every}) {
			row(persons, s, s.angle, s.view)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	t = newTable(out, "angle", "view", "people", "values", "bias °", "95 % interval", "limits of agreement", "ICC", "95 % interval")
	for _, s := range sights(persons) {
		if a, ok := agreementOf(persons, s); ok {
			t.row(s.angle, s.view, a.People, a.Pairs, digits(a.Bias), between(a.BiasInterval), limits(a), share(a.ICC), between(a.ICCInterval))
		}
	}
	return t.Flush()
}

// agreementOf returns how well what is told of a sight agrees with the truth, of people of whom enough is told.
func agreementOf(persons map[string]*watched, s sight) (a agree.Agreement, ok bool) {
	people := map[string]agree.Sums{}
	for name, w := range persons {
		if _, ok := tallyFigure(s, "bias")(w); ok {
			people[name] = w.tallies[s].raw
		}
	}
	if len(people) == 0 {
		return a, false
	}
	return agree.Of(people), true
}

// share writes a number between −1 and 1 that may be missing.
func share(v *float64) string {
	if v == nil {
		return cell("%.2f")(0, false)
	}
	return cell("%.2f")(*v, true)
}

// between writes an interval.
func between(i *agree.Interval) string {
	if i == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f to %.2f", i.Low, i.High)
}

// interval writes a mean with its interval.
func interval(v, half float64, n int) string {
	switch {
	case n == 0:
		return "-"
	case n == 1:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.1f ± %.1f", v, half)
}

// sights returns the sights of which something is measured, in their order.
func sights(persons map[string]*watched) (list []sight) {
	for _, w := range persons {
		list = slices.AppendSeq(list, maps.Keys(w.tallies))
	}
	angle := func(s sight) int {
		return slices.IndexFunc(joints, func(j joint) bool { return string(j.kind) == s.angle })
	}
	slices.SortFunc(list, func(a, b sight) int {
		return cmp.Or(cmp.Compare(angle(a), angle(b)), cmp.Compare(a.angle, b.angle), cmp.Compare(slices.Index(sightings, a.view), slices.Index(sightings, b.view)))
	})
	return slices.Compact(list)
}

// writePeople writes the same as JSON.
func writePeople(out io.Writer, o options, persons map[string]*watched, all *watched, joined pairsOfPeople) error {
	angles := map[string]map[string]map[string]any{}
	for _, s := range sights(persons) {
		row, intervals := map[string]any{}, map[string]float64{}
		for _, f := range peopleFigures {
			v, half, n := mean(persons, tallyFigure(s, f[0]))
			if n > 0 {
				row[f[0]] = v
			}
			if n > 1 {
				intervals[f[0]] = half
			}
		}
		if a, ok := agreementOf(persons, s); ok {
			row["agreement"] = a
		}
		if row["interval"] = intervals; angles[s.angle] == nil {
			angles[s.angle] = map[string]map[string]any{}
		}
		angles[s.angle][s.view] = row
	}
	document := map[string]any{o.half: angles}
	median, _, _ := mean(persons, viewFigure(0.5))
	p90, _, _ := mean(persons, viewFigure(0.9))
	exchanged, _, _ := mean(persons, personFigures[0].figure)
	document["view"], document["exchanged"] = map[string]float64{"median": median, "p90": p90}, exchanged
	document["repetitions"] = all.reps
	if o.pairs {
		document["pairs"] = map[string][2]int{"right": joined.right(), "wrong": joined.wrong()}
	}
	return json.NewEncoder(out).Encode(document)
}
