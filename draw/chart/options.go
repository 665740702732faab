package chart

import (
	"cmp"
	"fmt"

	"github.com/bodymotion/motion/keypoint"
)

// Theme is the look of a chart.
type Theme string

// The themes. The zero value means Light.
const (
	Light Theme = "light" // dark lines on white
	Dark  Theme = "dark"  // light lines on almost black
)

// Options describe the look of a chart. Zero fields select the defaults.
type Options struct {
	Width, Height int     // pixels, 160 to 8192 and 100 to 8192; 0 means 800 and 400
	Title         string  // above the chart; "" means what all series show, such as "Knee flexion", or none
	Theme         Theme   // "" means Light
	LineWidth     float64 // pixels, at most 50; 0 means 1/300 of the height, at least 1.5
	FontSize      float64 // pixels, 6 to 200; 0 means 1/45 of the height, at least 11
}

// Limits of the size in pixels.
const (
	minWidth, minHeight = 160, 100
	maxSide             = 8192
)

// complete returns the options with the defaults filled in, or what is wrong with them.
func (o Options) complete() (Options, error) {
	o.Width, o.Height, o.Theme = cmp.Or(o.Width, 800), cmp.Or(o.Height, 400), cmp.Or(o.Theme, Light)
	if o.Width < minWidth || o.Height < minHeight || o.Width > maxSide || o.Height > maxSide {
		return o, fmt.Errorf("%w chart: Width and Height are %d×%d pixels, want %d×%d to %d×%d",
			keypoint.ErrInvalid, o.Width, o.Height, minWidth, minHeight, maxSide, maxSide)
	}
	if o.Theme != Light && o.Theme != Dark {
		return o, fmt.Errorf("%w chart: Theme is %q, want light or dark", keypoint.ErrInvalid, o.Theme)
	}
	if !(o.LineWidth >= 0 && o.LineWidth <= 50) {
		return o, fmt.Errorf("%w chart: LineWidth is %v pixels, want 0 to 50", keypoint.ErrInvalid, o.LineWidth)
	}
	if o.FontSize != 0 && !(o.FontSize >= 6 && o.FontSize <= 200) {
		return o, fmt.Errorf("%w chart: FontSize is %v pixels, want 6 to 200, or 0", keypoint.ErrInvalid, o.FontSize)
	}
	o.LineWidth = cmp.Or(o.LineWidth, max(float64(o.Height)/300, 1.5))
	o.FontSize = cmp.Or(o.FontSize, max(float64(o.Height)/45, 11))
	return o, checkText("Title", o.Title)
}
