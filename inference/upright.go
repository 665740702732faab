package inference

import (
	"image"
	"image/color"
	"image/draw"
)

// opaque returns img with every pixel opaque. It may change img.
func opaque(img image.Image) image.Image {
	switch m := img.(type) {
	case *image.NRGBA:
		for i := 3; i < len(m.Pix); i += 4 {
			m.Pix[i] = 255
		}
	case *image.NRGBA64:
		for i := 6; i+1 < len(m.Pix); i += 8 {
			m.Pix[i], m.Pix[i+1] = 255, 255
		}
	case *image.Paletted:
		for i, c := range m.Palette {
			n := color.NRGBAModel.Convert(c).(color.NRGBA)
			n.A = 255
			m.Palette[i] = n
		}
	case *image.NYCbCrA:
		return &m.YCbCr
	}
	return img
}

// onCanvas places img on a black canvas of the given size.
func onCanvas(img image.Image, size image.Point) image.Image {
	canvas := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(canvas, canvas.Rect, image.Black, image.Point{}, draw.Src)
	draw.Draw(canvas, img.Bounds(), opaque(img), img.Bounds().Min, draw.Src)
	return canvas
}

// orient applies an EXIF orientation, 1 to 8, and moves the picture's corner to the origin. It
// may change img, and returns it if there is nothing to do.
func orient(img image.Image, orientation int) image.Image {
	b := img.Bounds()
	if orientation == 1 && b.Min == (image.Point{}) {
		return img
	}
	if planes, ok := img.(*image.YCbCr); ok && orientation > 1 {
		if m, ok := orientPlanes(planes, orientation); ok {
			return m
		}
	}
	w, h := b.Dx(), b.Dy()
	size := image.Pt(w, h)
	if orientation >= 5 {
		size = image.Pt(h, w)
	}
	dst := image.NewRGBA(image.Rectangle{Max: size})
	// The stored pixel (x, y) goes to dst.Pix at start + x*dx + y*dy.
	s := dst.Stride
	var start, dx, dy int
	switch orientation {
	case 2: // mirrored left to right
		start, dx, dy = (w-1)*4, -4, s
	case 3: // turned by 180°
		start, dx, dy = (h-1)*s+(w-1)*4, -4, -s
	case 4: // mirrored top to bottom
		start, dx, dy = (h-1)*s, 4, -s
	case 5: // mirrored along the main diagonal
		start, dx, dy = 0, s, 4
	case 6: // to be turned clockwise
		start, dx, dy = (h-1)*4, s, -4
	case 7: // mirrored along the other diagonal
		start, dx, dy = (w-1)*s+(h-1)*4, -s, -4
	case 8: // to be turned counter-clockwise
		start, dx, dy = (w-1)*s, -s, 4
	default:
		start, dx, dy = 0, 4, s
	}
	row := image.NewRGBA(image.Rect(0, 0, w, 1))
	for y := range h {
		draw.Draw(row, row.Rect, img, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
		at := start + y*dy
		for x := 0; x < len(row.Pix); x += 4 {
			copy(dst.Pix[at:at+4:at+4], row.Pix[x:x+4])
			at += dx
		}
	}
	return dst
}
