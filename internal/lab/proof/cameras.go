package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
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
	for k, c := range r.joined.Space.Cameras {
		want := g.views[k].camera
		rotation := c.Rotation.Mul3(r.joined.Space.Cameras[0].Rotation.Transpose())
		truly := want.Rotation.Mul3(first.Transpose())
		r.offset = furthest(r.offset, c.Offset-want.Offset)
		r.rotation = max(r.rotation, turned(rotation.Mul3(truly.Transpose())))
		r.focal = furthest(r.focal, c.Focal/want.Focal-1)
		r.truly = max(r.truly, turned(truly))
	}
	for _, j := range joints {
		var differences []float64
		for _, side := range sidesOf(j.kind) {
			rules := []analyze.Rule{{Type: j.kind, Side: side, Hidden: true}}
			found, err := analyze.Run(r.joined, rules)
			if err != nil {
				return r, err
			}
			given, err := analyze.Run(r.given, rules)
			if err != nil {
				return r, err
			}
			for i, v := range found[0].Values {
				if w := given[0].Values[i]; v.Present && w.Present {
					differences = append(differences, math.Remainder(v.X-w.X, 360))
				}
			}
		}
		r.apart[j.kind] = agree(differences).total
	}
	return r, nil
}

// furthest returns the value that is further from 0.
func furthest(a, b float64) float64 {
	if math.Abs(b) > math.Abs(a) {
		return b
	}
	return a
}

// recorded returns a sequence in space with its truth.
func (g group) recorded(seq keypoint.Sequence) (recording, error) {
	truth := *g.views[0].truth
	truth.Name = g.name
	r := recording{truth: &truth, Sequence: seq}
	var err error
	if r.judged, err = quality.Assess(quality.Input{Sequence: seq}); err == nil {
		r.pairs, err = evalpose.Match(truth.Parts, seq, 0)
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
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "cameras\tapart\toffset ms\trotation °\tfocal %\tresidual px\tms\tof frames\t")
	for _, j := range joints {
		fmt.Fprintf(w, "%s\t", j.kind)
	}
	fmt.Fprintln(w)
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
			fmt.Fprintf(w, "%s\t%.0f°\t%.1f\t%.1f\t%+.0f\t%.1f\t%d\t%d\t", r.name, r.truly, 1000*r.offset, r.rotation, 100*r.focal, r.residual, r.took.Milliseconds(), r.frames)
			for _, j := range joints {
				fmt.Fprintf(w, "%.1f\t", r.apart[j.kind])
			}
			fmt.Fprintln(w)
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

// refusals prints which of the recordings of a file are joined, and which are refused for another reason than is expected.
func refusals(out io.Writer, path string, read func(string) (keypoint.Sequence, error)) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for line := range strings.Lines(string(data)) {
		names := strings.Fields(line)
		if len(names) < 3 {
			continue
		}
		var views []keypoint.Sequence
		for _, name := range names[1:] {
			seq, err := read(name + ".mp4")
			if err != nil {
				return err
			}
			views = append(views, seq)
		}
		joined, err := space.Join(views, space.Options{})
		var refused *space.Error
		switch {
		case err == nil:
			counts["joined"]++
			fmt.Fprintf(out, "joined: %s: residual %.1f px, %.0f degrees\n", strings.TrimSpace(line), joined.Space.Residual, joined.Space.Angle)
		case !errors.As(err, &refused):
			return fmt.Errorf("%s: %w", strings.TrimSpace(line), err)
		case !strings.Contains(names[0], string(refused.Reason)):
			counts["refused for another reason"]++
			fmt.Fprintf(out, "%s: %s: %s\n", refused.Reason, strings.TrimSpace(line), refused.Detail)
		default:
			counts["refused"]++
		}
	}
	fmt.Fprintf(out, "%d refused, %d for another reason, %d joined\n", counts["refused"], counts["refused for another reason"], counts["joined"])
	return nil
}
