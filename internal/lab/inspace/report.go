package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// row is what is measured of a pair.
type row struct {
	name     string
	truly    float64 // degrees between the true cameras
	offset   float64 // seconds, found minus true
	rotation float64 // degrees between the camera that was found and the true one
	focal    float64 // the worst of the focal lengths, found over true
	residual float64 // pixels
	took     time.Duration
	frames   int
	joints   map[string]errorsIn
	metres   string
	told     []told
}

// errorsIn are errors of an angle in degrees: root mean squares against the truth, also without the mean of each side, the
// same of what the true cameras give, and the root mean square of the difference of both.
type errorsIn struct{ raw, unbiased, given, givenUnbiased, apart float64 }

// measure joins views and compares the result with the truth, if there is one, and with what the true cameras give.
func (g group) measure() (r row, joined keypoint.Sequence, err error) {
	r = row{name: g.name, joints: map[string]errorsIn{}}
	height := 0.0
	if t := g.views[0].truth; t != nil {
		height = t.Height
	}
	start := time.Now()
	if joined, err = space.Join(g.seqs(), space.Options{BodyHeight: height}); err != nil {
		return r, joined, err
	}
	r.took, r.frames, r.residual = time.Since(start), joined.Len(), joined.Space.Residual
	given, err := space.Triangulate(g.seqs(), g.cameras(), height)
	if err != nil {
		return r, joined, err
	}
	first := g.views[0].camera.Rotation
	for k, c := range joined.Space.Cameras {
		want := g.views[k].camera
		rotation := c.Rotation.Mul3(joined.Space.Cameras[0].Rotation.Transpose())
		truly := want.Rotation.Mul3(first.Transpose())
		r.offset = furthest(r.offset, c.Offset-want.Offset)
		r.rotation = max(r.rotation, turned(rotation.Mul3(truly.Transpose())))
		r.focal = furthest(r.focal, c.Focal/want.Focal-1)
		r.truly = max(r.truly, turned(truly))
	}
	for _, j := range joints {
		found, err := j.of(joined)
		if err != nil {
			return r, joined, err
		}
		byGiven, err := j.of(given)
		if err != nil {
			return r, joined, err
		}
		var e errorsIn
		e.apart, _ = found.minus(byGiven).rms()
		if t := g.views[0].truth; t != nil {
			e.raw, e.unbiased = found.minus(j.truly(t)).rms()
			e.given, e.givenUnbiased = byGiven.minus(j.truly(t)).rms()
		}
		r.joints[j.name] = e
	}
	if t := g.views[0].truth; t != nil {
		r.metres = metres(joined, t)
		if r.told, err = headlines(joined, t); err != nil {
			return r, joined, err
		}
	}
	return r, joined, nil
}

// furthest returns the value that is further from 0.
func furthest(a, b float64) float64 {
	if math.Abs(b) > math.Abs(a) {
		return b
	}
	return a
}

// report prints a table of the cameras and one of the angles.
func report(out io.Writer, list []group) error {
	var rows []row
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "cameras\tapart\toffset ms\trotation °\tfocal %\tresidual px\tms\tof frames\t")
	var refused []string
	for _, g := range list {
		sub := []group{{g.name, g.views[:2]}}
		for k := 2; k < len(g.views); k++ {
			sub = append(sub, group{g.name + " with " + g.views[k].name, []view{g.views[0], g.views[k]}})
		}
		if len(g.views) > 2 {
			sub = append(sub, group{g.name + " together", g.views[:min(len(g.views), 4)]})
		}
		for _, g := range sub {
			r, _, err := g.measure()
			var no *space.Error
			if errors.As(err, &no) {
				refused = append(refused, fmt.Sprintf("%s: %s: %s", g.name, no.Reason, no.Detail))
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", g.name, err)
			}
			rows = append(rows, r)
			fmt.Fprintf(w, "%s\t%.0f°\t%.1f\t%.1f\t%+.0f\t%.1f\t%d\t%d\t\n", r.name, r.truly, 1000*r.offset, r.rotation, 100*r.focal, r.residual, r.took.Milliseconds(), r.frames)
		}
	}
	fmt.Fprint(w, "\nRMSE/without bias (true cameras) apart °\t")
	for _, j := range joints {
		fmt.Fprintf(w, "%s\t", j.name)
	}
	fmt.Fprintln(w)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t", r.name)
		for _, j := range joints {
			e := r.joints[j.name]
			fmt.Fprintf(w, "%.1f/%.1f (%.1f/%.1f) %.1f\t", e.raw, e.unbiased, e.given, e.givenUnbiased, e.apart)
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		fmt.Fprintf(out, "%s: %s\n", r.name, r.metres)
		within, seen := 0, 0
		for _, one := range r.told {
			within, seen = within+one.within, seen+one.seen
			if one.warned || math.Abs(one.off) > 10 {
				fmt.Fprintf(out, "\t%s: the peak %.0f° ± %.0f is off by %+.0f; the view warns: %t\n", one.name, one.peak, one.sigma, one.off, one.warned)
			}
		}
		if seen > 0 {
			fmt.Fprintf(out, "\t%.0f %% of the values are within 2 σ\n", 100*float64(within)/float64(seen))
		}
	}
	for _, line := range refused {
		fmt.Fprintln(out, "refused:", line)
	}
	return nil
}
