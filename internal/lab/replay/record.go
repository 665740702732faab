package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/ensemble"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/keypoint"
)

// networks are the members that can be asked.
type networks struct {
	finder  inference.Finder
	members map[string]inference.Network // when somebody is followed
	finding map[string]inference.Network // and only when somebody is found
	close   []func() error
}

func openNetworks() (*networks, error) {
	n := &networks{members: map[string]inference.Network{}, finding: map[string]inference.Network{}}
	for name, model := range map[string]movenet.Model{"thunder": thunder.Model(), "lightning": lightning.Model()} {
		e, err := movenet.New(movenet.Options{Pose: model, People: multipose.Model(), PartThreshold: -1})
		if err != nil {
			return nil, err
		}
		n.finder, n.members[name], n.finding[name+"-mirrored"] = e, e.Network, e.Mirrored()
		n.close = append(n.close, e.Close)
	}
	e, err := blazepose.New(blazepose.Options{Model: full.Model(), PartThreshold: -1})
	if err != nil {
		return nil, err
	}
	n.members["full"] = e.Network
	n.close = append(n.close, e.Close)
	return n, nil
}

// recorder is an Estimator's Network and Finder that asks all networks, and answers as Balanced does.
type recorder struct {
	*networks
	film   *film
	answer inference.Network
}

// heard is a Network that stores what it has seen.
type heard struct {
	inference.Network
	name string
	film *film
}

func (h heard) Look(ctx context.Context, img image.Image, r inference.Region) (keypoint.Frame, error) {
	p := img.(numbered)
	f, err := h.Network.Look(ctx, p.Image, r)
	h.film.put(h.name, p.n, f)
	return f, err
}

func (r *recorder) Look(ctx context.Context, img image.Image, at inference.Region) (keypoint.Frame, error) {
	if at.Followed {
		for name, m := range r.members {
			if _, err := (heard{m, name, r.film}).Look(ctx, img, at); err != nil {
				return keypoint.Frame{}, err
			}
		}
		return r.answer.Look(ctx, img, at)
	}
	all := []inference.Network{heard{r.members["thunder"], "thunder", r.film}}
	for _, group := range []map[string]inference.Network{r.members, r.finding} {
		for name, m := range group {
			if name != "thunder" {
				all = append(all, heard{m, name, r.film})
			}
		}
	}
	e, err := ensemble.New(ensemble.Options{Finding: all, PartThreshold: -1})
	if err != nil {
		return keypoint.Frame{}, err
	}
	if _, err := e.Look(ctx, img, at); err != nil {
		return keypoint.Frame{}, err
	}
	return r.answer.Look(ctx, img, at)
}

func (r *recorder) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	p := img.(numbered)
	found, err := r.finder.Find(ctx, p.Image)
	r.film.mu.Lock()
	defer r.film.mu.Unlock()
	for len(r.film.Found) <= p.n {
		r.film.Found = append(r.film.Found, nil)
	}
	r.film.Found[p.n] = append([]inference.Candidate{}, found...)
	return found, err
}

// record records the looks at a movie.
func record(ctx context.Context, n *networks, movie string) (*film, error) {
	file, err := os.Open(movie)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	frames, err := ffmpeg.Decoder{}.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	f := &film{Size: frames.Info().Size, Looks: map[string][]keypoint.Frame{}}
	r := &recorder{networks: n, film: f}
	if r.answer, err = policies[0].network(f, &count{times: map[string]int{}}); err != nil {
		return nil, err
	}
	seq, err := inference.Extract(ctx, &counted{Frames: frames}, inference.TopDown{Network: r, Finder: r}, inference.ExtractOptions{Feet: true})
	if err := errors.Join(err, frames.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", movie, err)
	}
	f.Times, f.Target = seq.Times, seq.Frames
	return f, nil
}
