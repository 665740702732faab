package main

import (
	"context"
	"image"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/sample"
)

// writeSamples writes the embedded picture and a movie of its movement into dir.
func writeSamples(ctx context.Context, enc draw.Encoder, dir string) ([]string, error) {
	still := filepath.Join(dir, "sample.jpg")
	if err := os.WriteFile(still, sample.JPEG(), 0o600); err != nil {
		return nil, err
	}
	movie := filepath.Join(dir, "sample-moving.mp4")
	w, err := enc.Create(ctx, movie, draw.Movie{
		Size: image.Pt(sample.MovieSize, sample.MovieSize), FrameRate: sample.FrameRate,
	})
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	mover := sample.NewMover()
	const frames = sample.Period * sample.FrameRate
	for i := range int(frames) {
		t := float64(i) / sample.FrameRate
		if err := w.Write(mover.Frame(t), t); err != nil {
			return nil, err
		}
	}
	return []string{still, movie}, w.Close()
}
