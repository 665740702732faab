package chart_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/bodymotion/motion/draw/chart"
)

// BenchmarkChart draws one series of 800×400 pixels.
func BenchmarkChart(b *testing.B) {
	for _, n := range []int{100, 1_800, 100_000} {
		series := []chart.Series{withRepetitions(squats(n, 105, 0))}
		b.Run(fmt.Sprintf("Image/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := chart.Image(series, chart.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("SVG/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := chart.WriteSVG(io.Discard, series, chart.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
