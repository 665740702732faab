package live_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/testkit"
)

// BenchmarkWatch plays a rendered movie of 720p at its own pace and faster, over and over. It reports how
// long the answer to a picture takes from when the picture comes, and the share of dropped pictures.
func BenchmarkWatch(b *testing.B) {
	if testing.Short() {
		b.Skip("it takes as long as the movie")
	}
	pictures := decoded(b, "rendered/squat_60.mp4")
	est, err := pose.Fast(pose.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer est.Close()
	for _, rate := range []float64{30, 120} {
		b.Run(fmt.Sprintf("720p/%v per second", rate), func(b *testing.B) {
			var took []time.Duration
			dropped := 0
			for b.Loop() {
				s := session(b, est, live.Options{Rules: rules()})
				n, start := 0, time.Now()
				due := func(n int) time.Time { return start.Add(time.Duration(float64(n) / rate * 1e9)) }
				source := live.Pictures(func(ctx context.Context) (inference.Picture, error) {
					if float64(n) >= 6*rate {
						return inference.Picture{}, io.EOF
					}
					select {
					case <-time.After(time.Until(due(n))):
					case <-ctx.Done():
						return inference.Picture{}, ctx.Err()
					}
					n++
					pic := pictures[(n-1)%len(pictures)]
					return inference.Picture{Image: pic.Image, Time: float64(n-1) / rate}, nil
				})
				for u, err := range s.Watch(b.Context(), source) {
					if err != nil {
						b.Fatal(err)
					}
					dropped += u.Dropped
					if u.Number > 0 { // the first look builds buffers
						took = append(took, time.Since(due(int(u.Time*rate+0.5))))
					}
				}
			}
			slices.Sort(took)
			at := func(share float64) float64 { return took[int(share*float64(len(took)-1))].Seconds() * 1e3 }
			b.ReportMetric(at(0.5), "median-ms")
			b.ReportMetric(at(0.99), "p99-ms")
			b.ReportMetric(float64(dropped)/float64(dropped+len(took)+b.N), "dropped")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// decoded returns the first two seconds of a movie.
func decoded(b *testing.B, path string) (pictures []inference.Picture) {
	movie, err := os.Open(testkit.Data(b, path))
	if err != nil {
		b.Fatal(err)
	}
	defer movie.Close()
	frames, err := ffmpeg.Decoder{Buffers: 64}.Open(b.Context(), movie)
	if err != nil {
		b.Fatal(err)
	}
	defer frames.Close()
	for range 60 {
		pic, err := frames.Next()
		if err != nil {
			b.Fatal(err)
		}
		pictures = append(pictures, pic)
	}
	return pictures
}
