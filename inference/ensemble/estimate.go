package ensemble

import (
	"context"
	"image"
	"slices"
	"sync"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/person"
	"github.com/bodymotion/motion/keypoint"
)

// Estimate implements inference.Estimator.
func (e *Estimator) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	if hint.Person == nil && !hint.Previous.Empty() {
		f, err := e.follow(ctx, img, &hint.Previous)
		if err != nil || !f.Empty() || hint.Only {
			return f, err
		}
	}
	return e.find(ctx, img, hint)
}

// follow estimates the person of the frame before, or nobody.
func (e *Estimator) follow(ctx context.Context, img image.Image, previous *keypoint.Frame) (keypoint.Frame, error) {
	hint := inference.Hint{Previous: *previous, Only: true}
	var looks []keypoint.Frame
	for _, m := range e.opt.Following {
		f, err := m.Estimate(ctx, img, hint)
		if err != nil {
			return keypoint.Frame{}, err
		}
		if !f.Empty() {
			looks = append(looks, f)
		}
		if len(looks) == 1 && !e.more(&f, previous) {
			break
		}
	}
	return e.answer(looks, previous), nil
}

// more reports whether more members should look.
func (e *Estimator) more(f, previous *keypoint.Frame) bool {
	switch e.opt.Ask {
	case InDoubt:
		return doubtful(f, previous)
	case Turned:
		return turned(f, previous)
	}
	return true
}

// find estimates the person whom the first member chooses. The others look at the same time: live pictures
// do not wait.
func (e *Estimator) find(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	first, err := e.opt.Finding[0].Estimate(ctx, img, hint)
	if err != nil || first.Empty() {
		return keypoint.Frame{}, err
	}
	looks, errs := make([]keypoint.Frame, len(e.opt.Finding)), make([]error, len(e.opt.Finding))
	looks[0] = first
	hint = inference.Hint{Person: candidate(&first)}
	var others sync.WaitGroup
	for i, m := range e.opt.Finding[1:] {
		others.Go(func() { looks[i+1], errs[i+1] = m.Estimate(ctx, img, hint) })
	}
	others.Wait()
	for _, err := range errs {
		if err != nil {
			return keypoint.Frame{}, err
		}
	}
	looks = slices.DeleteFunc(looks, func(f keypoint.Frame) bool { return f.Empty() })
	return e.answer(looks, &keypoint.Frame{}), nil
}

// A Finder's box reaches from hair to soles, that of the keypoints from eyes to ankles.
const growth = 1.2

// candidate returns a person whose keypoints are known as a Finder would.
func candidate(f *keypoint.Frame) *inference.Candidate {
	b, _ := inference.BoundsOf(f)
	reach := b.Max.Sub(b.Min).Mul(growth / 2)
	b = inference.Box{Min: b.Centre().Sub(reach), Max: b.Centre().Add(reach)}
	return &inference.Candidate{Box: b, Keypoints: *f, Score: 1}
}

// answer makes one Frame of the looks; previous may be empty.
func (e *Estimator) answer(looks []keypoint.Frame, previous *keypoint.Frame) keypoint.Frame {
	if len(looks) == 0 {
		return keypoint.Frame{}
	}
	torso := size(looks)
	matchSides(looks, previous, torso)
	f := median(looks, previous, torso)
	dropFeet(&f, looks, previous, torso)
	return person.Kept(f, e.opt.PartThreshold, keypoint.NumBody)
}
