// Package ensemble makes one inference.Network of several: several looks at a person, one answer. Networks of different families
// err in different frames, so that where they agree they are right more often than either, and steadier:
//
//	network, err := ensemble.New(ensemble.Options{
//		Finding:   []inference.Network{thunder.Network, full.Network},
//		Following: []inference.Network{full.Network, thunder.Network},
//	})
//	if err != nil {
//		log.Fatal(err)
//	}
//	est := inference.TopDown{Network: network, Finder: thunder}
//	frame, err := est.Estimate(ctx, img, inference.Hint{})
//
// It works part by part: the looks that agree give the median of their points, and a look that disagrees does not count. If the left limb
// of one look lies on the right limb of another, one of them has exchanged the sides, and the frame before decides which. Positions in
// space are those of the first look that has any. Package pose has ensembles that are ready for use; this package embeds no network.
package ensemble

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"sync"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/keypoint"
)

// Options are the members of a network. Only Finding is required.
//
// Members should return all their parts, however unsure, with confidences on one scale. The network of New closes none of them.
type Options struct {
	// Finding look at somebody who is not followed: in a picture, in the first frame of a movie, or after the person was lost. The
	// first member looks first; the others look where it has found the person, all at the same time.
	Finding []inference.Network
	// Following look at somebody who is followed; default Finding. The first member looks at
	// every frame; those after it are in the order of their cost.
	Following []inference.Network
	// Ask is when the members of Following after the first look too.
	Ask When
	// PartThreshold is the least confidence of a part, 0 to 1; default 0.2. If the parts
	// together are too uncertain to be a person, the Frame is empty. -1: no threshold.
	PartThreshold float64
}

// When is when more than one member looks at somebody who is followed.
type When int

const (
	// InDoubt: the last member looks if a part of the first look is missing, uncertain, or not where its movement leads to expect
	// it, over time in at most 27 of 100 frames, and always if the sides of a limb are exchanged. In the other frames the second
	// one looks if the doubt is grave. Where the last one has not looked, the parts of the first look are moved half of the way to
	// where the last one has lately seen them.
	InDoubt When = iota
	// Turned: left and right of the trunk or of the legs have changed places since the frame before, as
	// networks mistake front and back, or one leg for the other where they pass.
	Turned
	// Always: in every frame.
	Always
)

type network struct{ opt Options }

// New makes a network of its members.
func New(opt Options) (inference.Network, error) {
	if len(opt.Finding) == 0 {
		return nil, errors.New("ensemble: Options.Finding is empty")
	}
	if len(opt.Following) == 0 {
		opt.Following = opt.Finding
	}
	if slices.Contains(opt.Finding, nil) || slices.Contains(opt.Following, nil) {
		return nil, fmt.Errorf("%w ensemble.Options: a member is nil", keypoint.ErrInvalid)
	}
	opt.PartThreshold = cmp.Or(opt.PartThreshold, 0.2)
	return &network{opt}, nil
}

func (n *network) Look(ctx context.Context, img image.Image, r inference.Region) (keypoint.Frame, error) {
	var looks []keypoint.Frame
	var previous keypoint.Frame
	var err error
	if r.Followed {
		previous = r.Keypoints
		looks, err = n.follow(ctx, img, r)
	} else {
		looks, err = n.find(ctx, img, r)
	}
	if err != nil || len(looks) == 0 {
		return keypoint.Frame{}, err
	}
	torso := size(looks)
	matchSides(looks, &previous, torso)
	f := median(looks, &previous, torso)
	dropFeet(&f, looks, &previous, torso)
	for i := range looks {
		if s := looks[i].Positions(); s != nil {
			f.SetPositions(s)
			break
		}
	}
	return (&inference.Region{}).Accept(f, max(n.opt.PartThreshold, 0), keypoint.NumBody), nil
}

// follow returns the looks at the person of the frame before.
func (n *network) follow(ctx context.Context, img image.Image, r inference.Region) (looks []keypoint.Frame, err error) {
	memory := r.Memory
	if memory == nil {
		memory = new(inference.Memory)
	}
	r.Memory = nil // it is the ensemble's, not the members'
	known := recall(memory.Known)
	first, err := n.opt.Following[0].Look(ctx, img, r)
	if err != nil {
		return nil, err
	}
	looks = append(looks, first)
	others, last := n.others(&first, &r.Keypoints, known.credit)
	for _, m := range others {
		f, err := m.Look(ctx, img, r)
		if err != nil {
			return nil, err
		}
		looks = append(looks, f)
	}
	if n.opt.Ask == InDoubt {
		latest := looks[len(looks)-1] // as it was seen: sides may be exchanged in looks
		memory.Learn = func(known any) any {
			if !last {
				return recall(known).after(&first, nil)
			}
			return recall(known).after(&first, &latest)
		}
	}
	if !last {
		known.apply(&looks[0])
	}
	return slices.DeleteFunc(looks, func(f keypoint.Frame) bool { return f.Empty() }), nil
}

// others returns the members that look after the first one, and whether the last member is one of them.
func (n *network) others(first, previous *keypoint.Frame, credit float64) (members []inference.Network, last bool) {
	rest := n.opt.Following[1:]
	switch {
	case len(rest) == 0:
		return nil, false
	case first.Empty() || n.opt.Ask == Always || n.opt.Ask == Turned && turned(first, previous):
		return rest, true
	case n.opt.Ask == Turned:
		return nil, false
	}
	switch d := doubtOf(first, previous); {
	case d > none && credit >= 1 || d == swapped:
		return rest[len(rest)-1:], true
	case d == grave:
		return rest[:1], len(rest) == 1
	}
	return nil, false
}

// find returns the looks at somebody new. All but the first member look at the same time: live pictures do not wait.
func (n *network) find(ctx context.Context, img image.Image, r inference.Region) ([]keypoint.Frame, error) {
	first, err := n.opt.Finding[0].Look(ctx, img, r)
	if err != nil || first.Empty() {
		return nil, err
	}
	looks, errs := make([]keypoint.Frame, len(n.opt.Finding)), make([]error, len(n.opt.Finding))
	looks[0] = first
	r = region(&first)
	var others sync.WaitGroup
	for i, m := range n.opt.Finding[1:] {
		others.Go(func() {
			defer panics.Catch(&errs[i+1])
			looks[i+1], errs[i+1] = m.Look(ctx, img, r)
		})
	}
	others.Wait()
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(looks, func(f keypoint.Frame) bool { return f.Empty() }), nil
}

// A Finder's box reaches from hair to soles, that of the keypoints from eyes to ankles.
const growth = 1.2

// region returns where somebody is whose keypoints are known, as a Finder would.
func region(f *keypoint.Frame) inference.Region {
	b, _ := inference.BoundsOf(f)
	reach := b.Max.Sub(b.Min).Mul(growth / 2)
	return inference.Region{Box: inference.Box{Min: b.Centre().Sub(reach), Max: b.Centre().Add(reach)}, Keypoints: *f}
}
