package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// joining is what is measured of views that are joined.
type joining struct {
	name     string
	truly    float64 // degrees between the true cameras
	offset   float64 // seconds, found minus true
	rotation float64 // degrees between the camera that was found and the true one
	focal    float64 // the worst of the focal lengths, found over true
	residual float64 // pixels
	took     time.Duration
	frames   int
	apart    map[analyze.Type]float64 // root mean squares in degrees of what the angles differ by from those of the true cameras

	joined, given keypoint.Sequence // by the cameras that were found and by the true ones
}

// measure joins views and compares the result with what the true cameras give.
func (g group) measure() (r joining, err error) {
	r = joining{name: g.name, apart: map[analyze.Type]float64{}}
	height := 0.0
	if t := g.views[0].truth; t != nil {
		height = t.Height
	}
	start := time.Now()
	if r.joined, err = space.Join(g.seqs(), space.Options{BodyHeight: height}); err != nil {
		return r, err
	}
	r.took, r.frames, r.residual = time.Since(start), r.joined.Len(), r.joined.Space.Residual
	if r.given, err = space.Triangulate(g.seqs(), g.cameras(), height); err != nil {
		return r, err
	}
	first := g.views[0].camera.Rotation
	size := func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) }
	for k, c := range r.joined.Space.Cameras {
		want := g.views[k].camera
		rotation := c.Rotation.Mul3(r.joined.Space.Cameras[0].Rotation.Transpose())
		truly := want.Rotation.Mul3(first.Transpose())
		r.offset = slices.MaxFunc([]float64{r.offset, c.Offset - want.Offset}, size)
		r.rotation = max(r.rotation, turned(rotation.Mul3(truly.Transpose())))
		r.focal = slices.MaxFunc([]float64{r.focal, c.Focal/want.Focal - 1}, size)
		r.truly = max(r.truly, turned(truly))
	}
	for _, j := range joints {
		var differences []float64
		for _, side := range sidesOf(j.kind) {
			found, err := valuesOf(r.joined, j.kind, side)
			if err != nil {
				return r, err
			}
			given, err := valuesOf(r.given, j.kind, side)
			if err != nil {
				return r, err
			}
			for i, v := range found {
				if w := given[i]; v.Present && w.Present {
					differences = append(differences, math.Remainder(v.X-w.X, 360))
				}
			}
		}
		r.apart[j.kind] = summed(differences).RMSE()
	}
	return r, nil
}

// recorded returns a sequence in space with its truth.
func (g group) recorded(seq keypoint.Sequence) (recording, error) {
	truth := *g.views[0].truth
	truth.Name = g.name
	r := recording{truth: &truth, Sequence: seq}
	var err error
	if r.judged, err = quality.Assess(quality.Input{Sequence: seq}); err == nil {
		r.pairs, err = score.Match(truth.Parts, seq, 0)
	}
	return r, err
}

// inSpaceToo are the measures of several cameras.
var inSpaceToo = []measure{
	{"angles", "°", angles}, {"bones", "%, ° or mm", bones}, {"tempo", "ms", tempo}, {"steps", "ms", events}, {"gait", "%", pace},
	{"flights", "ms", flights}, {"jumps", "cm", jumps},
}

// cameras prints how far cameras that are found by the person lie off, and what is measured by them and by the true ones; with table
// only that of what is told.
func cameras(out io.Writer, list []group, table bool) error {
	var found, given []recording
	heads := []any{"cameras", "apart", "offset ms", "rotation °", "focal %", "residual px", "ms", "of frames"}
	for _, j := range joints {
		heads = append(heads, j.kind)
	}
	w := newTable(out, heads...)
	var refused []string
	for _, g := range list {
		for _, g := range g.parts() {
			r, err := g.measure()
			var no *space.Error
			if errors.As(err, &no) {
				refused = append(refused, fmt.Sprintf("%s: %s: %s", g.name, no.Reason, no.Detail))
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", g.name, err)
			}
			one := func(v float64) string { return fmt.Sprintf("%.1f", v) }
			cells := []any{r.name, fmt.Sprintf("%.0f°", r.truly), one(1000 * r.offset), one(r.rotation), fmt.Sprintf("%+.0f", 100*r.focal), one(r.residual), r.took.Milliseconds(), r.frames}
			for _, j := range joints {
				cells = append(cells, one(r.apart[j.kind]))
			}
			w.row(cells...)
			if g.views[0].truth == nil {
				continue
			}
			for seq, to := range map[*keypoint.Sequence]*[]recording{&r.joined: &found, &r.given: &given} {
				one, err := g.recorded(*seq)
				if err != nil {
					return fmt.Errorf("%s: %w", g.name, err)
				}
				*to = append(*to, one)
			}
		}
	}
	if table {
		return summary(out, found)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, line := range refused {
		fmt.Fprintln(out, "refused:", line)
	}
	if len(found) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	if err := report(out, found, inSpaceToo); err != nil {
		return err
	}
	if err := trust(out, found); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nWith the true cameras:")
	return report(out, given, inSpaceToo[:1])
}

// parts returns the first pair of views, and if there are more, the first with each other one and all of them.
func (g group) parts() []group {
	list := []group{{g.name, g.views[:2]}}
	for _, v := range g.views[2:] {
		list = append(list, group{g.name + " with " + v.name, []view{g.views[0], v}})
	}
	if len(g.views) > 2 {
		list = append(list, group{g.name + " together", g.views[:min(len(g.views), 4)]})
	}
	return list
}
