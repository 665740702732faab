package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// headline is by how many degrees what a comparison says first may be off.
const headline = 8

// unison is by how many seconds steps may be out of step.
const unison = 0.15

// version is a movie as it could have been filmed otherwise.
type version struct {
	recording
	kind    string
	from    float64 // seconds that are cut off at the start
	pace    float64 // by how much it is slower
	swapped bool    // left is right
}

// versions returns a movie as it is, cut by a second, slower and mirrored.
func (r recording) versions() []version {
	plain := version{recording: r, pace: 1}
	cut, slow, mirrored := plain, plain, plain
	cut.kind, slow.kind, mirrored.kind = "itself, cut by a second", "itself, 1.5 × slower", "itself, mirrored"
	first, _ := slices.BinarySearch(r.Times, r.Times[0]+1)
	cut.Sequence, cut.from = r.Slice(first, r.Len()-1), r.Times[first]
	slow.Sequence, mirrored.Sequence, mirrored.swapped = r.Clone(), r.Unmirrored(), true
	slow.pace = 1.5
	for i := range slow.Times {
		slow.Times[i] *= slow.pace
	}
	mirrored.World.Floor *= -1
	return []version{plain, cut, slow, mirrored}
}

// moments returns the true moments of each repetition, or of each stride of a side its course, in seconds.
func (v version) moments(side analyze.Side) (list [][]float64) {
	for _, r := range v.truth.Reps {
		if r.Turn >= v.from && r.Depth > 0 { // others are steps and jumps
			list = append(list, []float64{r.Turn})
		}
	}
	last, lift := math.NaN(), math.NaN()
	for _, e := range v.truth.Events {
		switch {
		case e.Side != string(side) || e.Time < v.from:
		case e.What == "toe off":
			lift = e.Time
		case e.What == "heel strike":
			if stride := make([]float64, 51); lift > last && e.Time-last < 2 {
				for k := range stride {
					if stride[k] = last + (lift-last)*float64(k)/30; k > 30 {
						stride[k] = lift + (e.Time-lift)*float64(k-30)/20
					}
				}
				list = append(list, stride)
			}
			last = e.Time
		}
	}
	return list
}

// twin returns the true moments of the k-th of the repetitions; of a stride, and of a repetition of a movie that is cut,
// those that are nearest to the span.
func (v version) twin(k int, side analyze.Side, spans []keypoint.Span) []float64 {
	all := v.moments(side)
	if strides := len(v.truth.Reps) == 0; (strides || v.from > 0) && k < len(spans) && len(all) > 0 {
		at := v.Times[spans[k].First]
		if !strides {
			at = (at + v.Times[spans[k].Last]) / 2
		}
		return slices.MinFunc(all, func(a, b []float64) int { return cmp.Compare(math.Abs(a[0]-at/v.pace), math.Abs(b[0]-at/v.pace)) })
	}
	if k < len(all) {
		return all[k]
	}
	return nil
}

// outcome is what a comparison of two movies says, and the largest true difference of the angles that it has.
type outcome struct {
	kind, source, target string
	compare.Result
	want float64 // degrees; NaN if it is unknown
}

// compared compares two versions as the programs do.
func compared(kind string, s, t version) (o outcome, err error) {
	opt := compare.Options{Angles: true, Alignment: compare.DTW, Mirror: compare.Opposite(s.Sequence, t.Sequence)}
	opt.SourceQuality, opt.TargetQuality = s.judged, t.judged
	o = outcome{kind: kind, source: s.truth.Name, target: t.truth.Name}
	if o.Result, err = compare.Diff(s.Sequence, t.Sequence, opt); err != nil {
		return o, fmt.Errorf("%s and %s: %w", o.source, o.target, err)
	}
	o.Largest = slices.DeleteFunc(o.Largest, func(d compare.AngleDifference) bool {
		k := slices.IndexFunc(o.Angles, func(a compare.Angle) bool { return a.Name() == d.Angle })
		_, ok := spaceOf(o.Angles[k])
		return !ok
	})
	o.want = o.truly(s, t, s.swapped != (t.swapped != opt.Mirror))
	return o, nil
}

// otherSide returns what a side of the source is in the target.
func otherSide(side analyze.Side, swapped bool) analyze.Side {
	switch {
	case !swapped || side == "":
		return side
	case side == analyze.LeftSide:
		return analyze.RightSide
	}
	return analyze.LeftSide
}

// twins returns the true moments of the repetitions, or of the strides of the source's left side, that are compared.
func (o *outcome) twins(s, t version, swapped bool) (ours, theirs [][]float64) {
	var spans [2][]keypoint.Span
	for _, r := range o.Repetitions {
		spans[0], spans[1] = append(spans[0], r.Source), append(spans[1], r.Target)
	}
	left, other := analyze.LeftSide, otherSide(analyze.LeftSide, swapped)
	for k := range max(len(o.Repetitions), min(len(s.moments(left)), len(t.moments(other)))) {
		ours, theirs = append(ours, s.twin(k, left, spans[0])), append(theirs, t.twin(k, other, spans[1]))
	}
	return ours, theirs
}

// truly returns the largest true difference of the angles that are told, at the moments of twins.
func (o *outcome) truly(s, t version, swapped bool) float64 {
	want := math.NaN()
	ours, theirs := o.twins(s, t, swapped)
	for _, a := range o.Angles {
		space, ok := spaceOf(a)
		if !ok {
			continue
		}
		turned := 1.0
		if swapped && (a.Type == analyze.PelvicTilt || a.Type == analyze.TrunkSideLean) { // to the other side
			turned = -1
		}
		x, y := inSpace(s.truth, a.Type, space, a.Side), inSpace(t.truth, a.Type, space, otherSide(a.Side, swapped))
		apart := func(i, j int) float64 { return math.Abs(math.Remainder(turned*y[j]-x[i], 360)) }
		if len(ours) == 0 && len(o.Largest) > 0 && o.Largest[0].Angle == a.Name() { // only here
			d := o.Largest[0]
			want = apart(rank.Nearest(s.truth.Parts.Times, s.Times[d.Frame]/s.pace), rank.Nearest(t.truth.Parts.Times, t.Times[d.TargetFrame]/t.pace))
		}
		for k := range ours {
			if at := o.at(k); at != nil && !slices.ContainsFunc(at, func(d compare.AngleDifference) bool { return d.Angle == a.Name() }) {
				continue // not told at this turn
			}
			var all []float64
			for m := range min(len(ours[k]), len(theirs[k])) {
				here, d := rank.Nearest(s.truth.Parts.Times, ours[k][m]), math.Inf(1)
				for _, at := range theirs[k] { // steps may be out of step
					if math.Abs(at-theirs[k][m]) <= unison {
						d = min(d, apart(here, rank.Nearest(t.truth.Parts.Times, at)))
					}
				}
				if a.Values[rank.Nearest(s.Times, ours[k][m])].Present && !math.IsNaN(d) {
					all = append(all, d)
				}
			}
			if largest := rank.Percentile(all, 0.95); len(all) > 0 && !(want >= largest) {
				want = largest
			}
		}
	}
	if s.truth == t.truth && !swapped && (math.IsNaN(want) || len(o.Repetitions) == 0) { // nothing repeats
		return 0
	}
	return want
}

// spaceOf returns the name of the truth of an angle in space; ok is false if it has none.
func spaceOf(a compare.Angle) (name string, ok bool) {
	for _, j := range joints {
		if j.kind == a.Type {
			return j.space, true
		}
	}
	return "", false
}

// at returns what the comparison tells of the turns of twins.
func (o *outcome) at(k int) []compare.AngleDifference {
	if k >= len(o.Repetitions) {
		return nil
	}
	return o.Repetitions[k].At
}

// says returns the size of the headline; 0 without one.
func (o *outcome) says() float64 {
	if len(o.Largest) == 0 {
		return 0
	}
	return math.Abs(o.Largest[0].Difference)
}

// right reports whether the headline is the true one.
func (o *outcome) right() bool { return math.Abs(o.says()-o.want) <= headline }

// wrong reports whether it is not, as far as the truth is known.
func (o *outcome) wrong() bool { return math.Abs(o.says()-o.want) > headline }

// warns returns the codes of the warnings.
func (o *outcome) warns() string {
	var codes []string
	for _, w := range o.Warnings {
		codes = append(codes, string(w.Code))
	}
	return strings.Join(codes, " ")
}

// outcomes compares each movie with itself, cut, slower and mirrored, and with every other one.
func outcomes(recordings []recording) (all []outcome, err error) {
	add := func(kind string, s, t version) {
		if err == nil {
			var o outcome
			o, err = compared(kind, s, t)
			all = append(all, o)
		}
	}
	for i, r := range recordings {
		versions := r.versions()
		for _, v := range versions[1:] {
			add(v.kind, versions[0], v)
		}
		for j, other := range recordings {
			switch {
			case i == j:
			case other.truth.Motion == r.truth.Motion:
				add("another person's same movement", versions[0], other.versions()[0])
			default:
				add(unrelated, versions[0], other.versions()[0])
			}
		}
	}
	return all, err
}

// unrelated is the kind of pairs of two movements.
const unrelated = "another movement"

// tell returns what is wrong with a comparison: neither is its headline right, nor does it warn; or it takes two movements
// for one, or one for two.
func (o *outcome) tell() (wrong string) {
	if o.wrong() && len(o.Warnings) == 0 {
		wrong = fmt.Sprintf("true: %.0f°", o.want)
	}
	if said := strings.Contains(o.warns(), "notTheSameMovement"); said != (o.kind == unrelated) {
		wrong = strings.TrimPrefix(wrong+", the movement", ", ")
	}
	return wrong
}

// comparisons prints of each kind of pair how many have a headline within 8 degrees of the largest true difference of the
// angles that it tells, at the turns of twins, or else a warning; then the pairs of which neither holds, and those whose
// movements are taken for the same or not.
func comparisons(out io.Writer, recordings []recording) error {
	all, err := outcomes(recordings)
	if err != nil {
		return err
	}
	var order []string
	counts := map[string]*[5]int{}
	for _, o := range all {
		c := counts[o.kind]
		if c == nil {
			c, order = new([5]int), append(order, o.kind)
			counts[o.kind] = c
		}
		for k, yes := range []bool{true, o.right(), !o.right() && len(o.Warnings) > 0, o.wrong() && len(o.Warnings) == 0,
			strings.Contains(o.warns(), "notTheSameMovement")} {
			if yes {
				c[k]++
			}
		}
	}
	t := newTable(out, "comparison", "pairs", "headline within 8°", "or a warning", "neither", "not the same movement")
	for _, kind := range order {
		c := counts[kind]
		t.row(kind, c[0], c[1], c[2], c[3], c[4])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, o := range all {
		if wrong := o.tell(); wrong != "" {
			said := "nothing"
			if len(o.Largest) > 0 {
				said = o.Largest[0].Sentence[say.English]
			}
			fmt.Fprintf(out, "%s: %s and %s: %s; %s\n", o.kind, o.source, o.target, strings.TrimSpace(said+" "+o.warns()), wrong)
		}
	}
	return nil
}
