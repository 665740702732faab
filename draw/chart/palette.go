package chart

import (
	"fmt"
	"image/color"
)

// Widths of lines in units, and the opacity of areas.
const (
	gridWidth, lineWidth, dashedWidth, levelWidth, dotWidth = 0.8, 1.6, 1.3, 1.2, 3.0
	areaOpacity                                             = 0.16
)

// palette holds the colours of a chart.
type palette struct {
	ground, ink, text, faint, grid, span, flag color.NRGBA
	series                                     [maxSeries]color.NRGBA // in the order of slots
}

func hex(rgb uint32) color.NRGBA {
	return color.NRGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255}
}

func css(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// palette returns the colours. Those of the series are from Okabe and Ito (2008), made darker or lighter where the contrast is too low.
func (f *figure) palette() palette {
	if f.dark {
		return palette{
			ground: hex(0x16191D), ink: hex(0xF1F3F5), text: hex(0xC3C9D1), faint: hex(0x9AA3AE), grid: hex(0x2F353C), span: hex(0x21262C), flag: hex(0x453B16),
			series: [maxSeries]color.NRGBA{hex(0x56B4E9), hex(0xE69F00), hex(0x00B586), hex(0xFFF087), hex(0xB44B96), hex(0xF2F2F2)},
		}
	}
	return palette{
		ground: hex(0xFFFFFF), ink: hex(0x12161C), text: hex(0x414B58), faint: hex(0x5A6675), grid: hex(0xE2E5EA), span: hex(0xF3F4F5), flag: hex(0xFAF0CA),
		series: [maxSeries]color.NRGBA{hex(0x0072B2), hex(0xD55E00), hex(0x009E73), hex(0x78005A), hex(0x000000), hex(0x873C1E)},
	}
}
