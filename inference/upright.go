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

// turned says what an EXIF orientation, 1 to 8, does to a stored picture: whether it transposes it, then mirrors it
// from left to right, and from top to bottom.
func turned(orientation int) (turn, across, down bool) {
	o := orientation
	return o >= 5, o == 2 || o == 3 || o == 6 || o == 7, o == 3 || o == 4 || o == 7 || o == 8
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
	turn, across, down := turned(orientation)
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if turn {
		dst = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	// The stored pixel (x, y) goes to dst.Pix at start + x*dx + y*dy.
	start, dx, dy := 0, 4, dst.Stride
	if across {
		start, dx = start+(dst.Rect.Dx()-1)*dx, -dx
	}
	if down {
		start, dy = start+(dst.Rect.Dy()-1)*dy, -dy
	}
	if turn {
		dx, dy = dy, dx
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
