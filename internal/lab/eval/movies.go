package main

import (
	"bytes"
	"context"
	"encoding/json"
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
	"github.com/bodymotion/motion/internal/lab/internal/cpu"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// clip is a movie with its reference.
type clip struct {
	name      string // path below the folder of movies
	path      string
	reference *keypoint.Sequence // nil if there is none
	clipped   int                // confidences of the reference above 1
	truth     *evalpose.Truth    // of a rendered movie; nil if there is none
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
			data, err := os.ReadFile(beside)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil {
				err = c.read(data)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", beside, err)
			}
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

// read reads the reference or the truth of a movie.
func (c *clip) read(data []byte) error {
	var head struct{ Format string }
	if json.Unmarshal(data, &head) == nil && head.Format != "" {
		truth, err := evalpose.ReadTruth(bytes.NewReader(data))
		if err != nil {
			return err
		}
		c.truth, c.reference = truth, &truth.Parts
		return nil
	}
	reference, clipped, err := evalpose.ReadReference(bytes.NewReader(data))
	c.reference, c.clipped = &reference, clipped
	return err
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
	start, used := time.Now(), cpu.Time()
	found, err := inference.Extract(ctx, frames, watch, inference.ExtractOptions{Rate: o.rate})
	if err := errors.Join(err, frames.Close()); err != nil {
		return movieReport{}, err
	}
	m := movieReport{
		Name: c.name, Frames: found.Len(), Milliseconds: timesReport(watch.ms),
		Seconds: &seconds{time.Since(start).Seconds(), (cpu.Time() - used).Seconds()},
	}
	cleaned, _, err := clean.Run(found, clean.Default())
	if err != nil {
		return movieReport{}, err
	}
	if found, _, err = clean.Run(found, clean.Options{}); err != nil { // fills between the looks
		return movieReport{}, err
	}
	var pairs []evalpose.Pair
	if c.reference != nil {
		reference := *c.reference
		if pairs, err = evalpose.Match(reference, found, 0); err != nil {
			return movieReport{}, err
		}
		if len(pairs) == 0 {
			return movieReport{}, fmt.Errorf("none of the %d frames of the reference has the time of a frame of the movie", reference.Len())
		}
		m.ReferenceFrames = &shareReport{Count: len(pairs), Of: reference.Len()}
		m.ReferenceJitter = optional(evalpose.Jitter(reference))
	}
	m.Raw, m.Cleaned = c.stage(found, pairs, o), c.stage(cleaned, pairs, o)
	return m, nil
}

// jointNames are the joints whose angles are measured, both sides together.
var jointNames = []string{"knee", "hip", "elbow", "shoulder"}

// stage compares keypoints with the reference.
func (c *clip) stage(found keypoint.Sequence, pairs []evalpose.Pair, o options) stageReport {
	s := stageReport{Jitter: optional(evalpose.Jitter(found))}
	if c.reference == nil {
		return s
	}
	reference := *c.reference
	exchangedPairs, exchangedFrames := evalpose.Exchanged(reference, found, pairs)
	s.Agreement = optional(evalpose.Agreement(reference, found, pairs, o.within).Value())
	s.CloseAgreement = optional(evalpose.Agreement(reference, found, pairs, o.within/2).Value())
	s.ExchangedPairs, s.ExchangedFrames = shareOf(exchangedPairs), shareOf(exchangedFrames)
	s.Lost = shareOf(evalpose.Lost(reference, found, pairs))
	s.Invented = shareOf(evalpose.Invented(reference, found, pairs))
	if c.truth != nil {
		e := angleErrors{
			angles:     map[string]evalpose.Values{},
			peakAngles: evalpose.PeakAngleErrors(c.truth, found, pairs),
			peakSpeeds: evalpose.PeakSpeedErrors(c.truth, found, pairs),
		}
		for _, a := range evalpose.Angles() {
			_, joint, _ := strings.Cut(a.Name, "_")
			e.angles[joint] = append(e.angles[joint], evalpose.AngleErrors(c.truth, found, pairs, a)...)
		}
		s.setErrors(e)
	}
	return s
}
