package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// clip is a movie with its reference.
type clip struct {
	name      string // path below the folder of movies
	path      string
	reference *keypoint.Sequence // nil if there is none
	clipped   int                // confidences of the reference above 1
}

// findClips finds the movies in a folder, recursively, and reads their references.
func findClips(folder string) ([]clip, error) {
	if folder == "" {
		return nil, nil
	}
	var clips []clip
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		extension := strings.ToLower(filepath.Ext(path))
		if err != nil || d.IsDir() || !slices.Contains([]string{".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi"}, extension) {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		c := clip{name: name, path: path}
		for _, beside := range []string{strings.TrimSuffix(path, filepath.Ext(path)) + ".json", filepath.Join(filepath.Dir(path), "reference_keypoints.json")} {
			s, clipped, err := readReference(beside)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", beside, err)
			}
			c.reference, c.clipped = &s, clipped
			break
		}
		clips = append(clips, c)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("-movies: %w", err)
	}
	if len(clips) == 0 {
		return nil, fmt.Errorf("-movies: there is no movie in %s", folder)
	}
	return clips, nil
}

func readReference(path string) (s keypoint.Sequence, clipped int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return keypoint.Sequence{}, 0, err
	}
	defer f.Close()
	return evalpose.ReadReference(f)
}

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

// measure runs the estimator on the movie and compares the result with the reference.
func (c *clip) measure(ctx context.Context, est estimator, o options) (movieReport, error) {
	f, err := os.Open(c.path)
	if err != nil {
		return movieReport{}, err
	}
	defer f.Close()
	frames, err := ffmpeg.Decoder{}.Open(ctx, f)
	if err != nil {
		return movieReport{}, err
	}
	watch := &stopwatch{estimator: est}
	found, err := inference.Extract(ctx, frames, watch, inference.ExtractOptions{})
	if err := errors.Join(err, frames.Close()); err != nil {
		return movieReport{}, err
	}
	if o.smooth {
		if found, _, err = clean.Run(found, clean.Options{Swaps: true, Smooth: &clean.Smooth{}}); err != nil {
			return movieReport{}, err
		}
	}
	m := movieReport{Name: c.name, Frames: found.Len(), Jitter: optional(evalpose.Jitter(found)), Milliseconds: timesReport(watch.ms)}
	if c.reference == nil {
		return m, nil
	}
	reference := *c.reference
	pairs, err := evalpose.Match(reference, found, 0)
	if err != nil {
		return movieReport{}, err
	}
	if len(pairs) == 0 {
		return movieReport{}, fmt.Errorf("none of the %d frames of the reference has the time of a frame of the movie", reference.Len())
	}
	m.ReferenceFrames = &shareReport{Count: len(pairs), Of: reference.Len()}
	m.Agreement = optional(evalpose.Agreement(reference, found, pairs, o.within).Value())
	m.ReferenceJitter = optional(evalpose.Jitter(reference))
	m.Swaps = shareOf(evalpose.Swaps(reference, found, pairs, o.margin))
	m.Lost = shareOf(evalpose.Lost(reference, found, pairs))
	m.Invented = shareOf(evalpose.Invented(reference, found, pairs))
	return m, nil
}
