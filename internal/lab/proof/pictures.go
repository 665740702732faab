package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
)

// maxPixels is the limit of a picture, far above that of any data set.
const maxPixels = 100_000_000

// pictures prints what an estimator finds in labelled pictures: COCO's average recall and precision of the dominant people, the
// share of their parts within 0.2 torso lengths, how many of them are missed, and in how many pictures without people somebody
// is found. Pictures in which nobody stands out have no single right answer for a program that finds one person, and do not count.
func pictures(ctx context.Context, o options, pattern string, out io.Writer) error {
	sets, err := truth.Sets(pattern)
	if err != nil {
		return err
	}
	est, err := o.open()
	if err != nil {
		return err
	}
	defer est.Close()
	t := newTable(out, "set", "pictures", "AR", "AP", "PCK@0.2", "missed", "somebody")
	row := func(name string, p score.Pictures) {
		precision, ok := score.AveragePrecision(p.Judged)
		t.row(name, p.N, cell("%.3f")(precision.AR, ok), cell("%.3f")(precision.AP, ok), cell("%.3f")(p.PCK.Value()), p.Missed, p.Empty)
	}
	var all score.Pictures
	for _, s := range sets {
		p, err := inSet(ctx, s, est)
		if err != nil {
			return err
		}
		row(s.Name, p)
		all = all.Plus(p)
	}
	if len(sets) > 1 {
		row("all", all)
	}
	return t.Flush()
}

// inSet looks at all pictures of a set.
func inSet(ctx context.Context, s truth.Set, est inference.Estimator) (p score.Pictures, err error) {
	for i := range s.Pictures {
		l := &s.Pictures[i]
		f, err := os.Open(l.Image)
		if err != nil {
			return p, err
		}
		img, err := inference.DecodeImage(ctx, nil, f, maxPixels)
		f.Close()
		if err != nil {
			return p, fmt.Errorf("%s: %w", l.Image, err)
		}
		if size := img.Bounds().Size(); l.Size.X > 0 && l.Size.X != size.X || l.Size.Y > 0 && l.Size.Y != size.Y {
			return p, fmt.Errorf("%s is %v pixels, upright, but labelled as %v", l.Image, size, l.Size)
		}
		found, err := est.Estimate(ctx, img, inference.Hint{})
		if err != nil {
			return p, fmt.Errorf("%s: %w", l.Image, err)
		}
		p.Add(l, &found)
	}
	return p, ctx.Err()
}
