package main

import (
	"context"
	"fmt"
	"image"
	"os"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/lab/eval/evaldata"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

// maxPixels is the limit of a picture, far above that of any data set.
const maxPixels = 100_000_000

// measureSet runs the estimator on every picture.
func measureSet(ctx context.Context, s *evaldata.Set, est estimator, o options) (t tally, err error) {
	for i := range s.Pictures {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		l := &s.Pictures[i]
		img, err := decode(ctx, s.Path(i))
		if err != nil {
			return t, err
		}
		if size := img.Bounds().Size(); l.Size.X > 0 && l.Size.X != size.X || l.Size.Y > 0 && l.Size.Y != size.Y {
			return t, fmt.Errorf("%s is %v pixels, upright, but labelled as %v", s.Path(i), size, l.Size)
		}
		if i == 0 { // the first estimate is slow and not timed
			if _, err := est.Estimate(ctx, img, inference.Hint{}); err != nil {
				return t, fmt.Errorf("%s: %w", s.Path(i), err)
			}
		}
		start := time.Now()
		found, err := est.Estimate(ctx, img, inference.Hint{})
		if err != nil {
			return t, fmt.Errorf("%s: %w", s.Path(i), err)
		}
		t.add(l, &found, o.pck)
		t.ms = append(t.ms, milliseconds(time.Since(start)))
	}
	return t, nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func decode(ctx context.Context, path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	img, err := inference.DecodeImage(ctx, nil, f, maxPixels)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return img, nil
}

// tally collects measurements of pictures. The zero value is ready to use.
type tally struct {
	pictures int
	judged   []evalpose.Picture // those with a dominant person, or with nobody
	pck      evalpose.Share
	errors   evalpose.PartErrors
	missed   evalpose.Share
	chosen   evalpose.Share
	false    evalpose.FalsePositives
	ms       evalpose.Values
}

func (t *tally) add(l *evalpose.Labelled, found *keypoint.Frame, within float64) {
	t.pictures++
	t.missed = t.missed.Plus(evalpose.Missed(l, found))
	t.chosen = t.chosen.Plus(evalpose.Chosen(l, found))
	t.false = t.false.Plus(l, found)
	if l.Dominant >= 0 {
		who := &l.People[l.Dominant].Parts
		t.pck = t.pck.Plus(evalpose.PCK(who, found, within))
		t.errors = t.errors.Plus(who, found)
	}
	if p, ok := evalpose.Single(l, found); ok {
		t.judged = append(t.judged, p)
	}
}

// plus returns the sum of both tallies.
func (t tally) plus(o tally) tally {
	sum := tally{
		pictures: t.pictures + o.pictures,
		judged:   append(t.judged[:len(t.judged):len(t.judged)], o.judged...),
		pck:      t.pck.Plus(o.pck),
		missed:   t.missed.Plus(o.missed),
		chosen:   t.chosen.Plus(o.chosen),
		false:    evalpose.FalsePositives{Pictures: t.false.Pictures.Plus(o.false.Pictures), Parts: t.false.Parts + o.false.Parts},
		ms:       append(t.ms[:len(t.ms):len(t.ms)], o.ms...),
	}
	for p := range sum.errors {
		sum.errors[p] = append(t.errors[p][:len(t.errors[p]):len(t.errors[p])], o.errors[p]...)
	}
	return sum
}
