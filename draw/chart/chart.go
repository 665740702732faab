package chart

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/bodymotion/motion/keypoint"
)

// Image draws 1 to 6 series, in the given order, as an opaque picture of opt.Width ×
// opt.Height pixels.
//
// Invalid arguments are a keypoint.ErrInvalid that names the series or the option: no
// series or more than 6, no value at all, a number of times other than that of the values,
// times that do not increase, different units, numbers outside −10¹² to 10¹², cycles of
// frames that do not exist, texts of more than 200 characters or with characters that the
// font lacks (it has Latin, Greek and Cyrillic), and a size that is out of range or too
// small for title, legend and text.
func Image(series []Series, opt Options) (image.Image, error) {
	l, err := arrange(series, opt)
	if err != nil {
		return nil, err
	}
	w, h := l.size()
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(96), vgimg.UseBackgroundColor(l.palette.ground))
	l.draw(draw.New(c))
	return c.Image(), nil
}

// WritePNG writes the picture of Image as a PNG file. It returns errors of the writer
// unchanged, and errors of the arguments before it writes anything; a nil w is one of them.
func WritePNG(w io.Writer, series []Series, opt Options) error {
	m, err := Image(series, opt)
	if err == nil {
		err = checkWriter(w)
	}
	if err != nil {
		return err
	}
	return png.Encode(w, m)
}

// WriteSVG writes the chart of Image as an SVG file of opt.Width × opt.Height CSS pixels.
// Its font is Liberation Sans, with Arial and Helvetica, which have the same widths, as
// fallbacks. Errors are those of WritePNG.
func WriteSVG(w io.Writer, series []Series, opt Options) error {
	l, err := arrange(series, opt)
	if err == nil {
		err = checkWriter(w)
	}
	if err != nil {
		return err
	}
	width, height := l.size()
	c := vgsvg.New(width, height)
	l.draw(draw.New(c))
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return fmt.Errorf("chart: %w", err)
	}
	// Quotation marks in texts are escaped, so this finds attributes only.
	svg := bytes.ReplaceAll(buf.Bytes(), []byte(`style="font-family:Liberation Sans;`),
		[]byte(`style="font-family:'Liberation Sans',Arial,Helvetica,sans-serif;`))
	_, err = w.Write(svg)
	return err
}

func checkWriter(w io.Writer) error {
	if w == nil {
		return fmt.Errorf("%w chart: the writer is nil", keypoint.ErrInvalid)
	}
	return nil
}

// size returns the size of the chart as plot measures it.
func (l *layout) size() (w, h vg.Length) {
	return vg.Length(l.opt.Width) * px, vg.Length(l.opt.Height) * px
}
