package space_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// BenchmarkJoin joins two recordings of a minute, in which somebody goes to and fro on a bend.
func BenchmarkJoin(b *testing.B) {
	const frames, turn, later = 1800, 217, 9
	film := func(c keypoint.Camera, begin int) keypoint.Sequence {
		once, seq := sample.Film(c, turn+1), sample.Film(c, frames)
		for i := range seq.Frames {
			at := (i + begin) % (2 * turn)
			seq.Frames[i] = once.Frames[min(at, 2*turn-at)]
		}
		return seq
	}
	views := []keypoint.Sequence{
		film(sample.Camera(mgl64.Vec3{4, 1.2, 2}, mgl64.Vec3{0, 0.95, 0}, 900), 0),
		film(sample.Camera(mgl64.Vec3{-2, 1, 4}, mgl64.Vec3{0, 0.95, 0}, 1000), later),
	}
	for b.Loop() {
		if _, err := space.Join(views, space.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(frames*float64(b.N)/b.Elapsed().Seconds(), "frames/s")
}
