package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/lab/internal/cpu"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint/clean"
)

// looked is what an estimator finds in movies, before and after cleaning with the defaults.
type looked struct {
	frames       int
	took, core   time.Duration // of the whole extraction; core is summed over the processor cores
	raw, cleaned score.Movie
}

// movies prints what an estimator finds in movies: the share of parts within 0.2 and within 0.1 torso lengths of the reference,
// jitter, exchanged pairs of parts, and of rendered movies the errors of angles in the picture (root mean square, bias), of their
// peaks, of peak speeds, and of heels and big toes. Of a movie without a reference, that is the jitter.
func movies(ctx context.Context, o options, folder string, out io.Writer) error {
	list, err := truth.Recordings(folder)
	if err != nil {
		return err
	}
	if !(o.rate >= 0) || o.rate > 1e6 {
		return fmt.Errorf("-rate is %v, want looks per second, or 0 for every frame", o.rate)
	}
	est, err := o.open()
	if err != nil {
		return err
	}
	defer est.Close()
	t := newTable(out, "movie", "frames", "s", "core s", "", "within 0.2", "0.1", "jitter", "exchanged",
		"knee", "hip", "elbow", "shoulder", "peak angles", "peak speeds", "feet given", "median", "wrong")
	var all looked
	for _, r := range list {
		l, err := lookAt(ctx, r, est, o.rate)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
		l.print(t, r.Name)
		all = looked{all.frames + l.frames, all.took + l.took, all.core + l.core, all.raw.Plus(l.raw), all.cleaned.Plus(l.cleaned)}
	}
	if len(list) > 1 {
		all.print(t, "all")
	}
	return t.Flush()
}

// lookAt runs an estimator on a movie.
func lookAt(ctx context.Context, r truth.Recording, est inference.Estimator, rate float64) (l looked, err error) {
	start, used := time.Now(), cpu.Time()
	found, err := look(ctx, est, r.Path, rate)
	if err != nil {
		return l, err
	}
	l.frames, l.took, l.core = found.Len(), time.Since(start), cpu.Time()-used
	for opt, to := range map[*clean.Options]*score.Movie{{}: &l.raw, new(clean.Default()): &l.cleaned} { // without options, it fills between the looks
		seq, _, err := clean.Run(found, *opt)
		if err == nil {
			*to, err = score.Judge(r.Truth, seq)
		}
		if err != nil {
			return l, err
		}
	}
	return l, nil
}

// print writes a row before and a row after cleaning.
func (l looked) print(t table, name string) {
	three, one := cell("%.3f"), cell("%.1f")
	for k, m := range []score.Movie{l.raw, l.cleaned} {
		cells := []any{name, l.frames, one(l.took.Seconds(), true), one(l.core.Seconds(), true), "raw"}
		if k == 1 {
			cells = []any{"", "", "", "", "cleaned"}
		}
		cells = append(cells, three(m.Within.Mean()), three(m.Close.Mean()), three(m.Jitter.Mean()), m.Exchanged)
		for _, joint := range score.Joints {
			v := m.Angles[joint]
			cells = append(cells, one(v.RMS())+", "+one(v.Mean()))
		}
		wrong := score.Share{}
		for _, e := range m.Feet {
			wrong = wrong.With(e > 0.2)
		}
		t.row(append(cells, one(m.PeakAngles.RMS()), three(m.PeakSpeeds.RMS()), m.FeetGiven, three(m.Feet.Median()), wrong)...)
	}
}
