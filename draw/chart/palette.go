package chart

import "image/color"

// palette holds the colours of a theme. The colours of the series are from Okabe and Ito
// (2008), made darker or lighter where the contrast is too low.
type palette struct {
	ground, ink color.NRGBA // background; text and axes
	series      [maxSeries]color.NRGBA
}

func hex(rgb uint32) color.NRGBA {
	return color.NRGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255}
}

// palette returns the colours of the theme.
func (t Theme) palette() palette {
	if t == Dark {
		return palette{
			ground: hex(0x16191D), ink: hex(0xE4E6E8),
			series: [maxSeries]color.NRGBA{hex(0x56B4E9), hex(0xE69F00), hex(0x00B586), hex(0xFFF087), hex(0xB44B96), hex(0xF2F2F2)},
		}
	}
	return palette{
		ground: hex(0xFFFFFF), ink: hex(0x26292C),
		series: [maxSeries]color.NRGBA{hex(0x0072B2), hex(0xD55E00), hex(0x009E73), hex(0x78005A), hex(0x000000), hex(0x873C1E)},
	}
}

// veil returns the colour with an opacity of 0 to 255.
func veil(c color.NRGBA, opacity uint8) color.NRGBA {
	c.A = opacity
	return c
}
