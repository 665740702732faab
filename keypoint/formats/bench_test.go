package formats_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// walk is a movie of n frames with all parts, in hundredths of pixels.
func walk(n int) keypoint.Sequence {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, n), Times: make([]float64, n)}
	for i := range s.Frames {
		s.Times[i] = float64(i) / 30
		for p := range keypoint.Part(keypoint.NumBody) {
			s.Frames[i].Set(p, keypoint.Point{float64(i*7%640) + 0.25, float64(p) * 25.5}, 0.875)
		}
	}
	return s
}

func BenchmarkWrite(b *testing.B) {
	for _, name := range []string{"csv", "jsonl", "coco", "trc"} {
		for _, n := range []int{1, 100, 1800, 100_000} {
			s := walk(n)
			b.Run(fmt.Sprintf("%s/frames=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := formats.Write(io.Discard, name, s); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	opt := formats.Options{Limits: formats.Limits{Bytes: -1, Frames: -1}}
	for _, name := range []string{"csv", "jsonl", "coco", "trc"} {
		for _, n := range []int{1, 100, 1800, 100_000} {
			var file bytes.Buffer
			if err := formats.Write(&file, name, walk(n)); err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/frames=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := formats.ReadAs(bytes.NewReader(file.Bytes()), name, opt); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
