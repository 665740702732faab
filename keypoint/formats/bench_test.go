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
	for name, write := range map[string]func(io.Writer, keypoint.Sequence) error{
		"CSV": formats.WriteCSV, "JSONL": formats.WriteJSONL, "COCO": formats.WriteCOCO, "TRC": formats.WriteTRC,
	} {
		for _, n := range []int{1, 100, 1800, 100_000} {
			s := walk(n)
			b.Run(fmt.Sprintf("%s/frames=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := write(io.Discard, s); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	none := formats.Limits{Bytes: -1, Frames: -1}
	for name, c := range map[string]struct {
		write func(io.Writer, keypoint.Sequence) error
		read  func(io.Reader) (keypoint.Sequence, error)
	}{
		"JSONL": {formats.WriteJSONL, func(r io.Reader) (keypoint.Sequence, error) { return formats.ReadJSONL(r, none) }},
		"CSV":   {formats.WriteCSV, func(r io.Reader) (keypoint.Sequence, error) { return formats.ReadCSV(r, none) }},
		"COCO":  {formats.WriteCOCO, func(r io.Reader) (keypoint.Sequence, error) { return formats.ReadCOCO(r, none) }},
		"TRC": {formats.WriteTRC, func(r io.Reader) (keypoint.Sequence, error) {
			return formats.ReadTRC(r, formats.TRCOptions{Limits: none})
		}},
	} {
		for _, n := range []int{1, 100, 1800, 100_000} {
			var file bytes.Buffer
			if err := c.write(&file, walk(n)); err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/frames=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := c.read(bytes.NewReader(file.Bytes())); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
