package inference

import (
	"image"
	"slices"
)

// subsamplings are those that can be turned: how many pixels share a chroma sample, across and down, and that of the transposed picture.
var subsamplings = map[image.YCbCrSubsampleRatio]struct {
	across, down int
	transposed   image.YCbCrSubsampleRatio
}{
	image.YCbCrSubsampleRatio444: {1, 1, image.YCbCrSubsampleRatio444},
	image.YCbCrSubsampleRatio422: {2, 1, image.YCbCrSubsampleRatio440},
	image.YCbCrSubsampleRatio420: {2, 2, image.YCbCrSubsampleRatio420},
	image.YCbCrSubsampleRatio440: {1, 2, image.YCbCrSubsampleRatio422},
}

// orientPlanes applies an EXIF orientation, 2 to 8, to the planes of a JPEG picture, which takes less memory than RGBA:
// orientations 2 to 4 in place, 5 to 8 into new planes. ok is false, and img unchanged, if the subsampling does not allow it.
func orientPlanes(img *image.YCbCr, orientation int) (_ *image.YCbCr, ok bool) {
	size := img.Rect.Size()
	s, ok := subsamplings[img.SubsampleRatio]
	if !ok || img.Rect.Min != (image.Point{}) || size.X%s.across != 0 || size.Y%s.down != 0 {
		return nil, false // chroma would move by a fraction of a sample
	}
	turn, across, down := turned(orientation)
	luma := plane{img.Y, img.YStride, size}
	chroma := image.Pt(size.X/s.across, size.Y/s.down)
	cb, cr := plane{img.Cb, img.CStride, chroma}, plane{img.Cr, img.CStride, chroma}
	dst := img
	if turn {
		dst = image.NewYCbCr(image.Rect(0, 0, size.Y, size.X), s.transposed)
		luma = luma.transpose(dst.Y, dst.YStride)
		cb, cr = cb.transpose(dst.Cb, dst.CStride), cr.transpose(dst.Cr, dst.CStride)
	}
	for _, p := range []plane{luma, cb, cr} {
		if across {
			p.mirror()
		}
		if down {
			p.flip()
		}
	}
	return dst, true
}

// plane is one plane of a picture, one byte per sample.
type plane struct {
	pix    []byte
	stride int
	size   image.Point
}

func (p plane) row(y int) []byte { return p.pix[y*p.stride : y*p.stride+p.size.X] }

// mirror swaps left and right.
func (p plane) mirror() {
	for y := range p.size.Y {
		slices.Reverse(p.row(y))
	}
}

// flip swaps top and bottom.
func (p plane) flip() {
	for y := range p.size.Y / 2 {
		a, b := p.row(y), p.row(p.size.Y-1-y)
		for x := range a {
			a[x], b[x] = b[x], a[x]
		}
	}
}

// transpose writes the transposed plane to dst, in blocks that fit the processor's cache.
func (p plane) transpose(dst []byte, stride int) plane {
	const block = 32
	for y0 := 0; y0 < p.size.Y; y0 += block {
		for x0 := 0; x0 < p.size.X; x0 += block {
			for y := y0; y < min(y0+block, p.size.Y); y++ {
				row := p.row(y)
				for x := x0; x < min(x0+block, p.size.X); x++ {
					dst[x*stride+y] = row[x]
				}
			}
		}
	}
	return plane{dst, stride, image.Pt(p.size.Y, p.size.X)}
}
