package chart

import (
	"errors"
	"fmt"
	"image"
)

// picture leaves out what browsers draw themselves, and would have to load.
func (f *figure) picture() (image.Image, error) {
	return nil, fmt.Errorf("chart: pictures are not drawn in a browser, use WriteSVG: %w", errors.ErrUnsupported)
}
