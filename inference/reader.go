package inference

import (
	"fmt"
	"image"
)

// reader reads the frames of a movie and holds them against what was promised.
type reader struct {
	frames Frames
	max    int
	n      int // that were read
	scene  int // first frame of the scene that the latest one belongs to
	size   image.Point
	sight  sight // of the latest frame
}

// read returns the next frame, io.EOF after the last.
func (r *reader) read() (Picture, error) {
	pic, err := r.frames.Next()
	if err != nil {
		return Picture{}, err
	}
	size := pic.Image.Bounds().Size()
	switch {
	case r.max > 0 && r.n+1 >= r.max:
		err = fmt.Errorf("%w: there are not fewer than %d", ErrTooManyFrames, r.max)
	case r.n == 0:
		r.size = size
	case size != r.size:
		err = fmt.Errorf("%w: frame %d is %v pixels, the first one %v", ErrFormat, r.n, size, r.size)
	}
	if err != nil {
		release(pic)
		return Picture{}, err
	}
	sight := glance(pic.Image)
	if r.n > 0 && sight.cut(&r.sight) {
		r.scene = r.n
	}
	r.sight = sight
	r.n++
	return pic, nil
}

// sight is what a frame looks like from far away: the brightness at the points of a grid.
type sight [sightRows * sightColumns]uint8

const (
	sightRows, sightColumns = 12, 16
	cutChange               = 40 // of brightness, 0 to 255, in the median over the grid
)

func glance(img image.Image) (s sight) {
	b := img.Bounds()
	for row := range sightRows {
		y := b.Min.Y + (2*row+1)*b.Dy()/(2*sightRows)
		for column := range sightColumns {
			x := b.Min.X + (2*column+1)*b.Dx()/(2*sightColumns)
			r, g, bl, _ := img.At(x, y).RGBA()
			s[row*sightColumns+column] = uint8((299*r + 587*g + 114*bl) / 1000 >> 8)
		}
	}
	return s
}

// cut reports whether another scene begins: a half of the picture changes its brightness
// much from one frame to the next.
func (s *sight) cut(before *sight) bool {
	changed := 0
	for i := range s {
		d := int(s[i]) - int(before[i])
		if d > cutChange || d < -cutChange {
			changed++
		}
	}
	return 2*changed > len(s)
}
