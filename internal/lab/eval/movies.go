package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/lab/eval/evaldata"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/internal/lab/internal/cpu"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// stopwatch is an estimator that records the time of each estimate.
type stopwatch struct {
	estimator
	mu sync.Mutex
	ms evalpose.Values
}

// Find implements inference.Finder.
func (s *stopwatch) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	if f, ok := inference.FinderOf(s.estimator); ok {
		return f.Find(ctx, img)
	}
	return nil, inference.ErrNoFinder
}

func (s *stopwatch) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	start := time.Now()
	f, err := s.estimator.Estimate(ctx, img, hint)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ms = append(s.ms, milliseconds(time.Since(start)))
	return f, err
}

// measureClip runs the estimator on a movie and compares the result with the reference.
func measureClip(ctx context.Context, c *evaldata.Clip, est estimator, o options) (movieReport, error) {
	f, err := os.Open(c.Path)
	if err != nil {
		return movieReport{}, err
	}
	defer f.Close()
	frames, err := ffmpeg.Decoder{}.Open(ctx, f)
	if err != nil {
		return movieReport{}, err
	}
	watch := &stopwatch{estimator: est}
	start, used := time.Now(), cpu.Time()
	found, err := inference.Extract(ctx, frames, watch, inference.ExtractOptions{Rate: o.rate, Feet: true})
	if err := errors.Join(err, frames.Close()); err != nil {
		return movieReport{}, err
	}
	m := movieReport{
		Name: c.Name, Frames: found.Len(), Milliseconds: timesReport(watch.ms),
		Seconds: seconds{time.Since(start).Seconds(), (cpu.Time() - used).Seconds()},
	}
	cleaned, _, err := clean.Run(found, clean.Default())
	if err != nil {
		return movieReport{}, err
	}
	if found, _, err = clean.Run(found, clean.Options{}); err != nil { // fills between the looks
		return movieReport{}, err
	}
	var pairs []evalpose.Pair
	if c.Reference != nil {
		reference := *c.Reference
		if pairs, err = evalpose.Match(reference, found, 0); err != nil {
			return movieReport{}, err
		}
		if len(pairs) == 0 {
			return movieReport{}, fmt.Errorf("none of the %d frames of the reference has the time of a frame of the movie", reference.Len())
		}
		m.ReferenceFrames = &shareReport{Count: len(pairs), Of: reference.Len()}
		m.ReferenceJitter = optional(evalpose.Jitter(reference))
	}
	m.Raw, m.Cleaned = stage(c, found, pairs, o), stage(c, cleaned, pairs, o)
	return m, nil
}

// jointNames are the joints whose angles are measured, both sides together.
var jointNames = []string{"knee", "hip", "elbow", "shoulder"}

// stage compares keypoints with the reference.
func stage(c *evaldata.Clip, found keypoint.Sequence, pairs []evalpose.Pair, o options) stageReport {
	s := stageReport{Jitter: optional(evalpose.Jitter(found))}
	if c.Reference == nil {
		return s
	}
	reference := *c.Reference
	exchangedPairs, exchangedFrames := evalpose.Exchanged(reference, found, pairs)
	s.Agreement = optional(evalpose.Agreement(reference, found, pairs, o.within).Value())
	s.CloseAgreement = optional(evalpose.Agreement(reference, found, pairs, o.within/2).Value())
	s.ExchangedPairs, s.ExchangedFrames = shareOf(exchangedPairs), shareOf(exchangedFrames)
	s.Lost = shareOf(evalpose.Lost(reference, found, pairs))
	s.Invented = shareOf(evalpose.Invented(reference, found, pairs))
	if c.Truth != nil {
		e := angleErrors{
			angles:     map[string]evalpose.Values{},
			peakAngles: evalpose.PeakAngleErrors(c.Truth, found, pairs),
			peakSpeeds: evalpose.PeakSpeedErrors(c.Truth, found, pairs),
		}
		for _, a := range evalpose.Angles() {
			_, joint, _ := strings.Cut(a.Name, "_")
			e.angles[joint] = append(e.angles[joint], evalpose.AngleErrors(c.Truth, found, pairs, a)...)
		}
		s.setErrors(e)
		given, errors := evalpose.Feet(reference, found, pairs)
		s.Feet = feetOf(shareOf(given), errors, o.within)
	}
	return s
}
