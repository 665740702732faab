package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/words"
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
	swapped bool    // left is right
}

// versions returns a movie as it is, cut by a second, slower and mirrored.
func (r recording) versions() []version {
	plain := version{recording: r}
	cut, slow, mirrored := plain, plain, plain
	cut.kind, slow.kind, mirrored.kind = "itself, cut by a second", "itself, 1.5 × slower", "itself, mirrored"
	first, _ := slices.BinarySearch(r.Times, r.Times[0]+1)
	cut.Sequence, cut.from = r.Slice(first, r.Len()-1), r.Times[first]
	slow.Sequence, mirrored.Sequence, mirrored.swapped = r.Clone(), r.Clone(), true
	for i := range slow.Times {
		slow.Times[i] *= 1.5
	}
	mirrored.World.Floor *= -1
	for i := range mirrored.Frames {
		f := &mirrored.Frames[i]
		for p := range keypoint.Part(keypoint.NumParts) {
			if p.Mirror() > p {
				f.Exchange(p)
			}
			if at, ok := f.At(p); ok {
				f.Set(p, keypoint.Point{float64(r.Size.X) - at[0], at[1]}, f.Confidence(p))
			}
		}
	}
	return []version{plain, cut, slow, mirrored}
}

// moments returns the true moments of each repetition, or of each stride its course, in seconds.
func (v version) moments() (list [][]float64) {
	for _, r := range v.truth.Reps {
		if r.Start >= v.from {
			list = append(list, []float64{r.Turn})
		}
	}
	last, lift := math.NaN(), math.NaN()
	for _, e := range v.truth.Events {
		switch {
		case e.Side != "left" || e.Time < v.from:
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

// outcome is what a comparison of two movies says, and the largest true difference of the angles that it has.
type outcome struct {
	kind, source, target string
	compare.Result
	want  float64 // degrees; NaN if it is unknown
	angle string
}

// compared compares two versions as the programs do.
func compared(kind string, s, t version) (o outcome, err error) {
	opt := compare.Options{Angles: true, Alignment: compare.DTW, Mirror: compare.Opposite(s.Sequence, t.Sequence)}
	opt.Judged = [2]quality.Report{s.judged, t.judged}
	o = outcome{kind: kind, source: s.truth.Name, target: t.truth.Name, want: math.NaN()}
	if o.Result, err = compare.Diff(s.Sequence, t.Sequence, opt); err != nil {
		return o, fmt.Errorf("%s and %s: %w", o.source, o.target, err)
	}
	swapped := s.swapped != (t.swapped != opt.Mirror)
	ours, theirs := s.moments(), t.moments()
	for _, a := range o.Angles {
		other := a.Side
		if swapped && other != "" {
			other = map[analyze.Side]analyze.Side{analyze.LeftSide: analyze.RightSide, analyze.RightSide: analyze.LeftSide}[other]
		}
		space := ""
		for _, j := range joints {
			if j.kind == a.Type {
				space = j.space
			}
		}
		turned := 1.0
		if swapped && a.Side == "" && a.Type == analyze.PelvicTilt { // of the other side
			turned = -1
		}
		x, y := inSpace(s.truth, a.Type, space, a.Side), inSpace(t.truth, a.Type, space, other)
		for k := range min(len(ours), len(theirs)) {
			if at := o.at(k); at != nil && !slices.ContainsFunc(at, func(d compare.AngleDifference) bool { return d.Angle == a.Name() }) {
				continue // not told at this turn
			}
			var all []float64
			for m := range min(len(ours[k]), len(theirs[k])) {
				here := rank.Nearest(s.truth.Parts.Times, ours[k][m])
				d := math.Inf(1)
				for _, at := range theirs[k] { // steps may be out of step
					if v := math.Abs(math.Remainder(turned*y[rank.Nearest(t.truth.Parts.Times, at)]-x[here], 360)); math.Abs(at-theirs[k][m]) <= unison {
						d = min(d, v)
					}
				}
				if a.Values[rank.Nearest(s.Times, ours[k][m])].Present && !math.IsNaN(d) {
					all = append(all, d)
				}
			}
			if largest := rank.Percentile(all, 0.95); len(all) > 0 && !(o.want >= largest) {
				o.want, o.angle = largest, fmt.Sprint(k, a.Name())
			}
		}
	}
	if s.truth == t.truth && math.IsNaN(o.want) { // nothing repeats
		o.want = 0
	}
	return o, nil
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

// warns returns the codes of the warnings.
func (o *outcome) warns() string {
	var codes []string
	for _, w := range o.Warnings {
		codes = append(codes, string(w.Code))
	}
	return strings.Join(codes, " ")
}

// comparisons compares each movie with itself and with every other one, and prints of each kind of pair how many
// have a headline within 8 degrees of the largest true difference of the angles that it tells, at the turns of
// twins, or else a warning; then the pairs of which neither holds.
func comparisons(out io.Writer, recordings []recording) error {
	var order []string
	all := map[string][]outcome{}
	add := func(kind string, s, t version) error {
		o, err := compared(kind, s, t)
		if all[kind] == nil {
			order = append(order, kind)
		}
		all[kind] = append(all[kind], o)
		return err
	}
	for i, r := range recordings {
		versions := r.versions()
		for _, v := range versions[1:] {
			if err := add(v.kind, versions[0], v); err != nil {
				return err
			}
		}
		for j, other := range recordings {
			kind := "another person's same movement"
			if other.truth.Motion != r.truth.Motion {
				kind = "another movement"
			}
			if i != j {
				if err := add(kind, versions[0], version{recording: other}); err != nil {
					return err
				}
			}
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "comparison\tpairs\theadline within 8°\tor a warning\tneither\tnot the same movement\t")
	for _, kind := range order {
		right, warned, neither, unrelated := 0, 0, 0, 0
		for _, o := range all[kind] {
			switch {
			case o.right():
				right++
			case len(o.Warnings) > 0:
				warned++
			default:
				neither++
			}
			if strings.Contains(o.warns(), string(compare.CodeNotTheSame)) {
				unrelated++
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t\n", kind, len(all[kind]), right, warned, neither, unrelated)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, kind := range order {
		for _, o := range all[kind] {
			if o.right() || len(o.Warnings) > 0 {
				continue
			}
			said := "nothing"
			if len(o.Largest) > 0 {
				said = o.Largest[0].Sentence[words.English]
			}
			fmt.Fprintf(out, "%s: %s and %s: %s; true: %.0f° %s\n", kind, o.source, o.target, said, o.want, o.angle)
		}
	}
	return nil
}
